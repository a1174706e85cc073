import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'

/** The limits of a column. */
export interface Limit {
  /** The greatest integer. */
  readonly greatest: number | null
  readonly characters: number | null
  readonly bytes: number | null
  /** A global pattern for characters that the column's character set lacks. */
  readonly lacking: RegExp | null
}

/** Display text, which may lose a character. */
const legible = ['name', 'userAgent', 'address']

/** Fields that no sign-in requires. */
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
 * Makes the values of a row fit their columns: display text loses the characters that the column lacks, an expiry beyond
 * the column becomes the greatest one, and other dispensable fields that do not fit become `null`.
 *
 * @throws DatabaseError if the column lacks a character of another field: replacing it in an id could yield the id of
 * another user.
 */
export type Fit = <Row extends object>(table: Table, row: Row) => Row

/** Creates `fit` for the actual columns of the database, which may differ from the standard ones. */
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

/** Whether the column's character set has all characters of the string. */
export function holds({ lacking }: Limit, text: string): boolean {
  return lacking === null || text.search(lacking) === -1
}

function fitted(field: string, value: unknown, limit: Limit): unknown {
  const readable = typeof value === 'string' && legible.includes(field) ? legibly(value, limit) : value
  const isHeld = typeof readable !== 'string' || holds(limit, readable)
  // A time beyond the column is still a time far ahead; `null` would mean that the expiry is unknown.
  if (field === 'expires_at' && isAbove(value, limit)) return limit.greatest
  if (dispensable.includes(field)) return isHeld && !exceeds(readable, limit) ? readable : null
  if (isHeld) return readable
  throw new DatabaseError(
    'CharacterSet',
    `expected a string for ${field} that the character set of its column supports`
  )
}

function legibly(text: string, limit: Limit): string | null {
  if (limit.lacking === null || holds(limit, text)) return text
  return text.replaceAll(limit.lacking, '').trim() || null
}

function isAbove(value: unknown, { greatest }: Limit): boolean {
  return typeof value === 'number' && greatest !== null && value > greatest
}

function exceeds(value: unknown, { greatest, characters, bytes }: Limit): boolean {
  if (typeof value === 'number') return greatest !== null && Math.abs(value) > greatest
  if (typeof value !== 'string') return false
  if (bytes !== null && Buffer.byteLength(value) > bytes) return true
  return characters !== null && value.length > characters && Array.from(value).length > characters
}
