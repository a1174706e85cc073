import type { Adapter } from '@postern/core'
import { and, eq, lte, sql } from 'drizzle-orm'
import { lazily } from '../lazy.ts'
import { createLease, leaseTime } from '../lease.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

const key = named('key')
const owner = named('owner')

/** The method that keeps processes apart. */
export function leaseMethods(connection: Connection): Required<Pick<Adapter, 'withLease'>> {
  const { write } = connection
  const statements = lazily(() => prepareStatements(connection))
  return {
    withLease: createLease({
      take: (key, owner) =>
        write(() => {
          const now = Date.now()
          return statements().take.run({ key, owner, now, until: now + leaseTime }).changes === 1
        }),
      giveBack: (key, owner) => write(() => statements().giveBack.run({ key, owner }))
    })
  }
}

function prepareStatements({ db, tables }: Connection) {
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
  return { take, giveBack }
}
