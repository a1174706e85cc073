import type { Column, SQL } from 'drizzle-orm'
import { isObject } from '../is-object.ts'

/** What drizzle knows about a table of any dialect. */
interface TableConfig {
  readonly columns: readonly Column[]
  readonly primaryKeys: readonly { readonly columns: readonly Column[] }[]
  readonly indexes: readonly {
    readonly config: {
      readonly name?: string | undefined
      readonly columns: readonly unknown[]
      readonly where?: SQL | undefined
    }
  }[]
  readonly foreignKeys: readonly { readonly reference: () => { readonly columns: readonly Column[] } }[]
}

/** Something with a name in the database. */
interface Named {
  readonly name: string
}

/** The names and types of a dialect. */
interface Dialect {
  readonly quote: (named: Named) => string
  /** The type of a column. @param isReference - Whether it refers to the id of a user. */
  readonly toType: (column: Column, isReference: boolean) => string
  /** The users table: its name, and that of its id. */
  readonly users: { readonly name: string; readonly id: Named }
}

/** The parts of the SQL that creates a table. */
interface TableDefinition {
  /** The columns, and the primary key of several columns. */
  readonly lines: readonly string[]
  /** The foreign keys. */
  readonly references: readonly string[]
  readonly uniques: readonly IndexDefinition[]
  readonly indexes: readonly IndexDefinition[]
}

/** A quoted name, and the quoted columns in parentheses. */
interface IndexDefinition {
  readonly name: string
  readonly columns: string
  /** The condition of the rows that an index has; empty if it has all. */
  readonly where: string
}

const isNamed = (value: unknown): value is Named => isObject(value) && typeof value.name === 'string'

/** Writes the definition of a table as SQL, from its drizzle table. */
export function defineTable(config: TableConfig, { quote, toType, users }: Dialect): TableDefinition {
  const list = (columns: readonly unknown[]): string => `(${columns.filter(isNamed).map(quote).join(', ')})`
  const references = config.foreignKeys.map((key) => key.reference().columns)
  const columns = config.columns.map((column) => {
    const type = toType(column, references.flat().includes(column))
    return `${quote(column)} ${type}${column.primary ? ' primary key' : ''}${column.notNull ? ' not null' : ''}`
  })
  const uniques = config.columns.filter(({ isUnique }) => isUnique)
  const nullable = config.columns.filter(({ notNull }) => !notNull).map(({ name }) => name)
  /** The condition of an index, which is always that of `findKeys`. */
  const skipNull = (columns: readonly unknown[]): string => {
    const conditions = columns.filter(isNamed).filter(({ name }) => nullable.includes(name))
    return ` where ${conditions.map((column) => `${quote(column)} is not null`).join(' and ')}`
  }
  return {
    lines: [...columns, ...config.primaryKeys.map((key) => `primary key ${list(key.columns)}`)],
    references: references.map(
      (key) => `foreign key ${list(key)} references ${users.name} ${list([users.id])} on delete cascade`
    ),
    uniques: uniques.map((column) => ({
      name: quote({ name: column.uniqueName ?? '' }),
      columns: list([column]),
      where: ''
    })),
    indexes: config.indexes.map(({ config: { name = '', columns, where } }) => ({
      name: quote({ name }),
      columns: list(columns),
      where: where ? skipNull(columns) : ''
    }))
  }
}

/** The statement that creates a table. @param lines - The lines of its definition. */
export const createTable = (name: string, lines: readonly string[], options: string = ''): string =>
  `create table if not exists ${name} (\n  ${lines.join(',\n  ')}\n)${options}`

/** A line of a table's definition that makes columns unique. */
export const toConstraint = ({ name, columns }: IndexDefinition): string => `constraint ${name} unique ${columns}`

/** The statement that creates an index. @param table - The quoted name of its table. */
export const createIndex = ({ name, columns, where }: IndexDefinition, table: string, kind: string = 'index'): string =>
  `create ${kind} if not exists ${name} on ${table} ${columns}${where}`
