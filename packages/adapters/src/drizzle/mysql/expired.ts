import { asc, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { ExpiredMethods } from '../../methods.ts'
import { createExpiredMethods } from '../operations/expired.ts'
import type { Access } from './connection.ts'
import { getAffectedRows } from './results.ts'

const tuple = (members: readonly SQLWrapper[]): SQL => sql`(${sql.join([...members], sql`, `)})`

/** The methods that delete old rows. Locked rows are left for the next call. */
export function expiredMethods({ tables, notes, retryIdempotent, transactionOnRows }: Access): ExpiredMethods {
  return createExpiredMethods<MySqlTable, MySqlColumn>(
    tables,
    notes,
    retryIdempotent,
    ({ table, key, end }) =>
      (moment, limit) =>
        transactionOnRows(async (db) => {
          const rows = db.select(key).from(table).where(lt(end, moment)).orderBy(asc(end)).limit(limit)
          const ended = await rows.for('update', { skipLocked: true })
          if (ended.length === 0) return 0
          // The keys are unique under any collation, so no other row has one of them.
          const keys = ended.map((row) => tuple(Object.keys(key).map((field) => sql`${row[field]}`)))
          const areEnded = sql`${tuple(Object.values(key))} in ${tuple(keys)}`
          return Number(getAffectedRows(await db.delete(table).where(areEnded)))
        })
  )
}
