import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'

/** Closes the connections before the database is dropped. */
function closing(t: Test, adapter: Adapter): Adapter {
  t.teardown(() => adapter.close?.())
  return adapter
}

/** An adapter that makes one write after another. */
function withoutTransactions(): Adapter {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  return adapter
}

/** Every store, and why its tests are skipped. */
export const stores: readonly (readonly [name: string, skip: string | false, open: (t: Test) => Promise<Adapter>])[] = [
  ['memory', false, async () => memoryAdapter()],
  ['without transactions', false, async () => withoutTransactions()],
  ['SQLite', false, async () => sqliteAdapter({ file: ':memory:' })],
  [
    'PostgreSQL',
    await withoutServer('PostgreSQL', 5432),
    async (t) => closing(t, postgresAdapter({ url: await withPostgres(t) }))
  ],
  ['MariaDB', await withoutServer('MariaDB', 3306), async (t) => closing(t, mysqlAdapter({ url: await withMysql(t) }))]
]
