import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'

/** The most that a column has room for. */
export interface Limit {
  /** The greatest whole number. */
  readonly greatest: number | null
  readonly characters: number | null
  readonly bytes: number | null
  /** Matches, all over a text, the characters that the column's character set lacks. */
  readonly lacking: RegExp | null
}

/** What is there to be read by people: it is as good without a character. */
const legible = ['name', 'userAgent', 'address']

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

/**
 * Makes the values of a row fit the columns: texts for people lose the characters that the column lacks, and dispensable
 * fields that still do not fit are emptied.
 *
 * @throws DatabaseError where the column lacks a character of any other text: an id with another character in its place
 * might be somebody else's.
 */
export type Fit = <Row extends object>(table: Table, row: Row) => Row

/** Makes `fit` for columns that are as the database has them, which need not be as we would have made them. */
export function createFit(limits: ReadonlyMap<Column, Limit>): Fit {
  return (table, row) => {
    const columns: Readonly<Record<string, Column>> = getTableColumns(table)
    const changes: Record<string, unknown> = {}
    for (const [field, value] of Object.entries(row)) {
      const column = columns[field]
      const limit = column && limits.get(column)
      if (limit) changes[field] = fitted(field, value, limit)
    }
    return { ...row, ...changes }
  }
}

/** Whether the column has all characters of the text. */
export function holds({ lacking }: Limit, text: string): boolean {
  return lacking === null || text.search(lacking) === -1
}

function fitted(field: string, value: unknown, limit: Limit): unknown {
  const readable = typeof value === 'string' && legible.includes(field) ? legibly(value, limit) : value
  const isHeld = typeof readable !== 'string' || holds(limit, readable)
  if (dispensable.includes(field)) return isHeld && !exceeds(readable, limit) ? readable : null
  if (isHeld) return readable
  throw new DatabaseError('CharacterSet', `expected a text for ${field} of characters that its column has`)
}

function legibly(text: string, limit: Limit): string | null {
  if (limit.lacking === null || holds(limit, text)) return text
  return text.replaceAll(limit.lacking, '').trim() || null
}

function exceeds(value: unknown, { greatest, characters, bytes }: Limit): boolean {
  if (typeof value === 'number') return greatest !== null && Math.abs(value) > greatest
  if (typeof value !== 'string') return false
  if (bytes !== null && Buffer.byteLength(value) > bytes) return true
  return characters !== null && value.length > characters && Array.from(value).length > characters
}
