import { and, eq, lte, sql } from 'drizzle-orm'
import type { LeaseMethods } from '../../methods.ts'
import { createLease, leaseTime } from '../lease.ts'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The method that coordinates processes. */
export function leaseMethods({ db, tables, retryIdempotent }: Connection): LeaseMethods {
  const { posternLocks } = tables
  return {
    withLease: createLease({
      acquire: async (key, owner) => {
        const until = sql<number>`${now} + ${leaseTime}`
        const taken = await retryIdempotent(() =>
          db
            .insert(posternLocks)
            .values({ key, owner, until })
            .onConflictDoUpdate({
              target: posternLocks.key,
              set: { owner, until },
              setWhere: lte(posternLocks.until, now)
            })
            .returning({ key: posternLocks.key })
        )
        return taken.length === 1
      },
      release: (key, owner) =>
        retryIdempotent(() =>
          db.delete(posternLocks).where(and(eq(posternLocks.key, key), eq(posternLocks.owner, owner)))
        )
    })
  }
}
