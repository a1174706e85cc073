import type { AdapterProblem } from '@postern/core'
import type { UnreadableDates } from './unreadable-dates.ts'

/** What the start of an adapter has found in the database, for `findProblems`. */
export interface DatabaseNotes {
  /** The columns of dates, in tables that are given by name, that cannot be used. */
  unreadable: UnreadableDates | null
  /** Columns of the users table that cannot be read. */
  unread: readonly string[]
  /** Columns without a default that inserts omit. */
  required: readonly string[]
  /** Whether the ids of users are integers, which the database generates. */
  hasIntegerIds: boolean
  /** Whether the table of users is a drizzle table of the application. */
  readonly isIdGiven: boolean
}

/** Describes them for the log. */
export function describeNotes({
  unread,
  required
}: Pick<DatabaseNotes, 'unread' | 'required'>): readonly AdapterProblem[] {
  const notRead = `adapter: users have no values of the columns ${unread.join(', ')}; a drizzle table in tables.users can read them`
  const noDefault = `adapter: inserts fail, because these columns are not null and have no default: ${required.join(', ')}; give them a default`
  return [
    ...(unread.length > 0 ? [{ code: 'COLUMN_NOT_READ', message: notRead }] : []),
    ...(required.length > 0 ? [{ code: 'COLUMN_WITHOUT_DEFAULT', message: noDefault }] : [])
  ]
}
