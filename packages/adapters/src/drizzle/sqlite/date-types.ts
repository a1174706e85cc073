import { getTableName, is } from 'drizzle-orm'
import { SQLiteTimestamp } from 'drizzle-orm/sqlite-core'
import { isObject } from '../../is-object.ts'
import { type DateCodec, type DateColumn, type DateFit, findDateColumns, fitDateColumns } from '../date-columns.ts'
import type { StoredColumn, StoredTables } from '../stored-columns.ts'
import type { ResolvedTables } from '../table-options.ts'
import { quote } from './quote.ts'
import type { Tables } from './schema.ts'
import type { SqliteClient } from './source.ts'

/** How a column stores instants: SQLite has no type for them, and a column may contain anything. */
type Format = 'milliseconds' | 'seconds' | 'text' | 'text with a space'

/**
 * Makes the columns of dates in the tables of Auth.js fit what they contain: milliseconds, as in tables that Postern
 * creates, seconds, or text with UTC. Empty columns get milliseconds, or ISO 8601 if they are declared as text.
 *
 * @throws DatabaseError for values that are not an instant, or not of one format.
 */
export function fitDateTypes(client: SqliteClient, required: ResolvedTables<Tables>, stored: StoredTables): void {
  const { users, sessions, verificationTokens } = required.tables
  const own = new Map(
    [...stored].filter(([table]) => [users, sessions, verificationTokens].some((one) => one === table))
  )
  const unreadable = fitDateColumns(
    findDateColumns(required, own, ({ name }) => quote(name)),
    {
      of: 'sqliteAdapter',
      fit: (date) => toFit(date, findFormats(client, date)),
      hint:
        'Accepted are integers with milliseconds or seconds since 1970, and text such as 2031-02-03T04:05:06.789Z or ' +
        '2031-02-03 04:05:06, which means UTC; all rows of a column have one format'
    }
  )
  if (unreadable) throw unreadable.error
}

function toFit({ column, stored, isGiven }: DateColumn<StoredColumn>, formats: readonly (Format | null)[]): DateFit {
  if (stored.type.includes('bool')) return { refusal: `is ${stored.type}` }
  const isText = textType.test(stored.type)
  const [format = isText ? 'text' : null] = formats
  if (formats.length > 1 || formats.includes(null)) {
    return { refusal: `contains ${formats.map((found) => found ?? 'something else').join(' and ')}` }
  }
  if (!isGiven) return format === null || format === 'milliseconds' ? null : codecs[format]
  const mode = is(column, SQLiteTimestamp) && column.mode === 'timestamp' ? 'seconds' : 'milliseconds'
  if (!isText && (format === null || format === mode)) return null
  return { refusal: `contains ${format}, but is declared with ${mode} (mode: 'timestamp' is seconds)` }
}

/** The distinct formats of the first and the last row. */
function findFormats(client: SqliteClient, { table, column, field }: DateColumn<StoredColumn>) {
  const value = quote(column.name)
  const select = `select typeof(${value}) as type, ${value} as value from ${quote(getTableName(table))}
    where ${value} is not null`
  const rows = [`${select} limit 1`, `${select} order by rowid desc limit 1`].map((query) => find(client, query))
  // Other libraries store whether an address is verified: 0 would be a date, and every address verified.
  const isFlag = (row: unknown): boolean =>
    field === 'emailVerified' && isObject(row) && [0, 1].includes(Number(row.value))
  return [...new Set(rows.flatMap((row) => (isObject(row) ? [isFlag(row) ? null : toFormat(row)] : [])))]
}

/** @returns The row, if there is one, and if the table has the number of rows. */
function find(client: SqliteClient, query: string): unknown {
  try {
    return client.prepare(query).get()
  } catch {
    return undefined
  }
}

/** SQLite converts integers in columns with such a type to text. */
const textType = /char|clob|text/

/** As milliseconds, these are days from 1970 to 1973; as seconds, years from 1973 to 5138. */
const [minSeconds, maxSeconds] = [1e8, 1e11]

const iso = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?00)?$/

function toFormat({ type, value }: Readonly<Record<string, unknown>>): Format | null {
  if (type === 'integer' || type === 'real') {
    return Number(value) >= minSeconds && Number(value) < maxSeconds ? 'seconds' : 'milliseconds'
  }
  const separator = type === 'text' ? iso.exec(`${value}`)?.[1] : undefined
  if (separator === undefined) return null
  return separator === 'T' ? 'text' : 'text with a space'
}

/** Writes seconds as drizzle does. */
const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Without a zone, the text means UTC; JavaScript would take that of the process. */
function fromText(stored: unknown): Date {
  const text = `${stored}`.replace(' ', 'T')
  return new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
}

function createCodec(read: DateCodec['read'], write: (date: Date) => unknown): DateCodec {
  return { read, write: (date) => (date instanceof Date ? write(date) : date) }
}

const codecs: Readonly<Record<Exclude<Format, 'milliseconds'>, DateCodec>> = {
  seconds: createCodec((value) => new Date(Number(value) * 1000), toSeconds),
  text: createCodec(fromText, (date) => date.toISOString()),
  'text with a space': createCodec(fromText, (date) => date.toISOString().slice(0, -1).replace('T', ' '))
}
