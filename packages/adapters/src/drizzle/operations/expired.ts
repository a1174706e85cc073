import { setImmediate as turn } from 'node:timers/promises'
import type { Column, Table } from 'drizzle-orm'
import type { ExpiredMethods } from '../../methods.ts'
import type { DatabaseNotes } from '../database-problems.ts'
import { type ExpiringTable, type ExpiringTables, findExpiringTables } from '../expiring-tables.ts'
import { lazy } from '../lazy.ts'
import type { Answer, Run } from '../statements.ts'

/** Creates the deletion of some of the rows that ended before a moment, which returns their number. */
export type CreateDeletion<Base, Col> = (
  table: ExpiringTable<Base, Col>
) => (moment: Date | number, limit: number) => Answer<number>

/** The methods that delete old rows, one table after the other, so that other work can run in between. */
export function createExpiredMethods<Base extends Table, Col extends Column>(
  tables: ExpiringTables<Base, Col> & { readonly posternEvents: Base & { readonly id: Col; readonly time: Col } },
  notes: DatabaseNotes,
  run: Run,
  createDeletion: CreateDeletion<Base, Col>
): ExpiredMethods {
  const create = (table: ExpiringTable<Base, Col>) => {
    const remove = lazy(() => createDeletion(table))
    return (before: Date, limit: number): Promise<number> =>
      run(() => {
        // Rows of another library, with times that only the library can read.
        if (notes.unreadable?.columns.has(table.end)) return 0
        return remove()(table.end.dataType === 'date' ? before : before.getTime(), limit)
      })
  }
  const { posternEvents: events } = tables
  const deletions = findExpiringTables<Base, Col>(tables).map(create)
  return {
    deleteEvents: create({ table: events, key: { id: events.id }, end: events.time }),
    deleteExpired: async (before, limit) => {
      let deleted = 0
      for (const remove of deletions) {
        deleted += await remove(before, limit)
        await turn()
      }
      return deleted
    }
  }
}
