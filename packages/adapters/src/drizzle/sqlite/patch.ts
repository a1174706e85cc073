import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { createEncode } from '../encode.ts'
import { placeholder } from '../placeholder.ts'

/** An update of some columns of a row, with one statement that is compiled once for all combinations of columns. */
export interface Patch<Field extends string> {
  /** The statement sets each column to its value if there is one, otherwise to its current value. */
  readonly set: Readonly<Record<Field, SQL>>
  /** The parameters of `set`, from a row that may lack columns. */
  readonly bind: (row: { readonly [F in Field]?: unknown }) => Record<string, unknown>
}

/** Creates an update of any of these columns. */
export function createPatch<Field extends string>(table: Table, fields: readonly Field[]): Patch<Field> {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const encode = createEncode(table)
  const isSet = (field: string): string => `is set: ${field}`
  const flags = fields.map((field) => [field, isSet(field)] as const)
  const setters = fields.map((field) => [
    field,
    sql`case when ${placeholder(isSet(field))} then ${placeholder(field)} else ${columns[field]} end`
  ])
  return {
    set: Object.fromEntries(setters),
    bind: (row) => {
      const values: Record<string, unknown> = {}
      for (const field of fields) values[field] = row[field] ?? null
      const parameters = encode(values)
      for (const [field, flag] of flags) parameters[flag] = row[field] === undefined ? 0 : 1
      return parameters
    }
  }
}
