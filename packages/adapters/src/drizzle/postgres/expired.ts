import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ExpiredMethods } from '../../methods.ts'
import { type ExpiringTable, findExpiringTables } from '../expiring-tables.ts'
import type { Connection } from './connection.ts'

/**
 * Whether the column of the database is a time, where the schema says so. Tables of another library may have texts: PostgreSQL
 * compares a parameter with them as a text too, and every row could be older.
 */
const isTime = (end: PgColumn): SQL | undefined =>
  end.dataType === 'date' ? sql`pg_typeof(${end}) in ('timestamp'::regtype, 'timestamptz'::regtype)` : undefined

/** The methods that delete old rows. Locked rows are left for the next call. */
export function expiredMethods({ db, tables, retryIdempotent }: Connection): ExpiredMethods {
  const endings = findExpiringTables<PgTable, PgColumn>(tables)
  const clean = async (
    { table, key, end }: ExpiringTable<PgTable, PgColumn>,
    before: Date,
    limit: number
  ): Promise<number> => {
    const moment = end.dataType === 'date' ? before : before.getTime()
    const ended = db.$with('ended').as(
      db
        .select(key)
        .from(table)
        .where(and(lt(end, moment), isTime(end)))
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
  const { posternEvents } = tables
  const events = { table: posternEvents, key: { id: posternEvents.id }, end: posternEvents.time }
  return {
    deleteEvents: (before, limit) => retryIdempotent(() => clean(events, before, limit)),
    deleteExpired: async (before, limit) => {
      let deleted = 0
      for (const ending of endings) deleted += await retryIdempotent(() => clean(ending, before, limit))
      return deleted
    }
  }
}
