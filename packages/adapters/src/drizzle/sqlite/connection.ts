import type { Database, RunResult } from 'better-sqlite3'
import { BetterSQLiteSession } from 'drizzle-orm/better-sqlite3/session'
import { BaseSQLiteDatabase, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { DuplicateError } from '../../duplicate-error.ts'
import type { Run } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'
import { createAttempt, defaultRetryOptions, isDuplicate } from './driver-errors.ts'
import type { Tables } from './schema.ts'
import { createStatements } from './statements.ts'

/** A database, its tables, and three ways to use it; all of them wait for other processes. */
export interface Connection extends TableAccess {
  readonly client: Database
  readonly db: BaseSQLiteDatabase<'sync', RunResult>
  readonly tables: Tables
  readonly read: Run
  /** Runs one statement that writes. */
  readonly write: Run
  /** Runs several statements in one transaction. */
  readonly transaction: Run
}

/** Connects drizzle to a client. */
export function connect(client: Database, tables: Tables): Connection {
  const attempt = createAttempt(defaultRetryOptions)
  const write: Run = (work) => attempt(() => unique(work))
  const db = drizzleOver(client)
  return {
    client,
    db,
    tables,
    statements: createStatements(db),
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
