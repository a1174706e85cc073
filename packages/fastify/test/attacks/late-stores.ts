import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import { createMysqlDatabase, createTestDatabase, mysqlPort, postgresPort, withoutServer } from '../databases.ts'
import type { Kind } from './late-setup.ts'
import { createFaulty } from './link-faults.ts'
import { choose, startOverlap } from './session-setup.ts'
import type { Strategy } from './setup.ts'

// Each kind of adapter on each store, of which calls may take effect late.

export interface LateStore {
  readonly name: string
  readonly skip: string | false
  readonly open: (t: Test) => Promise<Adapter>
}

export const lateStores: readonly LateStore[] = [
  { name: 'memory', skip: false, open: async () => memoryAdapter() },
  { name: 'SQLite', skip: false, open: async () => sqliteAdapter({ file: ':memory:' }) },
  {
    name: 'PostgreSQL',
    skip: await withoutServer('PostgreSQL', postgresPort),
    open: async (t) => postgresAdapter({ url: (await createTestDatabase(t)).url(), max: 6 })
  },
  {
    name: 'MariaDB',
    skip: await withoutServer('MariaDB', mysqlPort),
    open: async (t) => mysqlAdapter({ url: await createMysqlDatabase(t), max: 6 })
  }
]

/** Drops what an adapter of a kind does not have. */
function toKind(adapter: Adapter, kind: Kind): Adapter {
  const chosen = choose(adapter, kind === 'transact')
  const { createUserWithAccount: _, ...plain } = chosen
  return { ...(kind === 'one row after the other' ? plain : chosen), ...(adapter.close && { close: adapter.close }) }
}

/** An application with an adapter of a kind. */
export async function startStore(
  t: Test,
  { open }: Pick<LateStore, 'open'>,
  kind: Kind,
  strategy: Strategy = 'database'
) {
  const inner = toKind(await open(t), kind)
  const { adapter, faults } = createFaulty(inner)
  return { started: await startOverlap(t, adapter, { session: { strategy } }), faults, inner }
}
