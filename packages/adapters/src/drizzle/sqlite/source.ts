/** What the adapter asks of better-sqlite3's `Database`. */
export interface SqliteClient {
  prepare(source: string): {
    run(...parameters: unknown[]): { changes: number }
    get(...parameters: unknown[]): unknown
    all(...parameters: unknown[]): unknown[]
  }
  exec(source: string): unknown
  pragma(source: string): unknown
  transaction<T>(work: () => T): { immediate(): T }
  close(): unknown
}

/** Where the database is, when the adapter opens it. */
export interface SqliteFile {
  /** The path of the file, made where it is not there; `:memory:` for none. The adapter opens it, and `close` closes it. */
  readonly file: string
}

/** A database that the application has opened. */
export interface SqliteDatabase {
  /** In place of `file`: a better-sqlite3 database, or drizzle over one. It stays yours: `close` leaves it open. */
  readonly db: SqliteClient | { readonly $client: SqliteClient }
}

/** Where the database is: a file that the adapter opens, or a better-sqlite3 database, bare or under drizzle. */
export type SqliteSource = SqliteFile | SqliteDatabase
