import type { InferSelectModel } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { UserRow } from '../../rows.ts'
import type { ServerAdapter } from '../adapter-type.ts'
import { createServerAdapter } from '../server-adapter.ts'
import type { SchemaOptions, TableOf } from '../table-options.ts'
import { accountMethods } from './accounts.ts'
import { checkPostgres } from './check.ts'
import { openClient, type PostgresSource } from './client.ts'
import { connect, within } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { recordMethods } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables } from './schema.ts'
import { sessionMethods } from './sessions.ts'
import { userMethods } from './users.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/** A table of users with the fields of Auth.js' Drizzle adapter, and maybe more. */
export type PostgresUsers = TableOf<PgTable, PgColumn, UserRow>

/** What `postgresAdapter` takes. */
export type PostgresOptions<Users extends PostgresUsers = PostgresUsers> = PostgresSource &
  SchemaOptions<PgTable, PgColumn, Users>

/**
 * Keeps everything in PostgreSQL.
 *
 * With `url` the adapter opens a pool of node-postgres, and `close` closes it. With `pool` or `db`, which may be
 * drizzle over any driver, the connections stay the application's.
 *
 * Every method is one statement, but for `atomically` and `deleteExpired`. Deadlocks and serialization failures are
 * tried again; where a connection breaks, what may run twice is run again, and what became of anything else is looked
 * up. A key that is there already is a `DuplicateError`, any other failure a `DatabaseError`.
 *
 * @throws ConfigError with every mistake in the options.
 */
export function postgresAdapter(options: PostgresOptions<never>): ServerAdapter<UserRow>
/** The same over a table of users of the application's own: the rows have its columns, too. */
export function postgresAdapter<Users extends PostgresUsers>(
  options: PostgresOptions<Users>
): ServerAdapter<InferSelectModel<Users> & UserRow>
export function postgresAdapter(options: PostgresOptions): ServerAdapter<UserRow> {
  return createServerAdapter(options, {
    check: checkPostgres,
    defineTables,
    openClient,
    connect,
    within,
    userMethods,
    accountMethods,
    sessionMethods,
    verificationTokenMethods,
    leaseMethods,
    recordMethods,
    revocationMethods,
    expiredMethods
  })
}
