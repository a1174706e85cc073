import type { Database } from 'better-sqlite3'
import { load } from '../load.ts'
import type { SqliteClient } from './source.ts'

/** Milliseconds that a statement may wait for other processes; the event loop stands still meanwhile. */
const statementTimeout = 250

/**
 * Bytes of the file that are read in place, the most that SQLite allows: a copy of each page that its small cache
 * lacks makes a large file slow. What is not there takes no memory.
 */
const readInPlace = 2_147_418_112

/** Opens the file in WAL mode. */
export function openClient(file: string): Database {
  const Database: typeof import('better-sqlite3') = load('better-sqlite3')
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

/** @throws TypeError for anything but better-sqlite3. */
export function unwrapClient(db: SqliteClient | { readonly $client: SqliteClient }): Database {
  const client = '$client' in db ? db.$client : db
  if (isDatabase(client)) return withNumbers(client)
  throw new TypeError('sqliteAdapter: db: expected a better-sqlite3 database, or drizzle over one')
}

function isDatabase(client: SqliteClient): client is SqliteClient & Database {
  return typeof client.pragma === 'function' && typeof client.transaction === 'function'
}

/**
 * The same connection, whose statements give whole numbers as numbers: the application may have told it to give BigInts
 * (`defaultSafeIntegers`), and its own statements go on to.
 */
function withNumbers(client: Database): Database {
  const prepare = (source: string) => {
    const statement = client.prepare(source)
    // A wrapper of the application's may have no such choice.
    if (typeof statement.safeIntegers === 'function') statement.safeIntegers(false)
    return statement
  }
  // Methods of a wrapper may ask for private fields, which this object has not.
  const methods = (['exec', 'pragma', 'transaction', 'close'] as const).flatMap((name) => {
    const method: unknown = client[name]
    return typeof method === 'function' ? [[name, { value: method.bind(client) }] as const] : []
  })
  const withPrepare: Database = Object.create(client, { prepare: { value: prepare }, ...Object.fromEntries(methods) })
  return withPrepare
}
