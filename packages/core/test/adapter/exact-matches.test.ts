import t from 'tap'
import type { Adapter } from '../../src/adapter/adapter.ts'
import { wrapAdapter } from '../../src/adapter/wrap-adapter.ts'

const ada = { id: 'admin', name: 'Ada', email: 'ada@example.com', emailVerified: null, image: null }
const account = { provider: 'demo', type: 'oauth', providerAccountId: 'admin', userId: ada.id } as const

/** An adapter that finds its only row whatever the key is, as a database does that ignores case and spaces. */
function setUp(hasAccounts = true) {
  const deleted: string[] = []
  const warnings: unknown[] = []
  const adapter: Adapter = {
    getUser: async () => ada,
    getUserByEmail: async () => ada,
    getUserByAccount: async () => ada,
    ...(hasAccounts ? { getAccounts: async () => [account] } : {}),
    deleteUser: async (id: string) => {
      deleted.push(id)
    }
  }
  const warn = (code: string, { method }: { method?: unknown }) => void warnings.push([code, method])
  const logger = { error: () => undefined, warn, debug: () => undefined }
  return { store: wrapAdapter(adapter, logger, { isDebugging: false, timeout: 1000 }), deleted, warnings }
}

t.test('account-2: a user is only found by exactly their id, address or account', async (t) => {
  const { store, warnings } = setUp()
  const account = (providerAccountId: string, provider = 'demo') => ({ provider, providerAccountId })
  t.match(await store.getUser('admin'), { id: 'admin' })
  t.match(await store.getUserByEmail('ada@example.com'), { id: 'admin' })
  t.match(await store.getUserByAccount(account('admin')), { id: 'admin' })
  t.equal(await store.getUser('ADMIN '), null)
  t.equal(await store.getUserByEmail('adä@example.com'), null)
  for (const other of [account('ADMIN '), account('ädmin'), account('admin', 'Demo')])
    t.equal(await store.getUserByAccount(other), null, JSON.stringify(other))
  t.same(
    warnings,
    ['getUser', 'getUserByEmail', ...Array(3).fill('getUserByAccount')].map((name) => ['ADAPTER_INEXACT_MATCH', name])
  )
})

t.test('account-2: nobody is deleted by an id that only resembles theirs', async (t) => {
  const { store, deleted } = setUp()
  await t.rejects(async () => store.deleteUser?.('ADMIN '), { cause: { message: /exactly this id/ } })
  await store.deleteUser?.('admin')
  t.same(deleted, ['admin'])
})

t.test('account-2: an adapter that shows no accounts is not asked for an id that most databases confuse', async (t) => {
  const { store } = setUp(false)
  await t.rejects(store.getUserByAccount({ provider: 'demo', providerAccountId: 'admin ' }), {
    code: 'StoreUnavailable'
  })
})
