import type { Table } from 'drizzle-orm'
import type { ExpiredMethods } from '../../methods.ts'
import { type ExpiringTable, type ExpiringTables, findExpiringTables } from '../expiring-tables.ts'

/** Deletes some of the rows that ended before a time. @returns Their number. */
export type DeleteExpired<Base, Column> = (
  table: ExpiringTable<Base, Column>,
  before: Date,
  limit: number
) => Promise<number>

/** The methods that delete old rows, one table after the other. */
export function createExpiredMethods<Base extends Table, Column>(
  tables: ExpiringTables<Base, Column> & {
    readonly posternEvents: Base & { readonly id: Column; readonly time: Column }
  },
  remove: DeleteExpired<Base, Column>
): ExpiredMethods {
  const { posternEvents: events } = tables
  const endings = findExpiringTables<Base, Column>(tables)
  return {
    deleteEvents: (before, limit) => remove({ table: events, key: { id: events.id }, end: events.time }, before, limit),
    deleteExpired: async (before, limit) => {
      let deleted = 0
      for (const ending of endings) deleted += await remove(ending, before, limit)
      return deleted
    }
  }
}
