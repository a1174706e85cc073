import { lte, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import * as lease from '../lease.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The method that coordinates processes. */
export function leaseMethods(connection: Connection) {
  const { db, tables, write } = connection
  const { posternLocks: locks } = tables
  const acquire = lazy(() =>
    db
      .insert(locks)
      .values({ key: placeholder('key'), owner: placeholder('owner'), until: placeholder('until') })
      .onConflictDoUpdate({
        target: locks.key,
        set: { owner: sql`excluded.owner`, until: sql`excluded.until` },
        setWhere: lte(locks.until, placeholder('now'))
      })
      .prepare()
  )
  return lease.leaseMethods(connection, write, (key, owner) => {
    const now = Date.now()
    return acquire().run({ key, owner, now, until: now + lease.leaseTime }).changes === 1
  })
}
