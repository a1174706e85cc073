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

/** Where the database is: a file that the adapter opens, or a better-sqlite3 database, bare or under drizzle. */
export type SqliteSource =
  | { readonly file: string }
  | { readonly db: SqliteClient | { readonly $client: SqliteClient } }
