import type { Announcing } from './socket-timeout.ts'

/** What the adapter asks of a connection of mysql2. */
export interface MysqlConnection {
  query(sql: string): Promise<unknown>
  release(): void
  destroy(): void
}

/** What the adapter asks of mysql2's pool with promises. */
export interface PromisePool extends Announcing {
  getConnection(): Promise<MysqlConnection>
  end(): Promise<unknown>
}

/** What the adapter asks of mysql2's pool, with promises or with callbacks. */
export type MysqlPool = PromisePool | { promise(): PromisePool }

/** Where the database is, when the adapter connects to it. */
export interface MysqlUrl {
  /** An address like `mysql://user:password@host:3306/app`. `close` closes the connections. */
  readonly url: string
  /** How many connections there may be at once. @defaultValue `10` */
  readonly max?: number | undefined
  /** Milliseconds after which the server gives up a statement; 0 for never. @defaultValue `5000` */
  readonly statementTimeout?: number | undefined
}

/** A pool of the application's. */
export interface MysqlPooled {
  /** In place of `url`: a pool of mysql2, with promises or with callbacks. It stays yours. */
  readonly pool: MysqlPool
}

/** A drizzle database of the application's. */
export interface MysqlOver {
  /** In place of `url`: drizzle over a pool of mysql2, which stays yours. */
  readonly db: { readonly $client: MysqlPool }
}

/** Where the database is: an address, a pool of mysql2, or drizzle over one. */
export type MysqlSource = MysqlUrl | MysqlPooled | MysqlOver
