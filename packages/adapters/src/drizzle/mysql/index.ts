export { AmbiguousAddressError } from '../../ambiguous-address-error.ts'
export { DatabaseError } from '../../database-error.ts'
export { DuplicateError } from '../../duplicate-error.ts'
export type { ServerAdapter } from '../adapter-type.ts'
export type { CreatedTables } from '../create-tables.ts'
export type { Migration } from '../migration.ts'
export type { ColumnNames } from '../table-options.ts'
export { type MysqlOptions, type MysqlUsers, mysqlAdapter } from './adapter.ts'
export { createTables } from './create-tables.ts'
export { mariadbMigrations, migrations } from './migrations.ts'
export {
  accounts,
  posternAccounts,
  posternEvents,
  posternFactors,
  posternLocks,
  posternRevocations,
  posternSessions,
  posternTickets,
  posternUsers,
  sessions,
  users,
  verificationTokens
} from './schema.ts'
export type { MysqlConnection, MysqlOver, MysqlPool, MysqlPooled, MysqlSource, MysqlUrl } from './source.ts'
