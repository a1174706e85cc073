import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import t, { type Test } from 'tap'
import { createMysqlDatabase, createTestDatabase, mysqlPort, postgresPort, withoutServer } from '../databases.ts'
import { accountsOf, startAccounts } from './setup.ts'

/** An adapter with neither leases nor transactions, as those of other libraries. */
function withoutLeases(): Adapter {
  const { withLease: _, transact: __, ...others } = memoryAdapter()
  return others
}

interface Case {
  readonly open: (t: Test) => Adapter | Promise<Adapter>
  readonly skip?: string | false
}

const stores: Readonly<Record<string, Case>> = {
  memory: { open: () => memoryAdapter() },
  'an adapter without leases': { open: withoutLeases },
  SQLite: { open: () => sqliteAdapter({ file: ':memory:' }) },
  PostgreSQL: {
    open: async (t) => postgresAdapter({ url: (await createTestDatabase(t)).url(), migrate: true }),
    skip: await withoutServer('PostgreSQL', postgresPort)
  },
  MariaDB: {
    open: async (t) => mysqlAdapter({ url: await createMysqlDatabase(t), migrate: true }),
    skip: await withoutServer('MySQL', mysqlPort)
  }
}

const count = 50

/** Creates a user whose only ways in are accounts of one provider. @returns The user's id. */
async function createUser(adapter: Adapter, accounts: number): Promise<string> {
  const user = await adapter.createUser?.({ name: null, email: null, emailVerified: null })
  const userId = user?.id ?? ''
  for (let sub = 0; sub < accounts; sub++)
    await adapter.linkAccount?.({ userId, provider: 'demo', type: 'oidc', providerAccountId: String(sub) })
  return userId
}

for (const [name, { open, skip = false }] of Object.entries(stores)) {
  t.test(`${count} accounts are unlinked in parallel through two instances: ${name}`, { skip }, async (t) => {
    const adapter = await open(t)
    const [one, other] = [await startAccounts(t, { adapter }), await startAccounts(t, { adapter })]
    const userId = await createUser(adapter, count)
    const unlink = (sub: number) =>
      (sub % 2 ? one : other).app.postern.unlink(userId, { provider: 'demo', providerAccountId: String(sub) })
    const results = await Promise.allSettled(Array.from({ length: count }, (_, sub) => unlink(sub)))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    t.ok(refused.length >= 1 && refused.every((code) => code === 'LAST_WAY_IN'), refused.join())
    t.equal((await accountsOf(one, userId)).length, refused.length, 'every account that was refused is there')
    if (adapter.withLease) t.equal(refused.length, 1, 'one is left')
  })
}

t.test('two accounts are unlinked in parallel in one process, without leases: one is left', async (t) => {
  const adapter = withoutLeases()
  const started = await startAccounts(t, { adapter })
  for (let round = 0; round < 20; round++) {
    const userId = await createUser(adapter, 2)
    const results = await Promise.allSettled(
      ['0', '1'].map((sub) => started.app.postern.unlink(userId, { provider: 'demo', providerAccountId: `${sub}` }))
    )
    t.same(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    t.equal((await accountsOf(started, userId)).length, 1)
    for (const sub of ['0', '1']) await adapter.unlinkAccount?.({ provider: 'demo', providerAccountId: sub })
  }
})
