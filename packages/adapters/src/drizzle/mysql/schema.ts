import { randomUUID } from 'node:crypto'
import type { AccountType } from '@postern/core'
import {
  bigint,
  datetime,
  index,
  int,
  type MySqlColumn,
  mysqlTable,
  primaryKey,
  text,
  varchar
} from 'drizzle-orm/mysql-core'
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

/** The maximum length of a key in characters: an InnoDB index can contain two of them. */
const length = 255
/** The maximum length of a provider's session id: the space that an index has left next to a key. */
const sessionIdLength = 500
/** The maximum length of a revocation's subject: a key with its prefix. */
const subjectLength = 300

/** The columns by what they hold. */
const createBuilders = (getUserId: () => MySqlColumn) => ({
  userId: (name: string) => varchar(name, { length }).primaryKey().$defaultFn(randomUUID),
  id: (name: string) => varchar(name, { length }).primaryKey(),
  reference: (name: string) => varchar(name, { length }).notNull().references(getUserId, { onDelete: 'cascade' }),
  key: (name: string) => varchar(name, { length }).notNull(),
  nullableKey: (name: string) => varchar(name, { length }),
  uniqueText: (name: string) => varchar(name, { length }).unique(),
  uniqueToken: (name: string) => varchar(name, { length }).unique('postern_record_sessionToken'),
  accountType: (name: string) => varchar(name, { length }).$type<AccountType>().notNull(),
  subject: (name: string) => varchar(name, { length: subjectLength }).primaryKey(),
  providerSessionId: (name: string) => varchar(name, { length: sessionIdLength }),
  text: (name: string) => text(name).notNull(),
  nullableText: (name: string) => text(name),
  instant: (name: string) => datetime(name, { mode: 'date', fsp: 3 }).notNull(),
  nullableInstant: (name: string) => datetime(name, { mode: 'date', fsp: 3 }),
  count: (name: string) => int(name).notNull(),
  number: (name: string) => bigint(name, { mode: 'number' }).notNull(),
  nullableNumber: (name: string) => bigint(name, { mode: 'number' })
})

/** Defines a table. @param getUserId - Returns the column that accounts and sessions refer to. */
function define<Name extends string, Columns extends ColumnKinds>(
  table: TableColumns<string, Columns>,
  { name, names }: TableNaming<Name>,
  getUserId: () => MySqlColumn
) {
  return mysqlTable(name, buildColumns(table.columns, createBuilders(getUserId), names), (columns) => {
    const { primaryKeys, indexes } = findKeys<MySqlColumn>(table, name, columns)
    return [
      ...primaryKeys.map((columns) => primaryKey({ columns })),
      ...indexes.map(({ name, columns }) => index(name).on(...columns))
    ]
  })
}

type OtherTables = { [Key in OtherTable]: ReturnType<typeof define<TableName<Key>, ColumnsOf<Key>>> }

/** Defines the tables beside the users table. */
export function defineOtherTables({ id }: { readonly id: MySqlColumn }, naming: Naming): OtherTables {
  // The foreign key uses the first index that begins with `userId`. If that index also contained `expires`, each extension of a
  // session would lock the row of its user.
  return defineEach(naming, (table, naming, key) =>
    define(
      key === 'sessions' ? { ...table, indexes: { userId: ['userId'], ...table.indexes } } : table,
      naming,
      () => id
    )
  )
}

/** The tables of Auth.js' Drizzle adapter, and Postern's own. */
export type Tables = ReturnType<typeof defineTables>

/** Defines the tables, with the names of the options. */
export function defineTables(naming: Naming = {}) {
  const users = define(tableColumns.users, nameTable('users', naming), (): MySqlColumn => users.id)
  return { users, ...defineOtherTables(users, naming) }
}
