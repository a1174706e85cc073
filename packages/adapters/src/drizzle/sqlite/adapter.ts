import type { Database } from 'better-sqlite3'
import type { InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { CallMethods } from '../../calls.ts'
import type { UserRow } from '../../rows.ts'
import type { SqlAdapter } from '../adapter-type.ts'
import { isGiven } from '../has-option.ts'
import { resolveTables, type SchemaOptions, type TableOf } from '../table-options.ts'
import { accountMethods, accountOperations } from './accounts.ts'
import { batchMethods } from './batches.ts'
import { attemptAtStart } from './driver-errors.ts'
import { checkSqlite } from './check.ts'
import { openClient, unwrapClient } from './client.ts'
import { connect } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { prepareSchema } from './prepare-schema.ts'
import { prepareRecordStatements, recordMethods } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables, type Tables } from './schema.ts'
import { createBeginnings } from './insert-session.ts'
import { sessionMethods, sessionOperations } from './sessions.ts'
import type { SqliteSource } from './source.ts'
import { userMethods, userOperations } from './users.ts'
import { verificationTokenMethods, verificationTokenOperations } from './verification-tokens.ts'

/** A table of users with the fields of Auth.js' Drizzle adapter, and maybe more. */
export type SqliteUsers = TableOf<SQLiteTable, SQLiteColumn, UserRow>

/** What `sqliteAdapter` takes. */
export type SqliteOptions<Users extends SqliteUsers = SqliteUsers> = SqliteSource &
  SchemaOptions<SQLiteTable, SQLiteColumn, Users>

/**
 * Keeps everything in SQLite, through better-sqlite3.
 *
 * With `file` the database is opened in WAL mode, and `close` closes it. With `db` the connection stays the
 * application's: its pragmas are left alone, and `close` leaves it open. It gets a temporary view, with a trigger that
 * writes a session and its record; `close` takes them away.
 *
 * While another process holds the database, writes are tried again for 5 s. A key that is there already is a
 * `DuplicateError`.
 *
 * @throws ConfigError with every mistake in the options, and Error where a table or a column is missing.
 */
export function sqliteAdapter(options: SqliteOptions<never>): SqlAdapter<UserRow>
/** The same over a table of users of the application's own: the rows have its columns, too. */
export function sqliteAdapter<Users extends SqliteUsers>(
  options: SqliteOptions<Users>
): SqlAdapter<InferSelectModel<Users> & UserRow>
export function sqliteAdapter(options: SqliteOptions): SqlAdapter<UserRow> {
  checkSqlite(options)
  const resolved = resolveTables(options, defineTables)
  const isOwn = isGiven(options, 'file')
  const client = isOwn ? attemptAtStart(() => openClient(options.file)) : unwrapClient(options.db)
  try {
    attemptAtStart(() => prepareSchema(client, { ...resolved, isMigrated: options.migrate ?? true }))
    return toAdapter(client, resolved.tables, isOwn)
  } catch (error) {
    if (isOwn) client.close()
    throw error
  }
}

function toAdapter(client: Database, tables: Tables, isOwn: boolean): SqlAdapter<UserRow> {
  const connection = connect(client, tables)
  const records = prepareRecordStatements(connection)
  const beginnings = createBeginnings(connection, records)
  const operations = {
    ...userOperations(connection),
    ...accountOperations(connection),
    ...sessionOperations(connection, records, beginnings),
    ...verificationTokenOperations(connection)
  } satisfies CallMethods
  return {
    ...userMethods(connection, operations, records),
    ...accountMethods(connection, operations),
    ...sessionMethods(connection, operations),
    ...verificationTokenMethods(connection, operations),
    ...recordMethods(connection, records),
    ...revocationMethods(connection),
    ...expiredMethods(connection),
    ...batchMethods(connection, operations),
    ...leaseMethods(connection),
    close: async () => {
      if (isOwn) client.close()
      else beginnings.forget()
    }
  }
}
