import { type Column, getTableColumns, type Table } from 'drizzle-orm'

/** The most that a column has room for. */
export interface Limit {
  /** The greatest whole number. */
  readonly greatest: number | null
  readonly characters: number | null
  readonly bytes: number | null
}

/** What nobody needs in order to sign in. */
const dispensable = [
  'name',
  'image',
  'refresh_token',
  'access_token',
  'expires_at',
  'token_type',
  'scope',
  'id_token',
  'session_state',
  'providerSessionId'
]

/** Empties the dispensable fields of a row that have no room in their columns. */
export type Fit = <Row extends object>(table: Table, row: Row) => Row

/** Makes `fit` for columns that are as the database has them, which need not be as we would have made them. */
export function createFit(limits: ReadonlyMap<Column, Limit>): Fit {
  return (table, row) => {
    const columns: Readonly<Record<string, Column>> = getTableColumns(table)
    const tooMuch = Object.entries(row).filter(([field, value]) => {
      const column = columns[field]
      const limit = column && limits.get(column)
      return limit !== undefined && dispensable.includes(field) && exceeds(value, limit)
    })
    return { ...row, ...Object.fromEntries(tooMuch.map(([field]) => [field, null])) }
  }
}

function exceeds(value: unknown, { greatest, characters, bytes }: Limit): boolean {
  if (typeof value === 'number') return greatest !== null && Math.abs(value) > greatest
  if (typeof value !== 'string') return false
  if (bytes !== null && Buffer.byteLength(value) > bytes) return true
  return characters !== null && value.length > characters && Array.from(value).length > characters
}
