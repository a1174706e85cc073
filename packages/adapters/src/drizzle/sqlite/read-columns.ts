import { getTableName } from 'drizzle-orm'
import { isObject } from '../../is-object.ts'
import type { StoredColumn, StoredTables } from '../stored-columns.ts'
import { quote } from './quote.ts'
import type { Tables } from './schema.ts'
import type { SqliteClient } from './source.ts'

/** A column of SQLite. */
export interface SqliteColumn extends StoredColumn {
  /** The expression; `null` if there is none. */
  readonly defaultValue: string | null
}

/** Aliases: other columns of a result have the names that pragmas of the connection give them. */
const select = ['name', 'type', 'notnull', 'dflt_value', 'pk', 'hidden'].map(
  (name) => `${quote(name)} as ${quote(name)}`
)

/** Reads all columns of the tables that exist. */
export function readColumns(client: SqliteClient, tables: Tables): StoredTables<SqliteColumn> {
  const statement = client.prepare(`select ${select.join(', ')} from pragma_table_xinfo(?)`)
  return new Map(
    Object.values(tables).flatMap((table) => {
      const columns = statement.all(getTableName(table)).flatMap((row) => (isObject(row) ? [toColumn(row)] : []))
      const find = ({ name }: { readonly name: string }) => columns.find((column) => column.name === name)
      return columns.length === 0 ? [] : [[table, { name: quote(getTableName(table)), columns, find }] as const]
    })
  )
}

function toColumn({ name, type, notnull, dflt_value, pk, hidden }: Readonly<Record<string, unknown>>): SqliteColumn {
  const declared = `${type}`.toLowerCase()
  // A sole integer key is the row's number; a composite key that contains one is not used for the tables of Auth.js.
  const isNumbered = declared === 'integer' && Number(pk) === 1
  return {
    name: `${name}`,
    type: declared,
    defaultValue: typeof dflt_value === 'string' ? dflt_value : null,
    isGenerated: Number(hidden) > 1,
    isNullable: Number(notnull) === 0 && Number(pk) === 0,
    hasDefault: (dflt_value ?? null) !== null || Number(hidden) > 1 || isNumbered
  }
}
