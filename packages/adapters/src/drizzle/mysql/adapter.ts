import type { InferSelectModel } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { UserRow } from '../../rows.ts'
import type { ServerAdapter } from '../adapter-type.ts'
import { createServerAdapter } from '../server-adapter.ts'
import type { SchemaOptions, TableOf } from '../table-options.ts'
import { accountMethods } from './accounts.ts'
import { checkMysql } from './check.ts'
import { openClient } from './client.ts'
import { connect, within } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { recordMethods } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables } from './schema.ts'
import { sessionMethods } from './sessions.ts'
import type { MysqlSource } from './source.ts'
import { userMethods } from './users.ts'
import { verificationTokenMethods } from './verification-tokens.ts'

/** A table of users with the fields of Auth.js' Drizzle adapter, and maybe more. */
export type MysqlUsers = TableOf<MySqlTable, MySqlColumn, UserRow>

/** What `mysqlAdapter` takes. */
export type MysqlOptions<Users extends MysqlUsers = MysqlUsers> = MysqlSource &
  SchemaOptions<MySqlTable, MySqlColumn, Users>

/**
 * Keeps everything in MySQL 8 or MariaDB from 10.6 on, through mysql2.
 *
 * With `url` the adapter opens a pool, and `close` closes it. With `pool`, or `db` over one, the connections stay the
 * application's.
 *
 * Texts are told apart to the byte, whatever the collation of the tables is. Deadlocks are tried again; where a
 * connection breaks, what may run twice is run again, and what became of anything else is looked up. A key that is
 * there already is a `DuplicateError`, any other failure a `DatabaseError`.
 *
 * @throws ConfigError with every mistake in the options.
 */
export function mysqlAdapter(options: MysqlOptions<never>): ServerAdapter<UserRow>
/** The same over a table of users of the application's own: the rows have its columns, too. */
export function mysqlAdapter<Users extends MysqlUsers>(
  options: MysqlOptions<Users>
): ServerAdapter<InferSelectModel<Users> & UserRow>
export function mysqlAdapter(options: MysqlOptions): ServerAdapter<UserRow> {
  return createServerAdapter(options, {
    check: checkMysql,
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
