import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@postern/core'
import { load } from '../load.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'
import { posternLocks } from './schema.ts'

const { and, eq, lte, sql }: typeof import('drizzle-orm') = load('drizzle-orm')

/** Milliseconds after which a lease is free again although nobody gave it back: its process is taken for dead. */
const leaseTime = 15_000
/** Milliseconds between two looks at a lease that somebody else holds: at least, and up to as many more. */
const lookEvery = 20
const jitter = 60

const key = named('key')
const owner = named('owner')

/** The method that keeps processes apart. */
export function leaseMethods({ db, write }: Connection): Required<Pick<Adapter, 'withLease'>> {
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

  const isTaken = (key: string, owner: string): Promise<boolean> =>
    write(() => {
      const now = Date.now()
      return take.run({ key, owner, now, until: now + leaseTime }).changes === 1
    })

  return {
    withLease: async (key, work) => {
      const owner = randomUUID()
      while (!(await isTaken(key, owner))) await delay(lookEvery + Math.random() * jitter)
      try {
        return await work()
      } finally {
        // The work is done whatever becomes of the lease, which ends by itself.
        await write(() => giveBack.run({ key, owner })).catch(() => null)
      }
    }
  }
}
