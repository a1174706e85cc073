import { and, lte, sql } from 'drizzle-orm'
import type { LeaseMethods } from '../../methods.ts'
import { createLease, leaseTime } from '../lease.ts'
import type { Connection } from './connection.ts'
import { getAffectedRows } from './results.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

/** The method that coordinates processes. */
export function leaseMethods({ db, tables, isExactly, statements, retryIdempotent }: Connection): LeaseMethods {
  const { posternLocks } = tables
  const isOver = async (key: string, owner: string): Promise<boolean> => {
    const result = await db
      .update(posternLocks)
      .set({ owner, until: sql<number>`${now} + ${leaseTime}` })
      .where(and(isExactly(posternLocks.key, key), lte(posternLocks.until, now)))
    return getAffectedRows(result) === 1
  }
  return {
    withLease: createLease({
      acquire: (key, owner) =>
        retryIdempotent(async () => {
          const row = { key, owner, until: sql<number>`${now} + ${leaseTime}` }
          return (await statements.insertNew(posternLocks, row)) || isOver(key, owner)
        }),
      release: (key, owner) =>
        retryIdempotent(() =>
          db.delete(posternLocks).where(and(isExactly(posternLocks.key, key), isExactly(posternLocks.owner, owner)))
        )
    })
  }
}
