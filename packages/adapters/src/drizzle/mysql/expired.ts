import { asc, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { ExpiredMethods } from '../../methods.ts'
import { type Ending, endingsOf } from '../expiring-tables.ts'
import { type Access, affectedRowsOf } from './connection.ts'

const tuple = (members: readonly SQLWrapper[]): SQL => sql`(${sql.join([...members], sql`, `)})`

/** The method that deletes what has ended. Rows that somebody else has to do with are left for the next time. */
export function expiredMethods({ tables, safe, transactionOnRows }: Access): ExpiredMethods {
  const endings = endingsOf<MySqlTable, MySqlColumn>(tables)
  const clean = ({ table, key, end }: Ending<MySqlTable, MySqlColumn>, before: Date, most: number): Promise<number> =>
    transactionOnRows(async (db) => {
      const isOver = lt(end, end.dataType === 'date' ? before : before.getTime())
      const ended = await db
        .select(key)
        .from(table)
        .where(isOver)
        .orderBy(asc(end))
        .limit(most)
        .for('update', { skipLocked: true })
      if (ended.length === 0) return 0
      // No other row has one of these keys, in whatever collation: they are unique in it.
      const keys = ended.map((row) => tuple(Object.keys(key).map((field) => sql`${row[field]}`)))
      const areEnded = sql`${tuple(Object.values(key))} in ${tuple(keys)}`
      return Number(affectedRowsOf(await db.delete(table).where(areEnded)))
    })
  return {
    deleteExpired: async (before, most) => {
      let deleted = 0
      for (const ending of endings) deleted += await safe(() => clean(ending, before, most))
      return deleted
    }
  }
}
