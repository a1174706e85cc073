import type { Database } from 'better-sqlite3'
import { loadDriver } from '../load-driver.ts'
import type { SqliteClient } from './source.ts'

/** Milliseconds that a statement may wait for other processes; the event loop is blocked meanwhile. */
const statementTimeout = 250

/**
 * Bytes of the file that are memory-mapped, the maximum of SQLite: copying each page that its small cache lacks makes a
 * large file slow. Unused parts take no memory.
 */
const readInPlace = 2_147_418_112

/** Opens the file in WAL mode. */
export function openClient(file: string): Database {
  const Database: typeof import('better-sqlite3') = loadDriver('better-sqlite3')
  const client = new Database(file, { timeout: statementTimeout })
  try {
    client.pragma('journal_mode = WAL')
    client.pragma('synchronous = NORMAL')
    client.pragma('foreign_keys = ON')
    client.pragma(`mmap_size = ${readInPlace}`)
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

/** @throws TypeError if the value is not a better-sqlite3 database. */
export function unwrapClient(db: SqliteClient | { readonly $client: SqliteClient }): Database {
  const client = '$client' in db ? db.$client : db
  if (isDatabase(client)) return withNumbers(client)
  throw new TypeError('sqliteAdapter: db: expected a better-sqlite3 database, or drizzle over one')
}

function isDatabase(client: SqliteClient): client is SqliteClient & Database {
  return typeof client.pragma === 'function' && typeof client.transaction === 'function'
}

/**
 * The same connection, whose statements return integers as numbers: the application may have enabled BigInts
 * (`defaultSafeIntegers`), which its own statements keep.
 */
function withNumbers(client: Database): Database {
  const prepare = (source: string) => {
    const statement = client.prepare(source)
    // A wrapper of the application may not support this.
    if (typeof statement.safeIntegers === 'function') statement.safeIntegers(false)
    return statement
  }
  // Methods of a wrapper may need private fields, which this object does not have.
  const methods = (['exec', 'pragma', 'transaction', 'close'] as const).flatMap((name) => {
    const method: unknown = client[name]
    return typeof method === 'function' ? [[name, { value: method.bind(client) }] as const] : []
  })
  const withPrepare: Database = Object.create(client, { prepare: { value: prepare }, ...Object.fromEntries(methods) })
  return withPrepare
}
