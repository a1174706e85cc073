import type { InferSelectModel } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { UserRow } from '../../rows.ts'
import type { ServerAdapter } from '../adapter-type.ts'
import { serverMethods } from '../server-methods.ts'
import { resolveTables, type SchemaOptions, type TableOf } from '../tables.ts'
import { accountMethods } from './accounts.ts'
import { checkMysql } from './check.ts'
import { type MysqlSource, openClient } from './client.ts'
import { type Connection, connect, within } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { recordMethods } from './records.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables } from './schema.ts'
import { sessionMethods } from './sessions.ts'
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
  checkMysql(options)
  const resolved = resolveTables(options, defineTables)
  const client = openClient(options)
  const connection = connect(client, resolved, options.migrate ?? true)
  const methods = standardMethods(connection)
  return {
    ...methods,
    ...leaseMethods(connection),
    ...recordMethods(connection),
    ...revocationMethods(connection),
    ...expiredMethods(connection),
    ...serverMethods(client, {
      ...connection,
      methodsOn: (db) => standardMethods(within(connection, db)),
      lookUps: methods
    })
  }
}

function standardMethods(connection: Connection) {
  return {
    ...userMethods(connection),
    ...accountMethods(connection),
    ...sessionMethods(connection),
    ...verificationTokenMethods(connection)
  }
}
