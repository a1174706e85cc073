import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ExpiredMethods } from '../../methods.ts'
import type { ExpiringTable } from '../expiring-tables.ts'
import { createExpiredMethods } from '../server/expired.ts'
import type { Connection } from './connection.ts'

/** The methods that delete old rows. Locked rows are left for the next call. */
export function expiredMethods({ db, tables, notes, retryIdempotent }: Connection): ExpiredMethods {
  const clean = async (
    { table, key, end }: ExpiringTable<PgTable, PgColumn>,
    before: Date,
    limit: number
  ): Promise<number> => {
    // Rows of another library, with times that only the library can read.
    if (notes.unreadable?.columns.has(end)) return 0
    const moment = end.dataType === 'date' ? before : before.getTime()
    const ended = db
      .$with('ended')
      .as(
        db
          .select(key)
          .from(table)
          .where(lt(end, moment))
          .orderBy(asc(end))
          .limit(limit)
          .for('update', { skipLocked: true })
      )
    const isEnded = and(...Object.entries(key).map(([field, column]) => eq(column, ended[field])))
    const deleted = await db
      .with(ended)
      .delete(table)
      .where(sql`exists (select from ${ended} where ${isEnded})`)
      .returning(key)
    return deleted.length
  }
  return createExpiredMethods<PgTable, PgColumn>(tables, (...args) => retryIdempotent(() => clean(...args)))
}
