import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  buildColumns,
  type ColumnKinds,
  type ColumnsOf,
  defineEach,
  findKeys,
  nameTable,
  type OtherTable,
  type TableColumns,
  type TableName,
  type TableNaming,
  tableColumns
} from '../table-columns.ts'
import type { Naming } from '../table-options.ts'

/** The columns by what they hold. */
const createBuilders = (getUserId: () => SQLiteColumn) => ({
  userId: (name: string) => text(name).primaryKey().$defaultFn(randomUUID),
  id: (name: string) => text(name).primaryKey(),
  reference: (name: string) => text(name).notNull().references(getUserId, { onDelete: 'cascade' }),
  key: (name: string) => text(name).notNull(),
  nullableKey: (name: string) => text(name),
  uniqueText: (name: string) => text(name).unique(),
  uniqueToken: (name: string) => text(name).unique('postern_record_sessionToken'),
  accountType: (name: string) => text(name).$type<AccountType>().notNull(),
  subject: (name: string) => text(name).primaryKey(),
  providerSessionId: (name: string) => text(name),
  text: (name: string) => text(name).notNull(),
  nullableText: (name: string) => text(name),
  instant: (name: string) => integer(name, { mode: 'timestamp_ms' }).notNull(),
  nullableInstant: (name: string) => integer(name, { mode: 'timestamp_ms' }),
  count: (name: string) => integer(name).notNull(),
  number: (name: string) => integer(name).notNull(),
  nullableNumber: (name: string) => integer(name)
})

/** Defines a table. @param getUserId - Returns the column that accounts and sessions refer to. */
function define<Name extends string, Columns extends ColumnKinds>(
  table: TableColumns<string, Columns>,
  { name, names }: TableNaming<Name>,
  getUserId: () => SQLiteColumn
) {
  return sqliteTable(name, buildColumns(table.columns, createBuilders(getUserId), names), (columns) => {
    const { primaryKeys, indexes } = findKeys<SQLiteColumn>(table, name, columns)
    return [
      ...primaryKeys.map((columns) => primaryKey({ columns })),
      ...indexes.map(({ name, columns, where }) => {
        const built = index(name).on(...columns)
        return where ? built.where(where) : built
      })
    ]
  })
}

type OtherTables = { [Key in OtherTable]: ReturnType<typeof define<TableName<Key>, ColumnsOf<Key>>> }

/** Defines the tables beside the users table. */
export function defineOtherTables({ id }: { readonly id: SQLiteColumn }, naming: Naming): OtherTables {
  return defineEach(naming, (table, naming, key) =>
    define(key === 'posternLocks' ? { ...table, indexes: { until: ['until'] } } : table, naming, () => id)
  )
}

/** The tables of Auth.js' Drizzle adapter, and Postern's own. */
export type Tables = ReturnType<typeof defineTables>

/** Defines the tables, with the names of the options. */
export function defineTables(naming: Naming = {}) {
  const users = define(tableColumns.users, nameTable('users', naming), (): SQLiteColumn => users.id)
  return { users, ...defineOtherTables(users, naming) }
}
