import t, { type Test } from 'tap'
import { servers } from './servers.ts'
import { origin, signInAtIssuer, start } from './start.ts'

const odd = {
  refresh_token: { token: 'a' },
  session_state: 7,
  expires_in: 'soon',
  'not-before-policy': 0,
  user_id: 'eve',
  userId: 'eve',
  provider: 'another',
  providerAccountId: 'eve',
  extra: { deep: [1] }
} as const

const columns = [
  'provider',
  'type',
  'providerAccountId',
  'userId',
  'access_token',
  'id_token',
  'token_type',
  'scope',
  'expires_at'
]

for (const store of ['memory', 'sqlite'] as const) {
  t.test(`${store}: what no column can hold never reaches an adapter, at the first sign-in nor later`, async (t) => {
    const started = await start(t, { store })
    const { browser, issuer, store: probe } = started
    issuer.faults.tokenFields = odd
    for (const methods of [['createUserWithAccount', 'linkAccount'], ['updateAccount']]) {
      t.equal((await signInAtIssuer(started, browser)).location, origin)
      const { args = [] } = probe.calls.findLast((call) => methods.includes(call.method)) ?? {}
      const row = args.find((value) => typeof value === 'object' && value !== null && 'providerAccountId' in value)
      t.match(row, { provider: 'demo', providerAccountId: 'ada', access_token: String, id_token: String }, `${methods}`)
      t.same(
        Object.keys(row ?? {}).filter((name) => !columns.includes(name)),
        [],
        `${methods}: nothing else`
      )
      // Tokens are random, and may have any three letters.
      t.notMatch(JSON.stringify({ ...row, access_token: '', id_token: '' }), /eve|another|soon/)
    }
  })
}

/** What some stores refuse, and others would change. */
const inexact = {
  refresh_token: 'r\0',
  session_state: '\0',
  scope: 'openid \ud800',
  access_token: 'before\0after'
} as const

const places = [
  ...servers.map(({ name, missing, createTestDatabase }) => ({
    name,
    skip: missing,
    open: async (t: Test) => {
      const adapter = (await createTestDatabase(t)).open()
      t.teardown(() => adapter.close())
      return { adapter }
    }
  })),
  ...(['memory', 'sqlite'] as const).map((store) => ({ name: store, skip: false, open: async () => ({ store }) }))
]

for (const { name, skip, open } of places) {
  t.test(`${name}: a text that cannot be kept as it is fails no sign-in, and is left out`, { skip }, async (t) => {
    const started = await start(t, { ...(await open(t)), session: { strategy: 'database' } })
    const { browser, issuer } = started
    const person = { sub: 'nul', name: 'A\0da', picture: 'https://example.com/\0a.png', email: 'nul@example.com' }
    const adapter = started.store.adapter
    const row = async () => {
      const user = await adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'nul' })
      return { user, account: (await adapter.getAccounts?.(user?.id ?? ''))?.[0] }
    }
    const left = { refresh_token: null, session_state: null, scope: null, access_token: null, id_token: String }
    issuer.faults.tokenFields = inexact
    t.equal((await signInAtIssuer(started, browser, person)).location, origin, 'at first')
    t.match(await row(), { user: { name: 'A da', image: 'https://example.com/a.png' }, account: left })
    issuer.faults.tokenFields = {}
    t.equal((await signInAtIssuer(started, browser, person)).location, origin)
    t.match(await row(), { account: { access_token: String, scope: String } })
    issuer.faults.tokenFields = inexact
    t.equal((await signInAtIssuer(started, browser, person)).location, origin, 'later')
    t.match(await row(), { account: left }, 'the ones from before do not stay')
  })
}

t.test('a token that does not say when it ends does not keep the end of the one before', async (t) => {
  const started = await start(t)
  const { browser, issuer, adapter } = started
  const row = async () => {
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    return (await adapter?.getAccounts?.(user?.id ?? ''))?.[0]
  }
  await signInAtIssuer(started, browser)
  t.type((await row())?.expires_at, 'number')
  issuer.faults.tokenFields = { expires_in: undefined }
  await signInAtIssuer(started, browser)
  t.equal((await row())?.expires_at, null)
})
