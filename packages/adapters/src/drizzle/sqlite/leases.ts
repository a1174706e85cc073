import type { Adapter } from '@postern/core'
import { and, eq, lte, sql } from 'drizzle-orm'
import { lazy } from '../lazy.ts'
import { createLease, leaseTime } from '../lease.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

const key = placeholder('key')
const owner = placeholder('owner')

/** The method that coordinates processes. */
export function leaseMethods(connection: Connection): Required<Pick<Adapter, 'withLease'>> {
  const { write } = connection
  const statements = lazy(() => prepareStatements(connection))
  return {
    withLease: createLease({
      acquire: (key, owner) =>
        write(() => {
          const now = Date.now()
          return statements().acquire.run({ key, owner, now, until: now + leaseTime }).changes === 1
        }),
      release: (key, owner) => write(() => statements().release.run({ key, owner }))
    })
  }
}

function prepareStatements({ db, tables }: Connection) {
  const { posternLocks } = tables
  const acquire = db
    .insert(posternLocks)
    .values({ key, owner, until: placeholder('until') })
    .onConflictDoUpdate({
      target: posternLocks.key,
      set: { owner: sql`excluded.owner`, until: sql`excluded.until` },
      setWhere: lte(posternLocks.until, placeholder('now'))
    })
    .prepare()
  const release = db
    .delete(posternLocks)
    .where(and(eq(posternLocks.key, key), eq(posternLocks.owner, owner)))
    .prepare()
  return { acquire, release }
}
