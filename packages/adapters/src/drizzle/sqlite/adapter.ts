import type { Database } from 'better-sqlite3'
import type { InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { authenticatorMethods } from '../../authenticators.ts'
import { performEach } from '../../calls.ts'
import type { OwnColumns, UserRow } from '../../user-columns.ts'
import type { SqlAdapter } from '../adapter-type.ts'
import { describeNotes } from '../database-problems.ts'
import { hasOption } from '../has-option.ts'
import { encryptedRowMethods } from '../operations/encrypted-rows.ts'
import { createOperations, createQueries } from '../operations/operations.ts'
import { userLookUpMethods } from '../operations/user-look-ups.ts'
import { type ResolvedTables, resolveTables, type SchemaOptions, type TableOf } from '../table-options.ts'
import { accountMethods, accountOperations } from './accounts.ts'
import { batchMethods } from './batches.ts'
import { checkSqlite } from './check.ts'
import { openClient, unwrapClient } from './client.ts'
import { connect } from './connection.ts'
import { attemptAtStart } from './driver-errors.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { prepareSchema } from './prepare-schema.ts'
import { revocationOperations } from './revocations.ts'
import { defineTables, type Tables } from './schema.ts'
import { sessionMethods, sessionOperations } from './sessions.ts'
import type { SqliteSource } from './source.ts'
import { ticketMethods } from './tickets.ts'
import { userConditions } from './user-conditions.ts'
import { userIdMethods } from './user-ids.ts'
import { userVersionOperations } from './user-versions.ts'
import { userMethods, userOperations } from './users.ts'

/** A users table with the fields of Auth.js' Drizzle adapter, and possibly others. */
export type SqliteUsers = TableOf<SQLiteTable, SQLiteColumn, UserRow>

/** The options of `sqliteAdapter`. */
export type SqliteOptions<Users extends SqliteUsers = SqliteUsers> = SqliteSource &
  SchemaOptions<SQLiteTable, SQLiteColumn, Users>

/**
 * Creates an adapter for SQLite, with better-sqlite3.
 *
 * With `file` the database is opened in WAL mode, and `close` closes it. With `db` the application owns the connection:
 * its pragmas are not changed, and `close` leaves it open.
 *
 * While another process holds the database, writes are retried for 5 s. An existing key throws a `DuplicateError`.
 *
 * @throws ConfigError with every problem in the options, and Error if a table or a column is missing.
 */
export function sqliteAdapter(options: SqliteOptions<never>): SqlAdapter<UserRow>
/**
 * The same with the types of the own columns that a users table given by name has: `sqliteAdapter<{ role: string }>(…)`. They are
 * declared, not checked.
 */
export function sqliteAdapter<Own extends OwnColumns>(options: SqliteOptions<never>): SqlAdapter<Own & UserRow>
/** The same with a users table of the application: the rows include its columns. */
export function sqliteAdapter<Users extends SqliteUsers>(
  options: SqliteOptions<Users>
): SqlAdapter<Omit<InferSelectModel<Users>, 'id'> & UserRow>
export function sqliteAdapter(options: SqliteOptions): SqlAdapter<UserRow> {
  checkSqlite(options)
  const resolved = resolveTables(options, defineTables)
  const isOwn = hasOption(options, 'file')
  const client = isOwn ? attemptAtStart(() => openClient(options.file)) : unwrapClient(options.db)
  try {
    attemptAtStart(() => prepareSchema(client, { ...resolved, isMigrated: options.migrate ?? true }))
    return toAdapter(client, resolved, isOwn)
  } catch (error) {
    if (isOwn) client.close()
    throw error
  }
}

/** The operations of several statements. */
const transactions = new Set([
  'deleteUser',
  'unlinkAccount',
  'createSession',
  'deleteSession',
  'deleteSessions',
  'addEvents',
  'advanceUser'
])

function toAdapter(client: Database, { tables, notes }: ResolvedTables<Tables>, isOwn: boolean): SqlAdapter<UserRow> {
  const connection = connect(client, tables)
  const { read, write, transaction } = connection
  const [queries, shared] = [createQueries(connection), createOperations(connection)]
  const revocations = revocationOperations(connection)
  const operations = {
    ...shared,
    ...userOperations(connection),
    ...accountOperations(connection),
    ...sessionOperations(connection, shared),
    ...revocations,
    ...userVersionOperations(connection, revocations)
  }
  const ids = userIdMethods(connection, notes)
  const methods = {
    ...performEach(queries, read),
    ...performEach(operations, (perform, name) => (transactions.has(name) ? transaction(perform) : write(perform))),
    ...userLookUpMethods(connection, userConditions(connection), read),
    ...userMethods(connection, { ...operations, ...ids }),
    ...accountMethods(connection, { ...operations, ...ids })
  }
  return {
    ...methods,
    ...ids,
    findProblems: async () => [...(await methods.findProblems()), ...describeNotes(notes)],
    ...sessionMethods(connection),
    ...ticketMethods(connection, queries),
    ...authenticatorMethods(methods),
    ...encryptedRowMethods(connection, read, write),
    ...expiredMethods(connection, notes),
    ...batchMethods(connection, operations),
    ...leaseMethods(connection),
    close: async () => {
      if (isOwn) client.close()
    }
  }
}
