import { and, lte, sql } from 'drizzle-orm'
import * as lease from '../lease.ts'
import type { Connection } from './connection.ts'

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`

/** The method that coordinates processes. */
export function leaseMethods(connection: Connection) {
  const { tables, isExactly, statements, retryIdempotent } = connection
  const { posternLocks: locks } = tables
  const until = sql<number>`${now} + ${lease.leaseTime}`
  const insert = statements.insertNew(locks)
  return lease.leaseMethods(connection, retryIdempotent, async (key, owner) => {
    if (await insert({ key, owner, until })) return true
    const isOver = and(isExactly(locks.key, key), lte(locks.until, now))
    return (await statements.update(locks, { owner, until }, isOver)) === 1
  })
}
