/** The methods of better-sqlite3's `Database` that the adapter uses. */
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

/** The location of a database that the adapter opens. */
export interface SqliteFile {
  /** The path of the file, which is created if it does not exist; `:memory:` for none. `close` closes it. */
  readonly file: string
}

/** A database that the application owns. */
export interface SqliteDatabase {
  /** Replaces `file`: a better-sqlite3 database, or drizzle over one. `close` leaves it open. */
  readonly db: SqliteClient | { readonly $client: SqliteClient }
}

/** The database: a file that the adapter opens, or a better-sqlite3 database, with or without drizzle. */
export type SqliteSource = SqliteFile | SqliteDatabase
