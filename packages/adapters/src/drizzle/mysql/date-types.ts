import { findDateColumns, fitDateColumns } from '../date-columns.ts'
import type { StoredTables } from '../stored-columns.ts'
import type { ResolvedTables } from '../table-options.ts'
import type { UnreadableDates } from '../unreadable-dates.ts'
import { c } from './migrations.ts'
import type { MysqlColumn } from './read-columns.ts'
import type { Tables } from './schema.ts'

const kinds = ['datetime', 'timestamp']

/**
 * Checks the types of the columns of dates. Both types have the same text in UTC, which is the zone of `datetime` for
 * Postern, and must be that of the session for `timestamp`.
 *
 * @returns Whether the session must have UTC, and why some columns hold no instant or change by themselves, or `null`.
 */
export function fitDateTypes(
  required: ResolvedTables<Tables>,
  stored: StoredTables<MysqlColumn>
): { readonly needsUtc: boolean; readonly unreadable: UnreadableDates | null } {
  const dates = findDateColumns(required, stored, c)
  const unreadable = fitDateColumns(dates, {
    of: 'mysqlAdapter',
    fit: ({ column, stored: { type, isTouched, isNullable } }) => {
      if (!kinds.includes(type)) return { refusal: `is ${type}` }
      // An unverified address would count as verified, at the next change of the user's name or at once.
      if (isTouched) return { refusal: 'has "on update current_timestamp"' }
      return column.notNull || isNullable ? null : { refusal: 'is declared not null' }
    },
    hint: 'Accepted are datetime(3) with UTC, and timestamp(3): alter table … modify … datetime(3) null'
  })
  return { unreadable, needsUtc: dates.some(({ stored: { type } }) => type === 'timestamp') }
}
