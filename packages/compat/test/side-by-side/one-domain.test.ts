import { mock } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { PosternOptions } from '@postern/core'
import { type Browser, type CookieJar, createCookieJar } from '@postern/testkit'
import t, { type Test } from 'tap'
import { getRows, type Store, stores } from '../adapters/stores.ts'
import { startNextAuth } from '../next-auth.ts'
import { origin, type Started, startPostern } from '../postern.ts'
import { serve } from './pair.ts'

const days = (count: number): number => count * 24 * 60 * 60 * 1000
const cookie = '__Secure-next-auth.session-token'
const person = { user: { name: 'Ada Lovelace', email: 'ada@example.com' } }

interface Servers {
  readonly nextAuth: Started
  readonly postern: Started
  readonly store: Store
  readonly signIn: (browser: Browser) => Promise<string | null>
}

/** next-auth with an adapter of Auth.js, and Postern with its own, on one database and one domain. */
async function startBoth(t: Test, session: NonNullable<PosternOptions['session']>): Promise<Servers> {
  const file = `${t.testdir()}/app.db`
  const issuer = await serve(t)
  const store = stores['@auth/drizzle-adapter']?.(t, file)
  if (!store) throw new TypeError('expected the adapter')
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const { strategy } = session
  const provider = {
    id: 'demo',
    name: 'Demo',
    type: 'oauth' as const,
    wellKnown: `${issuer.issuer}/.well-known/openid-configuration`,
    clientId: issuer.clientId,
    clientSecret: issuer.clientSecret ?? '',
    authorization: { params: { scope: 'openid email profile' } },
    idToken: true,
    checks: ['pkce' as const, 'state' as const],
    profile: ({ sub, name, email }: Record<string, string>) => ({ id: sub ?? '', name, email })
  }
  const nextAuth = await startNextAuth(
    t,
    Object({ adapter: store.adapter, providers: [provider], session: { strategy } })
  )
  const runtime = { fetch: (url: string, init?: RequestInit) => issuer.fetch(url, init) }
  const postern = await startPostern(t, { adapter, providers: [provider], session, runtime })
  const signIn = async (browser: Browser): Promise<string | null> => {
    const response = await browser.submit('/api/auth/signin/demo', {})
    const headers = { 'sec-fetch-site': 'cross-site' }
    return (await browser.open(await issuer.authorize(response.location ?? ''), { headers })).location
  }
  return { nextAuth, postern, store, signIn }
}

const read = (server: Started, jar: CookieJar): Promise<unknown> => server.browser(jar).json('/api/auth/session')

const methods: readonly NonNullable<PosternOptions['session']>[] = [
  { strategy: 'jwt' },
  { strategy: 'jwt', revocations: false },
  { strategy: 'database', storage: 'plain' }
]

for (const session of methods) {
  t.test(
    `${JSON.stringify(session)}: a sign-in at one is valid at both, and a sign-out at either ends it`,
    async (t) => {
      const { nextAuth, postern, signIn } = await startBoth(t, session)
      for (const [begins, ends] of [
        [nextAuth, nextAuth],
        [nextAuth, postern],
        [postern, nextAuth],
        [postern, postern]
      ] as const) {
        const jar = createCookieJar()
        t.equal(await signIn(begins.browser(jar)), origin)
        if (session.strategy === 'database')
          t.equal(/^p1\.[\w-]{16}\./.test(jar.get(cookie) ?? ''), begins === postern, 'only Postern’s has a tag')
        for (const server of [postern, nextAuth, postern, nextAuth]) t.match(await read(server, jar), person)
        const held = jar.get(cookie) ?? ''
        await ends.browser(jar).submit('/api/auth/signout', {})
        t.equal(jar.get(cookie), null)
        for (const server of [postern, nextAuth]) t.same(await read(server, jar), {})
        if (session.strategy === 'jwt' && (ends === nextAuth || session.revocations === false)) continue
        jar.set(cookie, held, { secure: true })
        t.same(await read(postern, jar), {}, 'an ended session is invalid for Postern, even if the cookie was copied')
      }
    }
  )
}

for (const revocations of [undefined, false] as const) {
  t.test(`signed out everywhere, then in again at next-auth, with revocations ${revocations ?? 'on'}`, async (t) => {
    const { nextAuth, postern, store, signIn } = await startBoth(t, { strategy: 'jwt', revocations })
    t.equal(await signIn(postern.browser()), origin)
    const [user] = getRows(store, 'user')
    const ended = postern.app.postern.sessions.revokeAll(String(user?.['id']))
    if (revocations === false) await t.rejects(ended, /revoke/)
    else await ended
    // The version of a token of next-auth is its `iat`, in whole seconds.
    await setTimeout(1100)
    const jar = createCookieJar()
    t.equal(await signIn(nextAuth.browser(jar)), origin)
    for (const server of [nextAuth, postern]) t.match(await read(server, jar), person)
  })
}

t.test('an anti-forgery token of one is good at the other', async (t) => {
  const { nextAuth, postern } = await startBoth(t, { strategy: 'jwt' })
  for (const [one, other] of [
    [nextAuth, postern],
    [postern, nextAuth]
  ] as const) {
    const jar = createCookieJar()
    const { csrfToken } = await one.browser(jar).json<{ csrfToken: string }>('/api/auth/csrf')
    t.equal((await other.browser(jar).json<{ csrfToken: string }>('/api/auth/csrf')).csrfToken, csrfToken)
    const post = (token: string) => other.browser(jar).post('/api/auth/signin/demo', `csrfToken=${token}`)
    t.match((await post('0'.repeat(64))).location, /csrf=true/)
    t.match((await post(csrfToken)).location, /\/authorize\?/)
  }
})

t.test('a stored session that started here stays, however long next-auth alone renews it', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const { nextAuth, postern, signIn } = await startBoth(t, { strategy: 'database', storage: 'plain' })
  const jar = createCookieJar({ now: () => Date.now() })
  t.equal(await signIn(postern.browser(jar)), origin)
  for (let month = 0; month < 6; month++) {
    mock.timers.tick(days(20))
    t.match(await read(nextAuth, jar), person)
    t.match(await read(postern, jar), person, `${(month + 1) * 20} days after the sign-in`)
  }
})
