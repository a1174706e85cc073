import { type Column, getTableColumns, type Table } from 'drizzle-orm'

/** The fields that contain the id of a user, and drizzle's types of their values. */
const idFields: readonly string[] = ['id', 'userId']
const idTypes: readonly string[] = ['string', 'number', 'bigint', 'custom']

/** Whether a field of an application's table contains ids, and has a type that ids may have. */
export const isIdColumn = (field: string, dataType: string): boolean =>
  idFields.includes(field) && idTypes.includes(dataType)

const columnsSymbol = Symbol.for('drizzle:Columns')

/**
 * The same column with ids as text: the database converts them to its type. A `customType` converts its own, and only what it
 * returns becomes text.
 */
function toTextColumn(column: Column): Column {
  const text: Column = Object.create(column)
  if (column.dataType === 'custom')
    return Object.assign(text, { mapFromDriverValue: (value: unknown) => String(column.mapFromDriverValue(value)) })
  return Object.assign(text, { mapFromDriverValue: String, mapToDriverValue: (id: unknown) => id })
}

/** Returns a table of the application whose ids are text for the adapter; the application's own table stays as it is. */
export function withTextIds<T extends Table>(table: T): T {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const others = Object.entries(columns).filter(
    ([field, { dataType }]) => isIdColumn(field, dataType) && dataType !== 'string'
  )
  if (others.length === 0) return table
  const texts = Object.fromEntries(others.map(([field, column]) => [field, toTextColumn(column)]))
  const copy: T = Object.create(table)
  return Object.assign(copy, texts, { [columnsSymbol]: { ...columns, ...texts } })
}
