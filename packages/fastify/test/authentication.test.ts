import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createTestGate } from './interruption-feature.ts'
import { encodeNextAuthToken } from './next-auth-token.ts'
import {
  cookieNames,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

const now = Math.floor(Date.parse('2030-01-01T00:00:00Z') / 1000)
const ada = { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true }

/** An application that shows how the user of a request was authenticated. */
async function startKnowing(options: StartOptions, t: Parameters<typeof start>[0]): Promise<Started> {
  return start(t, {
    ...options,
    before: (app) => {
      app.after(() => {
        app.get('/authentication', async (request) => ({ authentication: await request.getAuthentication() }))
      })
    }
  })
}

const read = async ({ browser }: Pick<Started, 'browser'>) =>
  (await browser.json<{ authentication: Record<string, unknown> | null }>('/authentication')).authentication

const none = { acr: null, amr: [], authTime: null }
const time = new Date(now * 1000).toISOString()

for (const strategy of ['jwt', 'database'] as const) {
  const session = { strategy }

  t.test(`${strategy}: a session knows how its user was authenticated`, async (t) => {
    const methods: readonly (readonly [string, (started: Started) => Promise<unknown>, object])[] = [
      [
        'a form with a password',
        ({ browser }) => signInByForm(browser, 'ada'),
        { amr: ['pwd'], authTime: time, provider: { id: 'credentials', ...none } }
      ],
      [
        'a mailed link',
        (started) => signInByMail(started, started.browser),
        { amr: [], authTime: time, provider: { id: 'email', ...none } }
      ],
      [
        'a provider that states nothing',
        (started) => signInAtIssuer(started, started.browser, ada),
        { amr: [], authTime: null, provider: { id: 'demo', ...none } }
      ],
      [
        'a provider that states when and how',
        (started) =>
          signInAtIssuer(started, started.browser, { ...ada, auth_time: now - 100, acr: 'gold', amr: ['hwk', 'user'] }),
        {
          amr: [],
          authTime: new Date((now - 100) * 1000).toISOString(),
          provider: {
            id: 'demo',
            acr: 'gold',
            amr: ['hwk', 'user'],
            authTime: new Date((now - 100) * 1000).toISOString()
          }
        }
      ]
    ]
    for (const [title, signIn, expected] of methods) {
      const started = await startKnowing({ session }, t)
      t.equal(await read(started), null, `${title}: without a session`)
      await signIn(started)
      const { sessionId, userId, actor, ...known } = (await read(started)) ?? {}
      t.same(known, expected, title)
      t.equal(actor, null, `${title}: nobody impersonates the user`)
      t.type(userId, 'string', title)
      const [device] = await started.app.postern.sessions.list(String(userId))
      t.equal(device?.id, sessionId, title)
      t.same(JSON.parse(JSON.stringify(device?.authentication)), expected, `${title}: in the list of sessions`)
      started.clock.advance(2 * 24 * 60 * 60)
      await started.browser.open('/api/auth/session')
      const renewed = await read(started)
      t.same({ ...renewed, sessionId, userId }, { ...expected, sessionId, userId, actor }, `${title}: after a renewal`)
    }
  })

  t.test(`${strategy}: what a provider states in another form is unknown`, async (t) => {
    const odd: readonly object[] = [
      { auth_time: now * 1000 },
      { auth_time: now + 3600 },
      { acr: ['gold'] },
      { acr: 7 },
      { acr: 'x'.repeat(5000) },
      { amr: 'mfa' },
      { amr: ['mfa', 7] },
      { amr: Array.from({ length: 1000 }, () => 'mfa') },
      { amr: { 0: 'mfa' } }
    ]
    const started = await startKnowing({ session }, t)
    for (const claims of odd) {
      const browser = started.newBrowser()
      await signInAtIssuer(started, browser, { ...ada, ...claims })
      t.match(
        await read({ browser }),
        { amr: [], authTime: null, provider: { id: 'demo', ...none } },
        JSON.stringify(claims).slice(0, 60)
      )
    }
  })

  t.test(`${strategy}: a time that is no number is no ID Token`, async (t) => {
    const started = await startKnowing({ session }, t)
    for (const auth_time of [String(now), [now], null, { seconds: now }, true, -1]) {
      const refused = await signInAtIssuer(started, started.browser, { ...ada, auth_time })
      t.match(refused.location, /error=OAuthCallback/, JSON.stringify(auth_time))
      t.equal(await read(started), null)
    }
  })

  t.test(`${strategy}: a factor that an interruption verified is in the session, with mfa`, async (t) => {
    const gate = createTestGate(true, ['otp'])
    const started = await startKnowing({ session, features: [gate.feature], store: 'sqlite' }, t)
    const { browser } = started
    await signInByForm(browser, 'ada')
    t.equal(await read(started), null)
    await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.match(await read(started), { amr: ['pwd', 'otp', 'mfa'], provider: { id: 'credentials' } })
  })

  t.test(`${strategy}: the authentication of a session of next-auth is unknown`, async (t) => {
    const storage = { ...session, storage: 'both' } as const
    const started = await startKnowing({ session: storage, instances: 1 }, t)
    const { adapter, browser, clock } = started
    const user = await adapter?.createUser?.({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
    const userId = user?.id ?? ''
    const token = randomUUID()
    const expires = new Date(clock.now() + 86_400_000)
    await adapter?.createSession?.({ sessionToken: token, userId, expires })
    const value = strategy === 'database' ? token : encodeNextAuthToken({ sub: userId, name: 'Ada' }, clock.now())
    browser.cookies.set(cookieNames.sessionToken, value, { secure: true, path: '/' })
    t.match(await read(started), { userId, amr: [], authTime: null, provider: null })
  })

  t.test(`${strategy}: callbacks.session reads it, and no query is made unless it does`, async (t) => {
    const seen: unknown[] = []
    let asks = true
    const started = await startKnowing(
      {
        session,
        callbacks: {
          session: async ({ session }, { getAuthentication }) => {
            if (asks) seen.push(await getAuthentication())
            return session
          }
        }
      },
      t
    )
    const { browser, store } = started
    await signInByForm(browser, 'ada')
    await browser.open('/api/auth/session')
    t.match(seen, [{ amr: ['pwd'], authTime: new Date(now * 1000) }])
    asks = false
    store.forget()
    await browser.open('/api/auth/session')
    t.same(
      store.calls.map(({ method }) => method),
      strategy === 'jwt' ? [] : ['getSessionAndUser']
    )
  })

  t.test(`${strategy}: the jwt callback and the client cannot state an authentication`, async (t) => {
    const claims = { session_auth: { amr: ['mfa'], provider: 'demo', acr: 'gold' }, auth_time: now + 5, amr: ['mfa'] }
    const started = await startKnowing(
      {
        session,
        callbacks: { jwt: ({ token }) => ({ ...token, ...claims }) }
      },
      t
    )
    const { browser } = started
    await signInAtIssuer(started, browser, ada)
    await browser.submit('/api/auth/session', { amr: 'mfa', auth_time: String(now) }, { json: true })
    t.match(await read(started), { amr: [], authTime: null, provider: { id: 'demo', acr: null } })
  })
}
