import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ExpiredMethods } from '../../methods.ts'
import { createExpiredMethods } from '../operations/expired.ts'
import type { Connection } from './connection.ts'

/** The methods that delete old rows. Locked rows are left for the next call. */
export function expiredMethods({ db, tables, notes, retryIdempotent }: Connection): ExpiredMethods {
  return createExpiredMethods<PgTable, PgColumn>(
    tables,
    notes,
    retryIdempotent,
    ({ table, key, end }) =>
      async (moment, limit) => {
        const rows = db.select(key).from(table).where(lt(end, moment)).orderBy(asc(end)).limit(limit)
        const ended = db.$with('ended').as(rows.for('update', { skipLocked: true }))
        const isEnded = and(...Object.entries(key).map(([field, column]) => eq(column, ended[field])))
        const deleted = await db
          .with(ended)
          .delete(table)
          .where(sql`exists (select from ${ended} where ${isEnded})`)
          .returning(key)
        return deleted.length
      }
  )
}
