import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { ExpiredMethods } from '../../methods.ts'
import { type Ending, endingsOf } from '../expiring-tables.ts'
import type { Connection } from './connection.ts'

/** The method that deletes what has ended. Rows that somebody else has to do with are left for the next time. */
export function expiredMethods({ db, tables, safe }: Connection): ExpiredMethods {
  const endings = endingsOf<PgTable, PgColumn>(tables)
  const clean = async ({ table, key, end }: Ending<PgTable, PgColumn>, before: Date, most: number): Promise<number> => {
    const moment = end.dataType === 'date' ? before : before.getTime()
    const ended = db
      .$with('ended')
      .as(
        db
          .select(key)
          .from(table)
          .where(lt(end, moment))
          .orderBy(asc(end))
          .limit(most)
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
  return {
    deleteExpired: async (before, most) => {
      let deleted = 0
      for (const ending of endings) deleted += await safe(() => clean(ending, before, most))
      return deleted
    }
  }
}
