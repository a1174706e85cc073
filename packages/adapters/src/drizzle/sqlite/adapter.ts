import type { Database } from 'better-sqlite3'
import type { InferSelectModel } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { authenticatorMethods } from '../../authenticators.ts'
import { type CallMethods, performEach } from '../../calls.ts'
import type { OwnColumns, UserRow } from '../../user-columns.ts'
import type { SqlAdapter } from '../adapter-type.ts'
import { describeNotes } from '../database-problems.ts'
import { hasOption } from '../has-option.ts'
import { type ResolvedTables, resolveTables, type SchemaOptions, type TableOf } from '../table-options.ts'
import { accountEvidenceMethods, accountEvidenceOperations } from './account-evidence.ts'
import { accountMethods, accountOperations } from './accounts.ts'
import { batchMethods } from './batches.ts'
import { checkSqlite } from './check.ts'
import { openClient, unwrapClient } from './client.ts'
import { type Connection, connect } from './connection.ts'
import { attemptAtStart } from './driver-errors.ts'
import { encryptedRowMethods } from './encrypted-rows.ts'
import { eventMethods, eventOperations } from './events.ts'
import { expiredMethods } from './expired.ts'
import { factorMethods, factorOperations } from './factors.ts'
import { createSessionInserter, type SessionInserter } from './insert-session.ts'
import { leaseMethods } from './leases.ts'
import { prepareSchema } from './prepare-schema.ts'
import { prepareRecordStatements, type RecordStatements, recordMethods, recordOperations } from './records.ts'
import { revocationMethods, revocationOperations } from './revocations.ts'
import { defineTables, type Tables } from './schema.ts'
import { sessionMethods, sessionOperations } from './sessions.ts'
import type { SqliteSource } from './source.ts'
import { ticketMethods, ticketOperations } from './tickets.ts'
import { userIdMethods } from './user-ids.ts'
import { userVersionMethods, userVersionOperations } from './user-versions.ts'
import { userMethods, userOperations } from './users.ts'
import { verificationTokenMethods, verificationTokenOperations } from './verification-tokens.ts'

/** A users table with the fields of Auth.js' Drizzle adapter, and possibly others. */
export type SqliteUsers = TableOf<SQLiteTable, SQLiteColumn, UserRow>

/** The options of `sqliteAdapter`. */
export type SqliteOptions<Users extends SqliteUsers = SqliteUsers> = SqliteSource &
  SchemaOptions<SQLiteTable, SQLiteColumn, Users>

/**
 * Creates an adapter for SQLite, with better-sqlite3.
 *
 * With `file` the database is opened in WAL mode, and `close` closes it. With `db` the application owns the connection:
 * its pragmas are not changed, and `close` leaves it open. The adapter adds a temporary view with a trigger that writes
 * a session and its record; `close` removes them.
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

/** Creates the synchronous operations, which a transaction may contain, and what finds the version of a user. */
function createOperations(connection: Connection, records: RecordStatements, beginnings: SessionInserter) {
  const { putAccountEvidence, ...evidence } = accountEvidenceOperations(connection)
  const { revoke, ...revocations } = revocationOperations(connection)
  const { find, ...versions } = userVersionOperations(connection, revocations)
  const operations = {
    ...userOperations(connection),
    ...accountOperations(connection, evidence),
    putAccountEvidence,
    ...ticketOperations(connection),
    ...recordOperations(records),
    revoke,
    ...versions,
    ...factorOperations(connection),
    ...eventOperations(connection),
    ...sessionOperations(connection, records, beginnings),
    ...verificationTokenOperations(connection)
  } satisfies CallMethods
  return { find, operations }
}

/** The operations of several statements. */
const transactions = new Set(['unlinkAccount', 'deleteSession', 'deleteSessions', 'addEvents', 'advanceUser'])

function toAdapter(client: Database, { tables, notes }: ResolvedTables<Tables>, isOwn: boolean): SqlAdapter<UserRow> {
  const connection = connect(client, tables)
  const records = prepareRecordStatements(connection)
  const beginnings = createSessionInserter(connection, records)
  const { find, operations } = createOperations(connection, records, beginnings)
  const ids = userIdMethods(connection, notes)
  const users = userMethods(connection, { ...operations, ...ids }, records)
  const accounts = accountMethods(connection, { ...operations, ...ids })
  const factors = factorMethods(connection)
  const { write, transaction } = connection
  const calls = performEach(operations, (perform, name) =>
    transactions.has(name) ? transaction(perform) : write(perform)
  )
  return {
    ...calls,
    ...users,
    ...ids,
    findProblems: async () => [...(await users.findProblems()), ...describeNotes(notes)],
    ...accounts,
    ...sessionMethods(connection),
    ...verificationTokenMethods(connection),
    ...recordMethods(connection),
    ...revocationMethods(connection),
    ...userVersionMethods(connection, { find }),
    ...accountEvidenceMethods(connection),
    ...ticketMethods(connection),
    ...factors,
    ...authenticatorMethods({ ...calls, ...users, ...accounts, ...factors }),
    ...eventMethods(connection),
    ...encryptedRowMethods(connection),
    ...expiredMethods(connection),
    ...batchMethods(connection, operations),
    ...leaseMethods(connection),
    close: async () => {
      if (isOwn) client.close()
      else beginnings.forget()
    }
  }
}
