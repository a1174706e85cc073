import { lte, sql } from 'drizzle-orm'
import * as lease from '../lease.ts'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The method that coordinates processes. */
export function leaseMethods(connection: Connection) {
  const { db, tables, retryIdempotent } = connection
  const { posternLocks: locks } = tables
  const until = sql<number>`${now} + ${lease.leaseTime}`
  return lease.leaseMethods(connection, retryIdempotent, async (key, owner) => {
    const taken = await db
      .insert(locks)
      .values({ key, owner, until })
      .onConflictDoUpdate({ target: locks.key, set: { owner, until }, setWhere: lte(locks.until, now) })
      .returning({ key: locks.key })
    return taken.length === 1
  })
}
