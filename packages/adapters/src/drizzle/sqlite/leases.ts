import type { Adapter } from '@postern/core'
import { and, eq, lte, sql } from 'drizzle-orm'
import { createLease, leaseTime } from '../lease.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

const key = named('key')
const owner = named('owner')

/** The method that keeps processes apart. */
export function leaseMethods({ db, tables, write }: Connection): Required<Pick<Adapter, 'withLease'>> {
  const { posternLocks } = tables
  const take = db
    .insert(posternLocks)
    .values({ key, owner, until: named('until') })
    .onConflictDoUpdate({
      target: posternLocks.key,
      set: { owner: sql`excluded.owner`, until: sql`excluded.until` },
      setWhere: lte(posternLocks.until, named('now'))
    })
    .prepare()
  const giveBack = db
    .delete(posternLocks)
    .where(and(eq(posternLocks.key, key), eq(posternLocks.owner, owner)))
    .prepare()
  return {
    withLease: createLease({
      take: (key, owner) =>
        write(() => {
          const now = Date.now()
          return take.run({ key, owner, now, until: now + leaseTime }).changes === 1
        }),
      giveBack: (key, owner) => write(() => giveBack.run({ key, owner }))
    })
  }
}
