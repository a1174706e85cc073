import type { Announcing } from './socket-timeout.ts'

/** The methods of a mysql2 connection that the adapter uses. */
export interface MysqlConnection {
  query(sql: string): Promise<unknown>
  release(): void
  destroy(): void
}

/** The methods of mysql2's promise pool that the adapter uses. */
export interface PromisePool extends Announcing {
  getConnection(): Promise<MysqlConnection>
  end(): Promise<unknown>
}

/** A pool of mysql2, with promises or callbacks. */
export type MysqlPool = PromisePool | { promise(): PromisePool }

/** The location of a database that the adapter connects to. */
export interface MysqlUrl {
  /** A URL such as `mysql://user:password@host:3306/app`. `close` closes the connections. */
  readonly url: string
  /** The maximum number of connections. @defaultValue `10` */
  readonly max?: number | undefined
  /** Milliseconds after which the server aborts a statement; 0 for no limit. @defaultValue `5000` */
  readonly statementTimeout?: number | undefined
}

/** A pool that the application owns. */
export interface MysqlPooled {
  /** Replaces `url`: a pool of mysql2, with promises or callbacks. The application closes it. */
  readonly pool: MysqlPool
}

/** A drizzle database that the application owns. */
export interface MysqlOver {
  /** Replaces `url`: drizzle over a pool of mysql2, which the application closes. */
  readonly db: { readonly $client: MysqlPool }
}

/** The database: a URL, a pool of mysql2, or drizzle over one. */
export type MysqlSource = MysqlUrl | MysqlPooled | MysqlOver
