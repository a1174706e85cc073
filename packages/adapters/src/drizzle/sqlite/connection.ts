import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import { DuplicateError } from '../../duplicate-error.ts'
import { load } from '../load.ts'
import { type Attempt, createAttempt, isDuplicate, patience } from './busy.ts'
import type { SqliteClient } from './client.ts'
import type { Tables } from './schema.ts'

const { drizzle }: { drizzle: (config: { client: SqliteClient }) => BetterSQLite3Database } =
  load('drizzle-orm/better-sqlite3')

/** A database, its tables, and the three ways of using it; all of them wait for other processes. */
export interface Connection {
  readonly client: SqliteClient
  readonly db: BetterSQLite3Database
  readonly tables: Tables
  readonly read: Attempt
  /**
   * Runs one statement that writes.
   *
   * One with `returning` is run by `all`, never by `get`: better-sqlite3's `get` stops at the first row and does not
   * report that the commit after it failed.
   */
  readonly write: Attempt
  /** Runs several statements: all of them take effect, or none. */
  readonly transaction: Attempt
}

/** Connects drizzle to a client. */
export function connect(client: SqliteClient, tables: Tables): Connection {
  const attempt = createAttempt(patience)
  const write: Attempt = (work) => attempt(() => unique(work))
  return {
    client,
    db: drizzle({ client }),
    tables,
    read: createAttempt(patience),
    write,
    // Immediate: a transaction that reads first and asks to write later fails at once when somebody else wrote between.
    transaction: (work) => write(() => client.transaction(work).immediate())
  }
}

function unique<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    throw new DuplicateError('sqlite: expected a key that no other row has', { cause })
  }
}
