import { memoryAdapter } from '@postern/adapters/memory'
import credentials from '@postern/core/providers/credentials'
import t from 'tap'
import { getSession, origin, signInByForm, signInByMail, start } from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const path = '/api/auth/callback/credentials'

t.test('database sessions: the user is the one with that id', async (t) => {
  const adapter = memoryAdapter()
  const stored = await adapter.createUser({ name: 'Grace Hopper', email: 'hopper@example.com', emailVerified: null })
  const provider = credentials({ credentials: {}, authorize: () => ({ id: stored.id, name: 'set by authorize' }) })
  const { browser } = await start(t, { adapter, providers: [provider], session: { strategy: 'database' } })
  await browser.submit(path, {})
  t.match(await getSession(browser), { user: { name: 'Grace Hopper', email: 'hopper@example.com' } })
  t.same(await adapter.getAccounts(stored.id), [])
})

t.test(
  'database sessions: a new user is created together with the account of that id, and reported once',
  async (t) => {
    const reported: object[] = []
    const events = { createUser: (payload: object) => void reported.push(payload) }
    const { browser, newBrowser, adapter, store } = await start(t, { session: { strategy: 'database' }, events })
    await signInByForm(browser)
    await signInByForm(newBrowser())
    t.match(reported, [{ user: { email: 'grace@example.com' } }])
    t.equal(reported.length, 1)
    const transactions = store.calls.filter(({ method }) => method === 'transact').map(({ args: [calls] }) => calls)
    t.match(transactions[0], [
      { method: 'requireUserVersion' },
      { method: 'createUser' },
      { method: 'linkAccount' },
      { method: 'createSession' }
    ])
    const key = { provider: 'credentials', providerAccountId: 'id-grace' }
    const user = await adapter?.getUserByAccount?.(key)
    t.match(user, { name: 'grace', email: 'grace@example.com', emailVerified: null })
  }
)

t.test('database sessions: an address that another user has is OAuthAccountNotLinked', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  await signInByMail(started, started.newBrowser(), 'grace@example.com')
  const response = await signInByForm(started.browser)
  t.match(response.location, /\/api\/auth\/signin\?error=OAuthAccountNotLinked/)
  t.same(await getSession(started.browser), {})
})

for (const store of ['memory', 'sqlite'] as const) {
  t.test(`${store}, database sessions: twenty first sign-ins at once are one user`, async (t) => {
    const { newBrowser, store: probe } = await start(t, { store, session: { strategy: 'database' }, rateLimit: false })
    const browsers = Array.from({ length: 20 }, newBrowser)
    const responses = await Promise.all(browsers.map((browser) => signInByForm(browser)))
    t.ok(responses.every(({ location }) => location === origin))
    const owners = probe.calls
      .filter(({ method }) => method === 'createSession')
      .map(({ args: [session] }) => (session as { readonly userId: string }).userId)
    t.same([owners.length, new Set(owners).size], [20, 1])
  })
}

t.test('a first sign-in that failed between user and account does not keep the person out', async (t) => {
  const adapter = withoutTransactions(memoryAdapter())
  const { browser, store } = await start(t, { adapter, session: { strategy: 'database' } })
  store.breakDown('linkAccount')
  t.match((await signInByForm(browser)).location, /\/api\/auth\/signin\?error=Callback/)
  store.restore()
  t.equal((await signInByForm(browser)).location, origin)
  t.match(await getSession(browser), { user: { email: 'grace@example.com' } })
})
