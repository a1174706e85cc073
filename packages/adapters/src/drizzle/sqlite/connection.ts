import type { Database, RunResult } from 'better-sqlite3'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { DuplicateError } from '../../duplicate-error.ts'
import { type Attempt, createAttempt, isDuplicate, patience } from './driver-errors.ts'
import type { Tables } from './schema.ts'

/** A database, its tables, and the three ways of using it; all of them wait for other processes. */
export interface Connection {
  readonly client: Database
  readonly db: BaseSQLiteDatabase<'sync', RunResult>
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
export function connect(client: Database, tables: Tables): Connection {
  const attempt = createAttempt(patience)
  const write: Attempt = (work) => attempt(() => unique(work))
  return {
    client,
    db: drizzleOver(client),
    tables,
    read: createAttempt(patience),
    write,
    // Immediate: a transaction that reads first and asks to write later fails at once when somebody else wrote between.
    transaction: (work) => write(() => client.transaction(work).immediate())
  }
}

/** What drizzle's own function for it makes, without the driver that its module loads. */
function drizzleOver(client: Database): Connection['db'] {
  const dialect = new SQLiteSyncDialect()
  return new BaseSQLiteDatabase('sync', dialect, new BetterSQLiteSession(client, dialect, undefined), undefined)
}

function unique<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    throw new DuplicateError('sqlite: expected a key that no other row has', { cause })
  }
}
