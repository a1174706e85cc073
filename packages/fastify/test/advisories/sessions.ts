import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { getToken } from '@postern/core/jwt'
import { times } from '@postern/testkit/long'
import Fastify from 'fastify'
import postern from '../../src/index.ts'
import { fewInTurn } from '../selections.ts'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  getSession,
  origin,
  people,
  secret,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import { someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

const { sessionToken: cookie, csrfToken: csrfCookie } = cookieNames

const someTexts = fewInTurn(4)

export const sessions: readonly Replay[] = [
  [
    'A09',
    'a callback without the cookies of an attempt, with those of another browser, or played again',
    async (t) => {
      const started = await start(t, { instances: 1 })
      const { browser, newBrowser, issuer } = started
      const response = await browser.submit('/api/auth/signin/demo', {})
      const callback = await issuer.authorize(response.location ?? '')
      const requests = issuer.requests.length
      const other = newBrowser()
      await other.submit('/api/auth/signin/demo', {})
      for (const visitor of [newBrowser(), other]) {
        const reply = await visitor.open(callback, { headers: fromAfar })
        t.notOk(
          reply.setCookies.some(({ name }) => name.startsWith(cookie)),
          'no session cookie'
        )
        t.same(await getSession(visitor), {})
      }
      t.equal(issuer.requests.length, requests, 'the code was not sent to the provider')
      await browser.open(callback, { headers: fromAfar })
      const again = newBrowser()
      for (const { name, value } of browser.cookies.all()) if (name !== cookie) again.cookies.set(name, value)
      await again.open(callback, { headers: fromAfar })
      t.same(await getSession(again), {}, 'a callback counts once')
    }
  ],
  [
    'A13',
    'an attempt with one provider is answered at the callback of another',
    async (t) => {
      const started = await start(t, { demo: { id: 'one' } })
      const { issuer, clock } = started
      const both = await start(t, {
        providers: ['one', 'two'].map((id) => ({ ...demoIssuer(issuer), id })),
        runtime: { now: clock.now, fetch: (url, init) => issuer.fetch(url, init) }
      })
      for (const [from, to] of [
        ['one', 'two'],
        ['two', 'one']
      ] as const) {
        const browser = both.newBrowser()
        const response = await browser.submit(`/api/auth/signin/${from}`, {})
        const state = new URL(response.location ?? '').searchParams.get('state')
        const requests = issuer.requests.filter(({ method }) => method === 'POST').length
        const reply = await browser.open(`/api/auth/callback/${to}?code=code&state=${state}&iss=${issuer.issuer}`)
        t.match(reply.location, /error=OAuthCallback/, `${from} → ${to}`)
        t.equal(issuer.requests.filter(({ method }) => method === 'POST').length, requests, 'no token request')
        t.same(await getSession(browser), {})
      }
    }
  ],
  [
    'A14',
    'a malformed Authorization header makes getToken throw',
    async (t) => {
      for (const bearer of [
        'Bearer %',
        'Bearer %E0%A4%A',
        'Bearer ',
        'Bearer',
        `Bearer ${'a'.repeat(65_536)}`,
        'Bearer a, Bearer b'
      ]) {
        const token = await getToken({ req: { headers: { authorization: bearer } }, secret })
        t.equal(token, null, bearer.slice(0, 20))
      }
    }
  ],
  [
    'A15',
    'a failure is taken for a user who is signed in',
    async (t) => {
      const { app, browser, store } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser)
      store.breakDown()
      t.equal((await browser.open('/me')).status, 503, 'the guard of a route')
      t.equal((await browser.json<{ error: string }>('/api/auth/session')).error, 'StoreUnavailable')
      const opened = await browser.open('/')
      t.equal(opened.status, 503, 'getSession throws')
      t.notMatch(opened.body, 'grace')
      t.equal(opened.setCookies.length, 0, 'and the cookie remains')
      store.restore()
      t.match(await getSession(browser), { user: { name: 'grace' } }, 'so that the session is there again afterwards')
      await app.close()
      for (const strategy of someStrategies()) {
        const broken = await start(t, {
          session: { strategy },
          callbacks: {
            session: () => {
              throw new Error('the application failed')
            }
          }
        })
        await signInByForm(broken.browser)
        t.same(await getSession(broken.browser), {}, `${strategy}: a callback that throws gives no session`)
        t.equal((await broken.browser.request('GET', '/me')).status, 401)
      }
    }
  ],
  [
    'A16',
    'texts that a query builder might read as something else',
    async (t) => {
      for (const adapter of [memoryAdapter(), sqliteAdapter({ file: ':memory:' })]) {
        const started = await start(t, { adapter })
        for (const sub of someTexts([`a'b"c`, 'a\\', `'; drop table user; --`, 'a$.b[0]', '%_', '$1', 'a?b:c@d'])) {
          const email = `person-${encodeURIComponent(sub)
            .toLowerCase()
            .replaceAll(/[^a-z0-9]/g, '-')}@example.com`
          const person = { sub, email, email_verified: true }
          await signInAtIssuer(started, started.newBrowser(), person)
          const first = await adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: sub })
          t.equal(first?.email, email, sub)
          await signInAtIssuer(started, started.newBrowser(), person)
          t.equal((await adapter.getAccounts?.(first?.id ?? ''))?.length, 1, 'and is the same account next time')
        }
        await adapter.close?.()
      }
    }
  ],
  [
    'A26',
    'sign-out deletes what a forged cookie names',
    async (t) => {
      const { browser, newBrowser, store, adapter } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser)
      const row = store.calls.find(({ method }) => method === 'createSession')?.args[0] as {
        sessionToken: string
        userId: string
      }
      const thief = newBrowser()
      for (const value of [row.sessionToken, row.userId, 'x'.repeat(43), `${browser.cookies.get(cookie)}x`]) {
        thief.cookies.set(cookie, value, { secure: true })
        await thief.submit('/api/auth/signout', {})
        t.equal((await adapter?.listSessions?.(row.userId))?.length, 1, 'the session of another user stays')
      }
      t.match(await getSession(browser), { user: { name: 'grace' } })
    }
  ],
  [
    'A32',
    'a provider signs in to an account that another user made with the same address',
    async (t) => {
      const options = { session: { strategy: 'database' }, demo: { allowDangerousEmailAccountLinking: true } } as const
      const started = await start(t, options)
      const { browser, newBrowser } = started
      await signInByForm(browser, 'ada')
      t.equal((await getSession(browser)).user?.email, 'ada@example.com', 'the stranger took the address')
      const owner = newBrowser()
      const back = await signInAtIssuer(started, owner)
      t.match(back.location, /error=OAuthAccountNotLinked/)
      t.same(await getSession(owner), {}, 'the owner is not led into the account of a stranger')
    }
  ],
  [
    'A40',
    'sessions outlive their user',
    async (t) => {
      const { app, browser, adapter } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser)
      const user = await adapter?.getUserByEmail?.('grace@example.com')
      await app.postern.deleteUser(user?.id ?? '')
      t.same(await getSession(browser), {})
      t.equal((await browser.request('GET', '/me')).status, 401)
    }
  ],
  [
    'A50',
    'the session id stays the same when a user signs in or out',
    async (t) => {
      for (const strategy of someStrategies()) {
        const started = await start(t, { session: { strategy } })
        const { browser, newBrowser, clock } = started
        const seen = new Set<string>()
        for (const signIn of [
          () => signInByForm(browser),
          () => signInByMail(started, browser, 'grace@example.com'),
          () => signInByForm(browser)
        ]) {
          const before = browser.cookies.get(cookie)
          await signIn()
          const after = browser.cookies.get(cookie) ?? ''
          t.notOk(seen.has(after), `${strategy}: a new session each time`)
          seen.add(after)
          clock.advance(1)
          if (before === null || strategy === 'jwt') continue
          const old = newBrowser()
          old.cookies.set(cookie, before, { secure: true })
          t.same(await getSession(old), {}, `${strategy}: the old one is dead`)
        }
        await browser.submit('/api/auth/signout', {})
        t.equal(browser.cookies.get(cookie), null)
        await signInByForm(browser)
        t.notOk(seen.has(browser.cookies.get(cookie) ?? ''))
      }
    }
  ],
  [
    'A51',
    'a planted session cookie is what the victim is signed in with',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { browser, newBrowser } = await start(t, { session: { strategy } })
        const attacker = newBrowser()
        await signInByForm(attacker, 'mallory')
        for (const planted of ['planted', 'a'.repeat(43), attacker.cookies.get(cookie) ?? '']) {
          browser.cookies.set(cookie, planted, { secure: true })
          await signInByForm(browser)
          t.not(browser.cookies.get(cookie), planted, `${strategy}: the value is a new one`)
          t.match(await getSession(browser), { user: { name: 'grace' } })
          const other = newBrowser()
          other.cookies.set(cookie, planted, { secure: true })
          t.not((await getSession(other)).user?.name, 'grace', 'the planted value leads to no one new')
        }
      }
    }
  ],
  [
    'A52',
    'an anti-forgery token from before the sign-in works after it',
    async (t) => {
      const started = await start(t)
      const { browser } = started
      for (const change of [
        () => signInByForm(browser),
        () => signInByMail(started, browser, 'ada@example.com'),
        () => signInAtIssuer(started, browser, { sub: 'new', email: 'new@example.com' }),
        () => browser.submit('/api/auth/signout', {})
      ]) {
        const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
        await change()
        const reply = await browser.submit('/api/auth/signout', { csrfToken })
        t.match(reply.location, /\/signout\?csrf=true$/)
      }
    }
  ],
  [
    'A53',
    'one state for everyone',
    async (t) => {
      const { browser, newBrowser, issuer } = await start(t)
      const seen = { state: new Set<string>(), nonce: new Set<string>(), code_challenge: new Set<string>() }
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const starts = times(30, 1000)
      let last = ''
      for (let count = 0; count < starts; count++) {
        last = (await browser.submit('/api/auth/signin/demo', { csrfToken })).location ?? ''
        const { searchParams } = new URL(last)
        for (const [name, values] of Object.entries(seen)) values.add(searchParams.get(name) ?? '')
      }
      for (const [name, values] of Object.entries(seen)) t.equal(values.size, starts, name)
      const other = newBrowser()
      await other.submit('/api/auth/signin/demo', {})
      t.equal((await other.open(await issuer.authorize(last))).status, 400, 'a state is good in its own browser only')
    }
  ],
  [
    'A54',
    'a session remains valid after sign-out, for who kept the cookie',
    async (t) => {
      const { browser, newBrowser } = await start(t, { session: { strategy: 'database' } })
      await signInByForm(browser)
      const stored = newBrowser()
      stored.cookies.set(cookie, browser.cookies.get(cookie) ?? '', { secure: true })
      t.match(await getSession(stored), { user: { name: 'grace' } })
      await browser.submit('/api/auth/signout', {})
      t.same(await getSession(stored), {})
    }
  ],
  [
    'A55',
    'only the browser knows when a session ends',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { browser, newBrowser, clock } = await start(t, { session: { strategy, maxAge: 3600 } })
        await signInByForm(browser)
        const value = browser.cookies.get(cookie) ?? ''
        clock.advance(3600 + 11)
        const late = newBrowser()
        late.cookies.set(cookie, value, { secure: true })
        t.same(await getSession(late), {}, strategy)
      }
    }
  ],
  [
    'A56',
    'the anti-forgery token is taken from the query, or its cookie can be planted by a sibling domain',
    async (t) => {
      const { browser } = await start(t)
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const set = browser.cookies.all().find(({ name }) => name === csrfCookie)
      t.match(set, { name: /^__Host-/, httpOnly: true, secure: true, path: '/' })
      for (const path of [
        `/api/auth/signout?csrfToken=${csrfToken}`,
        `/api/auth/signin/email?csrfToken=${csrfToken}&email=ada@example.com`
      ]) {
        const reply = await browser.post(path, 'a=b')
        t.match(reply.location, /csrf=true/, 'a token in the query is none')
      }
      const [, hash] = (browser.cookies.get(csrfCookie) ?? '').split('|')
      for (const forged of [
        `${'a'.repeat(64)}|${hash}`,
        `${csrfToken}|${'0'.repeat(64)}`,
        `${csrfToken}`,
        `|`,
        `${csrfToken}|`,
        ''
      ]) {
        browser.cookies.set(csrfCookie, forged, { secure: true })
        const reply = await browser.submit('/api/auth/signout', { csrfToken: forged.split('|')[0] ?? '' })
        t.match(reply.location, /csrf=true/, 'a cookie that Postern did not issue')
      }
    }
  ],
  [
    'A76',
    'a response that sets a cookie, or identifies a user, is cached',
    async (t) => {
      const started = await start(t)
      const { browser } = started
      await signInByForm(browser)
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      for (const path of [
        'session',
        'csrf',
        'providers',
        'signin',
        'signout',
        'error',
        'verify-request?provider=email',
        'signin/demo',
        'callback/email?token=a&email=ada@example.com',
        'nothing',
        'callback/unknown'
      ]) {
        for (const method of ['GET', 'HEAD', 'POST'] as const) {
          const reply = await browser.request(method, `/api/auth/${path}`)
          t.match(reply.headers['cache-control'], /^private, no-cache, no-store/, `${method} ${path}`)
        }
      }
      const refreshed = await start(t, { session: { updateAge: 0 } })
      await signInByForm(refreshed.browser)
      refreshed.clock.advance(10)
      const page = await refreshed.browser.open('/')
      t.ok(page.setCookies.length > 0, 'the application responds with a refreshed cookie')
      t.match(page.headers['cache-control'], /no-store|private/, 'and no cache keeps it')
    }
  ],
  [
    'A91',
    'a callback or a store that throws signs a user in',
    async (t) => {
      const fail = (): never => {
        throw new Error('the application failed')
      }
      for (const strategy of someStrategies()) {
        for (const name of ['signIn', 'jwt', 'session'] as const) {
          if (name === 'jwt' && strategy === 'database') continue
          const { browser } = await start(t, { session: { strategy }, callbacks: { [name]: fail } })
          await signInByForm(browser)
          t.same(await getSession(browser), {}, `${strategy}: ${name} throws`)
        }
      }
      const methods: readonly (keyof Adapter)[] = [
        ...([
          'createUser',
          'getUser',
          'getUserByEmail',
          'getUserByAccount',
          'createSession',
          'createUserWithAccount'
        ] as const),
        ...(['useVerificationToken', 'getVerificationToken', 'createVerificationToken', 'updateUser'] as const)
      ]
      for (const method of methods) {
        const started = await start(t, { session: { strategy: 'database' } })
        const { browser, store, mailbox } = started
        await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
        const [mail] = mailbox.mails
        store.breakDown(method)
        for (const attempt of [
          () => signInByForm(browser),
          () => signInAtIssuer(started, browser),
          () => browser.open(mail?.url ?? '')
        ]) {
          store.forget()
          const reply = await attempt()
          const names = store.calls.map((call) => call.method)
          // What is read after everything was written only completes what the callbacks see.
          const isDone = names.includes('transact') && names.lastIndexOf(method) > names.lastIndexOf('createSession')
          if (!names.includes(method) || (isDone && names.includes('createSession'))) continue
          t.notOk(
            reply.setCookies.some(({ name, value }) => name === cookie && value !== ''),
            `${method} fails: no session`
          )
          t.not(reply.location, origin)
        }
      }
    }
  ],
  [
    'A92',
    'a cookie of one application is good in another',
    async (t) => {
      const { browser } = await start(t, { session: { strategy: 'jwt' } })
      await signInByForm(browser)
      const other = await start(t, { secret: 'another secret, of 32 characters or more', session: { strategy: 'jwt' } })
      const visitor = other.newBrowser()
      for (const { name, value } of browser.cookies.all()) visitor.cookies.set(name, value, { secure: true })
      t.same(await getSession(visitor), {})
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      t.match((await visitor.submit('/api/auth/signout', { csrfToken })).location, /csrf=true/)
    }
  ],
  [
    'A94',
    'a production server runs on a secret that everyone knows',
    async (t) => {
      const before = process.env['NODE_ENV']
      t.teardown(() => {
        if (before === undefined) delete process.env['NODE_ENV']
        else process.env['NODE_ENV'] = before
      })
      process.env['NODE_ENV'] = 'production'
      for (const given of [undefined, '', 'short', 'x'.repeat(31), []]) {
        const app = Fastify()
        t.teardown(() => app.close())
        const registering = app.register(postern, { url: origin, secret: given, providers: [people] })
        await t.rejects(Promise.resolve(registering.after()), { code: 'POSTERN_CONFIG', message: /secret/ })
      }
    }
  ],
  [
    'A100',
    'a session id comes back for the next person at the same device',
    async (t) => {
      for (const strategy of someStrategies()) {
        const { browser } = await start(t, { session: { strategy } })
        const ids = new Set<string>()
        const rounds = times(8, 20)
        for (let round = 0; round < rounds; round++) {
          await signInByForm(browser, round % 2 === 0 ? 'ada' : 'grace')
          ids.add(browser.cookies.get(cookie) ?? '')
          if (round % 3 === 0) browser.cookies.clear()
          else await browser.submit('/api/auth/signout', {})
          t.same(await getSession(browser), {})
        }
        t.equal(ids.size, rounds, strategy)
      }
    }
  ]
]
