import { getTableConfig } from 'drizzle-orm/mysql-core'
import { type Migration, type MigrationPlan, toMigrations } from '../migration.ts'
import { createTable, defineTable, toConstraint } from '../table-definition.ts'
import { keys, options, type Server, toColumnType } from './column-types.ts'
import { defineTables, type Tables } from './schema.ts'

type Table = Tables[keyof Tables]

/** A quoted name. */
export const c = ({ name }: { readonly name: string }): string => `\`${name.replaceAll('`', '``')}\``

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
export function plansFor(server: Server, id: string = keys[server]): readonly MigrationPlan<Tables>[] {
  const statements: MigrationPlan<Tables>['statements'] = (tables) => {
    const users = { name: quoted(tables.users), id: tables.users.id }
    const toType = toColumnType(server, id)
    return Object.values(tables).map((table) => {
      const { lines, uniques, indexes, references } = defineTable(getTableConfig(table), { quote: c, toType, users })
      const own = indexes.map(({ name, columns }) => `index ${name} ${columns}`)
      // A foreign key uses the first index that begins with its column.
      const all = [...lines, ...uniques.map(toConstraint), ...own, ...references]
      return [table, createTable(quoted(table), all, ` ${options}`)]
    })
  }
  return [{ version: 1, name: '0001_tables', statements }]
}

/** The schema for MySQL as SQL, in order; for applications that run migrations themselves and pass `migrate: false`. */
export const migrations: readonly Migration[] = toMigrations(plansFor('mysql'), defineTables())

/**
 * The schema for MariaDB as SQL, in order; for applications that run migrations themselves and pass `migrate: false`.
 */
export const mariadbMigrations: readonly Migration[] = toMigrations(plansFor('mariadb'), defineTables())
