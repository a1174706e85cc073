import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { type Missing, missingColumn, missingTable } from './migration.ts'

/** A column as the catalog of the database describes it. */
export interface StoredColumn {
  readonly name: string
  /** In lower case and without a length, such as `timestamptz` or `varchar`; in SQLite as the table declares it, or empty. */
  readonly type: string
  readonly isNullable: boolean
  /** Whether the database has a value for rows that omit the column: a default, an identity, or a generated value. */
  readonly hasDefault: boolean
  /** Whether the database generates every value, and refuses others. */
  readonly isGenerated: boolean
}

/** An existing table. */
export interface StoredTable<Stored extends StoredColumn = StoredColumn> {
  /** The quoted name, for messages. */
  readonly name: string
  /** All columns, including those that the schema does not name. */
  readonly columns: readonly Stored[]
  /** Finds a column of the schema by its name, as the database compares names. */
  readonly find: (column: Column) => Stored | undefined
}

/** The existing tables among those of the schema. */
export type StoredTables<Stored extends StoredColumn = StoredColumn> = ReadonlyMap<Table, StoredTable<Stored>>

/** @returns The tables and columns of the schema that the database lacks; `quote` quotes a name for the message. */
export function findMissing<T extends Table>(
  tables: readonly T[],
  stored: StoredTables,
  quote: { readonly table: (table: T) => string; readonly column: (column: Column) => string }
): readonly Missing[] {
  return tables.flatMap((table) => {
    const found = stored.get(table)
    const name = quote.table(table)
    if (!found) return [missingTable(table, name)]
    return Object.values(getTableColumns(table))
      .filter((column) => !found.find(column))
      .map((column) => missingColumn(table, column.name, `${name}.${quote.column(column)}`))
  })
}

/** What the database has of the schema. */
export interface Survey<Stored extends StoredColumn> {
  readonly stored: StoredTables<Stored>
  readonly missing: readonly Missing[]
}

/** Records the limit of each column of the schema. */
export function noteLimits<Limit>(
  stored: StoredTables<StoredColumn & { readonly limit: Limit }>,
  limits: Map<Column, Limit>
): void {
  for (const [table, { find }] of stored) {
    for (const column of Object.values(getTableColumns(table))) {
      const found = find(column)
      if (found) limits.set(column, found.limit)
    }
  }
}
