import t from 'tap'
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
      t.notMatch(JSON.stringify(row), /eve|another|soon/)
    }
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
