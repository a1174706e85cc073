import type { InferSelectModel } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { OwnColumns, UserRow } from '../../user-columns.ts'
import type { ServerAdapter } from '../adapter-type.ts'
import { createServerAdapter } from '../server-adapter.ts'
import type { SchemaOptions, TableOf } from '../table-options.ts'
import { accountMethods } from './accounts.ts'
import { checkMysql } from './check.ts'
import { openClient } from './client.ts'
import { type Access, type Connection, connect, within } from './connection.ts'
import { expiredMethods } from './expired.ts'
import { leaseMethods } from './leases.ts'
import { revocationMethods } from './revocations.ts'
import { defineTables } from './schema.ts'
import { sessionMethods } from './sessions.ts'
import type { MysqlSource } from './source.ts'
import { userConditions } from './user-conditions.ts'
import { userIdMethods } from './user-ids.ts'
import { userVersionMethods } from './user-versions.ts'
import { deletionMethods, userMethods } from './users.ts'

/** A users table with the fields of Auth.js' Drizzle adapter, and possibly others. */
export type MysqlUsers = TableOf<MySqlTable, MySqlColumn, UserRow>

/** The options of `mysqlAdapter`. */
export type MysqlOptions<Users extends MysqlUsers = MysqlUsers> = MysqlSource &
  SchemaOptions<MySqlTable, MySqlColumn, Users>

/**
 * Creates an adapter for MySQL 8 and MariaDB 10.6 or later, with mysql2.
 *
 * With `url` the adapter opens a pool, and `close` closes it. With `pool`, or `db` over a pool, the application owns
 * the connections.
 *
 * Strings are compared byte for byte, whatever the collation of the tables. Deadlocks are retried. After a lost
 * connection, idempotent statements are repeated, and the outcome of all others is looked up. An existing key throws a
 * `DuplicateError`, any other failure a `DatabaseError`.
 *
 * @throws ConfigError with every problem in the options.
 */
export function mysqlAdapter(options: MysqlOptions<never>): ServerAdapter<UserRow>
/**
 * The same with the types of the own columns that a users table given by name has: `mysqlAdapter<{ role: string }>(…)`. They are
 * declared, not checked.
 */
export function mysqlAdapter<Own extends OwnColumns>(options: MysqlOptions<never>): ServerAdapter<Own & UserRow>
/** The same with a users table of the application: the rows include its columns. */
export function mysqlAdapter<Users extends MysqlUsers>(
  options: MysqlOptions<Users>
): ServerAdapter<Omit<InferSelectModel<Users>, 'id'> & UserRow>
export function mysqlAdapter(options: MysqlOptions): ServerAdapter<UserRow> {
  return createServerAdapter(options, {
    check: checkMysql,
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
