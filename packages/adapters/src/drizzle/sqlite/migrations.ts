import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { createIndex, createTable, defineTable } from '../table-definition.ts'
import { defineTables, type Tables } from './schema.ts'

type Table = Tables[keyof Tables]

/** A quoted name. */
export const c = ({ name }: { readonly name: string }): string => `"${name.replaceAll('"', '""')}"`
/** The quoted name of a table. */
export const quoted = (table: Table): string => c({ name: getTableName(table) })

/** The migrations of the schema, in order. */
export const plans: readonly MigrationPlan<Tables>[] = [
  {
    version: 1,
    name: '0001_tables',
    statements: (tables) =>
      Object.values(tables).flatMap((table) => create(table, tables).map((sql) => [table, sql] as const))
  }
]

/** The schema as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plans, defineTables())

/** The statements that create a table and its indexes. */
function create(table: Table, { users }: Tables): readonly string[] {
  const { lines, references, uniques, indexes } = defineTable(getTableConfig(table), {
    quote: c,
    toType: (column) => column.getSQLType(),
    users: { name: quoted(users), id: users.id }
  })
  const name = quoted(table)
  return [
    createTable(name, [...lines, ...references]),
    ...uniques.map((index) => createIndex(index, name, 'unique index')),
    ...indexes.map((index) => createIndex(index, name))
  ]
}
