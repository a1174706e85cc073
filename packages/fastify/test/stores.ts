import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import type { Test } from 'tap'
import { createMysqlDatabase, createTestDatabase, mysqlPort, postgresPort, withoutServer } from './databases.ts'
import { withoutTransactions } from './store-probe.ts'

/** A store that tests run on. */
export interface TestStore {
  readonly name: string
  /** Why its tests are skipped, or `false`. */
  readonly skip: string | false
  /** What it holds is gone after the test. */
  readonly open: (t: Test) => Promise<Adapter>
}

/** Stores of the process of the test. */
export const localStores: readonly TestStore[] = [
  { name: 'memory', skip: false, open: async () => memoryAdapter() },
  { name: 'SQLite', skip: false, open: async () => sqliteAdapter({ file: ':memory:' }) }
]

export const storeWithoutTransactions: TestStore = {
  name: 'no transactions',
  skip: false,
  open: async () => withoutTransactions(memoryAdapter())
}

/** Stores of a database server. */
export const databaseStores: readonly TestStore[] = [
  {
    name: 'PostgreSQL',
    skip: await withoutServer('PostgreSQL', postgresPort),
    open: async (t) => postgresAdapter({ url: (await createTestDatabase(t)).url(), max: 10 })
  },
  {
    name: 'MariaDB',
    skip: await withoutServer('MariaDB', mysqlPort),
    open: async (t) => mysqlAdapter({ url: await createMysqlDatabase(t), max: 10 })
  }
]
