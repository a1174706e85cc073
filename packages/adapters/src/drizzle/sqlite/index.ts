export { AmbiguousAddressError } from '../../ambiguous-address-error.ts'
export { DuplicateError } from '../../duplicate-error.ts'
export type { SqlAdapter } from '../adapter-type.ts'
export type { CreatedTables } from '../create-tables.ts'
export type { Migration } from '../migration.ts'
export type { ColumnNames } from '../table-options.ts'
export { type SqliteOptions, type SqliteUsers, sqliteAdapter } from './adapter.ts'
export { createTables } from './create-tables.ts'
export { migrations } from './migrations.ts'
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
export type { SqliteClient, SqliteDatabase, SqliteFile, SqliteSource } from './source.ts'
