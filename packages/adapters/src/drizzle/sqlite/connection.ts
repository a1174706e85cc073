import type { Database, RunResult } from 'better-sqlite3'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { DuplicateError } from '../../duplicate-error.ts'
import { type Attempt, createAttempt, defaultRetryOptions, isDuplicate } from './driver-errors.ts'
import type { Tables } from './schema.ts'

/** A database, its tables, and three ways to use it; all of them wait for other processes. */
export interface Connection {
  readonly client: Database
  readonly db: BaseSQLiteDatabase<'sync', RunResult>
  readonly tables: Tables
  readonly read: Attempt
  /**
   * Runs one statement that writes.
   *
   * Statements with `returning` use `all` and never `get`: better-sqlite3's `get` stops at the first row and does not
   * report a failed commit.
   */
  readonly write: Attempt
  /** Runs several statements in one transaction. */
  readonly transaction: Attempt
}

/** Connects drizzle to a client. */
export function connect(client: Database, tables: Tables): Connection {
  const attempt = createAttempt(defaultRetryOptions)
  const write: Attempt = (work) => attempt(() => unique(work))
  return {
    client,
    db: drizzleOver(client),
    tables,
    read: createAttempt(defaultRetryOptions),
    write,
    // Immediate: a deferred transaction that reads first fails at once if another process writes before it does.
    transaction: (work) => write(() => client.transaction(work).immediate())
  }
}

/** The result of drizzle's own function, without the driver that its module loads. */
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
