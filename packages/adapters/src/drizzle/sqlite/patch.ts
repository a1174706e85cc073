import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { createEncode } from '../encode.ts'
import { named } from '../named.ts'

/** A change of some columns of a row, as one statement that is compiled once, whichever columns they are. */
export interface Patch<Field extends string> {
  /** What the statement sets: each column to its value where there is one, else to what it is. */
  readonly set: Readonly<Record<Field, SQL>>
  /** The parameters that `set` has, of a row that need not have all the columns. */
  readonly bind: (row: { readonly [F in Field]?: unknown }) => Record<string, unknown>
}

/** Makes a change of any of these columns. */
export function createPatch<Field extends string>(table: Table, fields: readonly Field[]): Patch<Field> {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const encode = createEncode(table)
  const isSet = (field: string): string => `is set: ${field}`
  const flags = fields.map((field) => [field, isSet(field)] as const)
  const setters = fields.map((field) => [
    field,
    sql`case when ${named(isSet(field))} then ${named(field)} else ${columns[field]} end`
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
