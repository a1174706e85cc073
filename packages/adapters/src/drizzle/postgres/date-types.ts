import { is } from 'drizzle-orm'
import { PgTimestamp } from 'drizzle-orm/pg-core'
import { type DateCodec, type DateRules, findDateColumns, fitDateColumns } from '../date-columns.ts'
import type { StoredTables } from '../stored-columns.ts'
import type { UnreadableDates } from '../unreadable-dates.ts'
import { c } from './migrations.ts'
import type { PostgresColumn, RequiredTables } from './read-columns.ts'

/** The text of a `timestamptz` has the offset of the session's zone, whichever that is. */
const withZone: DateCodec = {
  read: (text) => (typeof text === 'string' ? new Date(text) : text),
  write: (date) => (date instanceof Date ? date.toISOString() : date)
}

const kinds = ['timestamp', 'timestamptz']

/** Makes the columns of dates fit their types. @returns Why some cannot, as types that hold no instant; `null` if all do. */
export function fitDateTypes(required: RequiredTables, stored: StoredTables<PostgresColumn>): UnreadableDates | null {
  const rules: DateRules<PostgresColumn> = {
    of: 'postgresAdapter',
    fit: ({ column, stored: { type }, isGiven }) => {
      const hasZone = type === 'timestamptz'
      if (!kinds.includes(type)) return { refusal: `is ${type}` }
      if (!isGiven) return hasZone ? withZone : null
      if (!is(column, PgTimestamp) || column.withTimezone === hasZone) return null
      return { refusal: `is ${type}: declare it with { withTimezone: ${hasZone} }` }
    },
    hint: 'Accepted are timestamptz, and timestamp with UTC: alter table … alter column … type timestamptz using …'
  }
  return fitDateColumns(findDateColumns(required, stored, c), rules)
}
