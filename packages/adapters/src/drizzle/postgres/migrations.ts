import { getTableConfig } from 'drizzle-orm/pg-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { createIndex, createTable, defineTable, toConstraint } from '../table-definition.ts'
import { madeAt } from './find-table.ts'
import { defineTables, type Tables } from './schema.ts'

type Table = Tables[keyof Tables]

/** The quoted name of a column. */
export const c = ({ name }: { readonly name: string }): string => `"${name.replaceAll('"', '""')}"`

/** The quoted name of a table, with its schema if it has one. */
export function quoted(table: Table): string {
  const { schema, name } = getTableConfig(table)
  return schema === undefined ? c({ name }) : `${c({ name: schema })}.${c({ name })}`
}

/**
 * The migrations of the schema, in order.
 *
 * @param id - The type of user ids; an existing users table may have another type.
 */
export function plansFor(id: string = 'text'): readonly MigrationPlan<Tables>[] {
  const statements: MigrationPlan<Tables>['statements'] = (tables) =>
    Object.values(tables).map((table) => [table, nonPartial(table, create(table, tables, id))])
  return [{ version: 1, name: '0001_tables', statements }]
}

/** The schema as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plansFor(), defineTables())

/** The statements that create a table and its indexes. */
function create(table: Table, { users }: Tables, id: string): readonly string[] {
  const { lines, references, uniques, indexes } = defineTable(getTableConfig(table), {
    quote: c,
    toType: (column, isReference) => (isReference ? id : column.getSQLType()),
    users: { name: quoted(users), id: users.id }
  })
  const name = quoted(table)
  return [
    createTable(name, [...lines, ...uniques.map(toConstraint), ...references]),
    ...indexes.map((index) => createIndex(index, name))
  ]
}

/** Creates a table with its indexes, unless it exists. Only the statements detect a concurrent creation. */
function nonPartial(table: Table, statements: readonly string[]): string {
  const made = statements.map((statement) => `${statement};\n`).join('')
  return `do $$ begin if ${madeAt(quoted(table), getTableConfig(table))} is null then\n${made}end if; end $$`
}
