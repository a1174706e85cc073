export { AmbiguousAddressError } from '../../ambiguous-address-error.ts'
export { DatabaseError } from '../../database-error.ts'
export { DuplicateError } from '../../duplicate-error.ts'
export type { ServerAdapter } from '../adapter-type.ts'
export type { CreatedTables } from '../create-tables.ts'
export type { Migration } from '../migration.ts'
export type { ColumnNames } from '../table-options.ts'
export { type PostgresOptions, type PostgresUsers, postgresAdapter } from './adapter.ts'
export type {
  PostgresDrizzle,
  PostgresOver,
  PostgresPool,
  PostgresPooled,
  PostgresSource,
  PostgresUrl
} from './client.ts'
export { createTables } from './create-tables.ts'
export { migrations } from './migrations.ts'
export * from './tables.ts'
