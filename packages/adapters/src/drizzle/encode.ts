import { type Column, getTableColumns, type Table } from 'drizzle-orm'

/** Creates a function that converts a row to driver values, for statements with named parameters. */
export function createEncode(table: Table): (row: object) => Record<string, unknown> {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  return (row) => {
    const values: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(row))
      values[field] = value === null ? null : (columns[field]?.mapToDriverValue(value) ?? value)
    return values
  }
}
