import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { createEncode } from '../encode.ts'
import { placeholder } from '../placeholder.ts'
import { isUpdateGenerated } from './generated-columns.ts'

/** A statement that updates one row, and returns it. */
interface Update<Row> {
  all(parameters: Record<string, unknown>): Row[]
}

/**
 * Creates an update of those of the fields that are not `undefined`. Each combination of fields has a statement, which is compiled at its
 * first use: SQLite rewrites the indexes of every column that a statement sets, whether or not it changes.
 *
 * @returns A function that updates the row with this key, and returns it, or `null` if there is none.
 */
export function createPatch<Field extends string, Row>(
  table: Table,
  fields: readonly Field[],
  prepare: (set: Readonly<Record<string, SQL>>) => Update<Row>
) {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table)
  const encode = createEncode(table)
  const isGenerated = isUpdateGenerated(table, fields)
  const statements = new Map<string, Update<Row>>()
  const toUpdate = (given: readonly Field[]): Update<Row> => {
    const set = given.map((field) => [field, placeholder(field)])
    const [unchanged = ''] = fields
    return prepare(given.length > 0 ? Object.fromEntries(set) : { [unchanged]: sql`${columns[unchanged]}` })
  }
  return (key: Readonly<Record<string, unknown>>, changes: { readonly [F in Field]?: unknown }): Row | null => {
    const given = fields.filter((field) => changes[field] !== undefined)
    const shape = given.join()
    const statement = statements.get(shape) ?? toUpdate(given)
    if (!isGenerated) statements.set(shape, statement)
    const values: Record<string, unknown> = {}
    for (const field of given) values[field] = changes[field]
    return statement.all({ ...key, ...encode(values) })[0] ?? null
  }
}
