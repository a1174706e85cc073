import type { InferSelectModel } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { OwnColumns, UserRow } from '../../user-columns.ts'
import type { ServerAdapter } from '../adapter-type.ts'
import { createServerAdapter } from '../server-adapter.ts'
import type { SchemaOptions, TableOf } from '../table-options.ts'
import { accountMethods } from './accounts.ts'
import { checkPostgres } from './check.ts'
import { openClient, type PostgresSource } from './client.ts'
import { type Access, type Connection, connect, within } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables } from './schema.ts'
import { sessionMethods } from './sessions.ts'
import { userConditions } from './user-conditions.ts'
import { userIdMethods } from './user-ids.ts'
import { userVersionMethods } from './user-versions.ts'
import { deletionMethods, userMethods } from './users.ts'

/** A users table with the fields of Auth.js' Drizzle adapter, and possibly others. */
export type PostgresUsers = TableOf<PgTable, PgColumn, UserRow>

/** The options of `postgresAdapter`. */
export type PostgresOptions<Users extends PostgresUsers = PostgresUsers> = PostgresSource &
  SchemaOptions<PgTable, PgColumn, Users>

/**
 * Creates an adapter for PostgreSQL.
 *
 * With `url` the adapter opens a pool of node-postgres, and `close` closes it. With `pool` or `db`, which may be
 * drizzle over any driver, the application owns the connections.
 *
 * Every method except `transact` and `deleteExpired` is one statement. Deadlocks and serialization failures are
 * retried. After a lost connection, idempotent statements are repeated, and the outcome of all others is looked up. An
 * existing key throws a `DuplicateError`, any other failure a `DatabaseError`.
 *
 * @throws ConfigError with every problem in the options.
 */
export function postgresAdapter(options: PostgresOptions<never>): ServerAdapter<UserRow>
/**
 * The same with the types of the own columns that a users table given by name has: `postgresAdapter<{ role: string }>(…)`. They are
 * declared, not checked.
 */
export function postgresAdapter<Own extends OwnColumns>(options: PostgresOptions<never>): ServerAdapter<Own & UserRow>
/** The same with a users table of the application: the rows include its columns. */
export function postgresAdapter<Users extends PostgresUsers>(
  options: PostgresOptions<Users>
): ServerAdapter<Omit<InferSelectModel<Users>, 'id'> & UserRow>
export function postgresAdapter(options: PostgresOptions): ServerAdapter<UserRow> {
  return createServerAdapter(options, {
    check: checkPostgres,
    defineTables,
    openClient,
    connect,
    within,
    userConditions,
    methods: (connection: Connection) => ({
      ...userMethods(connection),
      ...accountMethods(connection),
      ...sessionMethods(connection),
      ...revocationMethods(connection),
      ...userVersionMethods(connection)
    }),
    accessMethods: (access: Access) => ({
      ...userIdMethods(access),
      ...deletionMethods(access),
      ...leaseMethods(access),
      ...expiredMethods(access)
    })
  })
}
