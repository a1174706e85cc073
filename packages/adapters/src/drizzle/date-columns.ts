import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'
import type { StoredColumn, StoredTables } from './stored-columns.ts'
import type { ResolvedTables } from './table-options.ts'
import type { UnreadableDates } from './unreadable-dates.ts'

/** How the driver's values of a column become dates, and dates its values. */
export interface DateCodec {
  readonly read: (stored: unknown) => unknown
  readonly write: (date: unknown) => unknown
}

/** A column of dates, as the schema and as the database have it. */
export interface DateColumn<Stored extends StoredColumn> {
  readonly column: Column
  /** The name of the field, such as `emailVerified`. */
  readonly field: string
  readonly stored: Stored
  /** The quoted name of the column with its table, for messages. */
  readonly name: string
  readonly table: Table
  /** Whether the column is of a drizzle table of the application, which says itself how it is read. */
  readonly isGiven: boolean
}

/** `null` if the column of the schema reads what is stored, a codec that does, or why nothing does. */
export type DateFit = DateCodec | null | { readonly refusal: string }

/** What differs by database. */
export interface DateRules<Stored extends StoredColumn> {
  /** The name of the adapter. */
  readonly of: string
  readonly fit: (date: DateColumn<Stored>) => DateFit
  /** How the application corrects what is refused. */
  readonly hint: string
}

/** The fields of the tables of Auth.js; other columns of the application's tables are its own affair. */
const fields = ['emailVerified', 'expires']

/** Finds the columns of dates that the database has. */
export function findDateColumns<Stored extends StoredColumn>(
  { given }: Pick<ResolvedTables<unknown>, 'given'>,
  tables: StoredTables<Stored>,
  quote: (column: Column) => string
): readonly DateColumn<Stored>[] {
  return [...tables].flatMap(([table, { name, find }]) =>
    Object.entries(getTableColumns(table)).flatMap(([field, column]) => {
      const isGiven = given.has(table)
      const isOurs = column.dataType === 'date' && (!isGiven || fields.includes(field))
      const stored = isOurs ? find(column) : undefined
      return stored ? [{ column, field, stored, table, name: `${name}.${quote(column)}`, isGiven }] : []
    })
  )
}

/**
 * Makes columns of dates hold the same instant for everybody who reads them. The types of tables that Postern has not
 * created are those of the application, so that columns whose table is given by name get the codec of their type.
 *
 * @returns The columns whose type or declaration cannot be right: they read as null, and no date is written to them. `null` if there is none.
 * @throws DatabaseError if one of them is of a drizzle table, which nothing but its own declaration reads.
 */
export function fitDateColumns<Stored extends StoredColumn>(
  dates: readonly DateColumn<Stored>[],
  { of, fit, hint }: DateRules<Stored>
): UnreadableDates | null {
  const refused = dates.flatMap((date) => {
    const found = fit(date)
    if (found !== null && 'refusal' in found) return [{ ...date, refusal: found.refusal }]
    if (found !== null) setCodec(date, found)
    return []
  })
  if (refused.length === 0) return null
  const reasons = refused.map(({ name, refusal }) => `${name} ${refusal}`).join('; ')
  const error = new DatabaseError('ColumnType', `${of}: expected columns that hold an instant, but ${reasons}. ${hint}`)
  if (refused.some(({ isGiven }) => isGiven)) throw error
  const refuse = (): never => {
    throw error
  }
  for (const date of refused) setCodec(date, { read: () => null, write: refuse })
  return { error, columns: new Set(refused.map(({ column }) => column)) }
}

function setCodec({ column }: Pick<DateColumn<StoredColumn>, 'column'>, { read, write }: DateCodec): void {
  column.mapFromDriverValue = read
  column.mapToDriverValue = write
}
