import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import root, { type Test } from 'tap'
import { withMysql, withoutServer, withPostgres } from './databases.ts'

/** Connections of an adapter: fewer than requests at one moment. */
const max = 4

/** Opens an adapter once for each database: the next test that borrows the database has its connections, too. */
function openOnce(open: (url: string) => Adapter): (url: string) => Adapter {
  const known = new Map<string, Adapter>()
  return (url) => {
    const adapter = known.get(url) ?? open(url)
    if (!known.has(url)) root.teardown(() => adapter.close?.())
    known.set(url, adapter)
    return { ...adapter, close: () => undefined }
  }
}

const openPostgres = openOnce((url) => postgresAdapter({ url, max }))
const openMysql = openOnce((url) => mysqlAdapter({ url, max }))

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
  ['PostgreSQL', await withoutServer('PostgreSQL', 5432), async (t) => openPostgres(await withPostgres(t))],
  ['MariaDB', await withoutServer('MariaDB', 3306), async (t) => openMysql(await withMysql(t))]
]

/**
 * The stores for the test at a place among `count` tests, of a file or of three files with one test each. In `npm test`, each test
 * has a store in memory and a database, and each store has a test; in the long run, each test has all of them.
 */
export function storesAt(place: number, count: number): typeof stores {
  if (isLong) return stores
  const groups = [stores.slice(0, 2), stores.slice(2)]
  return groups.flatMap((group) => group.filter((_, index) => index % count === place % group.length))
}
