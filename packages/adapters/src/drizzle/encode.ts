import { type Column, getTableColumns, type Table } from 'drizzle-orm'

/** Makes a function that gives the values of a row as the driver takes them, for statements with named parameters. */
export function createEncode(table: Table): (row: object) => Record<string, unknown> {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  return (row) => {
    const values: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(row))
      values[field] = value === null ? null : (columns[field]?.mapToDriverValue(value) ?? value)
    return values
  }
}
