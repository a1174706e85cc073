import { asc, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { ExpiredMethods } from '../../methods.ts'
import type { ExpiringTable } from '../expiring-tables.ts'
import { createExpiredMethods } from '../server/expired.ts'
import type { Access } from './connection.ts'
import { getAffectedRows } from './results.ts'

const tuple = (members: readonly SQLWrapper[]): SQL => sql`(${sql.join([...members], sql`, `)})`

/** The methods that delete old rows. Locked rows are left for the next call. */
export function expiredMethods({ tables, notes, retryIdempotent, transactionOnRows }: Access): ExpiredMethods {
  const clean = (
    { table, key, end }: ExpiringTable<MySqlTable, MySqlColumn>,
    before: Date,
    limit: number
  ): Promise<number> =>
    transactionOnRows(async (db) => {
      // Rows of another library, with times that only the library can read.
      if (notes.unreadable?.columns.has(end)) return 0
      const isOver = lt(end, end.dataType === 'date' ? before : before.getTime())
      const ended = await db
        .select(key)
        .from(table)
        .where(isOver)
        .orderBy(asc(end))
        .limit(limit)
        .for('update', { skipLocked: true })
      if (ended.length === 0) return 0
      // The keys are unique under any collation, so no other row has one of them.
      const keys = ended.map((row) => tuple(Object.keys(key).map((field) => sql`${row[field]}`)))
      const areEnded = sql`${tuple(Object.values(key))} in ${tuple(keys)}`
      return Number(getAffectedRows(await db.delete(table).where(areEnded)))
    })
  return createExpiredMethods<MySqlTable, MySqlColumn>(tables, (...args) => retryIdempotent(() => clean(...args)))
}
