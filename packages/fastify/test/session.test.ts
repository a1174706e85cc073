import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, AdapterSession, JwtCallbackInput, SessionCallbackInput } from '@postern/core'
import { encode } from '@postern/core/jwt'
import type { Browser } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import t from 'tap'
import { cookieNames, getSession, secret, signInByForm, signInByMail, start } from './start.ts'
import { withoutTransactions } from './store-probe.ts'

const day = 24 * 60 * 60
/** The tests of the core show the same of JWT sessions. */
const selected = isLong ? (['jwt', 'database'] as const) : (['database'] as const)

/** The names of the cookies that a response sets. */
const setBy = ({ setCookies }: { readonly setCookies: readonly { readonly name: string }[] }) =>
  setCookies.map(({ name }) => name)

const sessionProof = '__Secure-postern.session-proof'
const getToken = (browser: Browser): string => browser.cookies.get(cookieNames.sessionToken) ?? ''

for (const strategy of selected) {
  t.test(`${strategy}: a session has name, address, a known image and its end, and nothing else`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy } })
    await signInByForm(browser)
    const session = await getSession(browser)
    const expires = new Date(clock.now() + 30 * day * 1000).toISOString()
    // `authorize` returned no image; the row of a stored user has one, if only `null`.
    const image = strategy === 'database' ? { image: null } : {}
    t.same(session, { user: { name: 'grace', email: 'grace@example.com', ...image }, expires })
  })

  t.test(`${strategy}: no cookie and no write before a day, one after it`, async (t) => {
    const { browser, clock, store } = await start(t, { session: { strategy } })
    await signInByForm(browser)
    for (const path of ['/api/auth/session', '/', '/me']) {
      clock.advance(day / 4)
      store.forget()
      const early = await browser.open(path)
      t.same(
        { cookies: setBy(early), writes: store.count('updateSession') },
        { cookies: [], writes: 0 },
        `${path}, early`
      )
    }
    clock.advance(day / 4 - 1)
    t.same(setBy(await browser.open('/')), [], 'a second too early')
    clock.advance(1)
    store.forget()
    const due = await browser.open('/')
    t.same(setBy(due), [cookieNames.sessionToken])
    t.equal(store.count('updateSession'), strategy === 'database' ? 1 : 0)
    const [cookie] = due.setCookies
    t.equal(cookie?.maxAge, 30 * day, 'the cookie lasts as long as the session, on the clock of the application')
    t.equal(cookie?.expires?.toISOString(), new Date(clock.now() + 30 * day * 1000).toISOString())
    t.same(setBy(await browser.open('/')), [], 'and not again at once')
    t.match(await getSession(browser), { user: { name: 'grace' } })
  })

  t.test(`${strategy}: updateAge and maxAge are options`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy, updateAge: 60, maxAge: 3600 } })
    await signInByForm(browser)
    clock.advance(60)
    t.same(setBy(await browser.open('/')), [cookieNames.sessionToken])
    clock.advance(3599)
    t.match(await getSession(browser), { user: { name: 'grace' } }, 'a session that is used lives on')
    const copy = getToken(browser)
    clock.advance(3700)
    browser.cookies.set(cookieNames.sessionToken, copy, { secure: true, httpOnly: true })
    t.same(await getSession(browser), {}, 'one that is not renewed ends, whatever the browser keeps (A55)')
    t.notOk(getToken(browser), 'and its cookie is cleared')
  })

  t.test(`${strategy}: absoluteMaxAge bounds a session that is used every day`, async (t) => {
    const { browser, clock } = await start(t, { session: { strategy, absoluteMaxAge: 40 * day } })
    await signInByForm(browser)
    for (let count = 1; count < 40; count++) {
      clock.advance(day)
      t.match(await getSession(browser), { user: { name: 'grace' } }, `day ${count}`)
    }
    clock.advance(day)
    t.same(await getSession(browser), {})
  })

  t.test(`${strategy}: an invalid session cookie is cleared, once, and has no user`, async (t) => {
    const { browser, store } = await start(t, { session: { strategy } })
    const planted = [
      'x',
      '',
      'h1.x',
      'a.b.c.d.e',
      `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${'A'.repeat(16)}.AAAA.AAAA`,
      '%',
      '__proto__'
    ]
    for (const value of planted) {
      browser.cookies.set(cookieNames.sessionToken, value, { secure: true, httpOnly: true })
      const response = await browser.open('/api/auth/session')
      t.same([response.status, response.json()], [200, {}], value)
      t.notOk(getToken(browser))
    }
    t.equal(store.count('deleteSession'), 0)
    t.same(setBy(await browser.open('/api/auth/session')), [])
  })

  t.test(`${strategy}: the callbacks see what next-auth v4 shows them`, async (t) => {
    const requests: object[] = []
    const callbacks = {
      jwt: (question: JwtCallbackInput) => {
        requests.push({ hook: 'jwt', ...question })
        return question.trigger === 'signUp' ? { ...question.token, role: 'admin' } : question.token
      },
      session: (question: SessionCallbackInput) => {
        requests.push({ hook: 'session', ...question })
        return Object.assign({}, question.session, { role: question.token?.['role'] ?? question.user?.id })
      }
    }
    const started = await start(t, { session: { strategy }, callbacks })
    const { browser } = started
    await signInByMail(started, browser)
    const atSignIn = {
      hook: 'jwt',
      token: { name: null, email: 'ada@example.com', picture: null, sub: String },
      user: { email: 'ada@example.com' },
      account: { provider: 'email', type: 'email' },
      trigger: 'signUp',
      isNewUser: true
    }
    t.match(requests, strategy === 'jwt' ? [atSignIn] : [])
    requests.length = 0
    const session = await browser.json<{ role: string }>('/api/auth/session')
    t.ok(session.role)
    const read = { hook: 'session', session: { user: { email: 'ada@example.com' }, expires: String } }
    t.match(
      requests,
      strategy === 'jwt'
        ? [{ hook: 'jwt' }, { ...read, token: { role: 'admin' } }]
        : [{ ...read, user: { id: String } }]
    )
  })

  t.test(`${strategy}: POST /session passes the client’s data to the callbacks`, async (t) => {
    const callbacks = {
      jwt: ({ token, trigger, session }: JwtCallbackInput) =>
        trigger === 'update' ? { ...token, name: String(session) } : token,
      session: ({ session, trigger, newSession }: SessionCallbackInput) =>
        trigger === 'update' ? { ...session, user: { ...session.user, name: String(newSession) } } : session
    }
    const { browser, log } = await start(t, { session: { strategy }, callbacks })
    const noSession = await browser.submit('/api/auth/session', { data: 'Ada' }, { json: true })
    t.same([noSession.status, noSession.json()], [200, {}])
    await signInByForm(browser)
    const updated = await browser.submit('/api/auth/session', { data: 'Grace Hopper' }, { json: true })
    t.equal(updated.status, 200)
    if (strategy === 'database') t.match(updated.json(), { user: { name: 'Grace Hopper' } })
    else t.match(await getSession(browser), { user: { name: 'Grace Hopper' } })
    t.notOk(log.some((line) => JSON.parse(line).level >= 50))
  })

  t.test(`${strategy}: a callback that throws is not a user for this once, and the session remains`, async (t) => {
    let isBroken = false
    const fail = () => {
      if (isBroken) throw new Error('the role is missing')
    }
    const callbacks = {
      session: ({ session }: SessionCallbackInput) => {
        fail()
        return session
      }
    }
    const { browser, log } = await start(t, { session: { strategy }, callbacks })
    await signInByForm(browser)
    isBroken = true
    const response = await browser.open('/api/auth/session')
    t.same({ body: response.json(), cookies: setBy(response) }, { body: {}, cookies: [] })
    t.equal((await browser.request('GET', '/me')).status, 401)
    t.ok(log.some((line) => /"code":"(JWT_)?SESSION_ERROR"/.test(line)))
    isBroken = false
    t.match(await getSession(browser), { user: { name: 'grace' } })
  })

  t.test(`${strategy}: the event is emitted for every read`, async (t) => {
    const reported: object[] = []
    const { browser } = await start(t, {
      session: { strategy },
      events: { session: (payload) => void reported.push(payload) }
    })
    await getSession(browser)
    t.same(reported, [])
    await signInByForm(browser)
    await getSession(browser)
    t.match(reported, [{ session: { user: { name: 'grace' } } }])
  })
}

t.test('jwt: a token about no user is not a session (R13)', async (t) => {
  const { browser } = await start(t, { session: { strategy: 'jwt' }, runtime: { now: Date.now } })
  for (const token of [{}, { name: 'Ada' }, { sub: '' }, { sub: ['7'] as never }]) {
    browser.cookies.set(cookieNames.sessionToken, await encode({ token, secret, maxAge: 60 }))
    t.same(await getSession(browser), {})
  }
})

const uuid = (): string => '8a2c8b1e-1f0d-4c8e-9d53-57a6f0a1c2d3'

for (const storage of ['hashed', 'both', 'plain'] as const) {
  for (const [title, generateSessionToken] of [
    ['Postern’s tokens', undefined],
    ["the application's tokens", uuid]
  ] as const) {
    t.test(`storage-1: database, ${storage}, ${title}: no column value of the store is a cookie`, async (t) => {
      const file = `${t.testdir()}/app.db`
      const adapter = sqliteAdapter({ file })
      t.teardown(() => adapter.close())
      const started = await start(t, { adapter, session: { strategy: 'database', storage, generateSessionToken } })
      await signInByMail(started, started.browser)
      t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
      const dump = new Database(file, { readonly: true })
      t.teardown(() => dump.close())
      const tables = dump.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
      const values = tables.flatMap((table) =>
        dump
          .prepare(`select * from "${table}"`)
          .all()
          .flatMap((row) => Object.values(row as object))
      )
      t.ok(values.length > 5)
      for (const value of new Set(values.map(String))) {
        const thief = started.newBrowser()
        thief.cookies.set(cookieNames.sessionToken, value)
        t.same(await getSession(thief), {})
        thief.cookies.set(cookieNames.sessionToken, value)
        thief.cookies.set(sessionProof, value)
        t.same(await getSession(thief), {}, 'nor is it its own proof')
      }
      t.equal(values.includes(getToken(started.browser)), storage === 'plain')
      await started.browser.submit('/api/auth/signout', {})
      t.equal(started.browser.cookies.get(sessionProof), null, 'nothing is left in the browser')
    })
  }
}

t.test('database: a cookie that starts with h1. is refused before the store is called', async (t) => {
  for (const storage of ['hashed', 'both', 'plain'] as const) {
    const started = await start(t, { session: { strategy: 'database', storage } })
    const { browser, store } = started
    await signInByMail(started, started.newBrowser())
    const [row] = store.calls
      .filter(({ method }) => method === 'createSession')
      .map(({ args }) => args[0] as AdapterSession)
    const { sessionToken = '' } = row ?? {}
    store.forget()
    for (const value of [sessionToken, 'h1.', 'h1.anything'].filter((text) => text.startsWith('h1.'))) {
      browser.cookies.set(cookieNames.sessionToken, value, { secure: true, httpOnly: true })
      t.same(await getSession(browser), {})
    }
    t.equal(store.count(), 0)
  }
})

t.test('database: both reads the plain rows of next-auth v4, and writes hashed ones', async (t) => {
  const adapter = memoryAdapter()
  const user = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
  const started = await start(t, { adapter, session: { strategy: 'database', storage: 'both' } })
  const { browser, clock } = started
  const expires = new Date(clock.now() + 30 * day * 1000)
  await adapter.createSession({ sessionToken: 'a row of v4', userId: user.id, expires })
  browser.cookies.set(cookieNames.sessionToken, 'a%20row%20of%20v4', { secure: true, httpOnly: true })
  const both = await Promise.all([getSession(browser), getSession(browser)])
  t.match(both, [{ user: { name: 'Ada' } }, { user: { name: 'Ada' } }])
  t.notOk(await adapter.getSessionAndUser('a row of v4'), 'from its first use on it is kept hashed')
  t.match(await adapter.listSessions(user.id), [{ sessionToken: /^h1\.[\w-]{43}$/, expires }])
  clock.advance(2 * day)
  t.match(await getSession(browser), { user: { name: 'Ada' } }, 'and renewed')
  await signInByMail(started, browser)
  t.match(await adapter.listSessions(user.id), [{ sessionToken: /^h1\.[\w-]{43}$/ }])
})

t.test('database: a token of a session is 256 random bits', async (t) => {
  const { newBrowser } = await start(t, { session: { strategy: 'database' }, rateLimit: false })
  const tokens = new Set<string>()
  for (let count = 0; count < 20; count++) {
    const browser = newBrowser()
    await signInByForm(browser)
    const [, random = ''] = /^p1\.[\w-]{16}\.([\w-]{43})\._[0-9a-z]+\.[0-9a-z]+$/.exec(getToken(browser)) ?? []
    tokens.add(random)
  }
  t.equal(tokens.size, 20)
  t.notOk(tokens.has(''), 'after the tag of the application')
})

t.test('database: the application may make the tokens', async (t) => {
  const generateSessionToken = () => 'made by the application'
  const { browser } = await start(t, { session: { strategy: 'database', generateSessionToken } })
  await signInByForm(browser)
  t.match(decodeURIComponent(getToken(browser)), /^p1\.[\w-]{16}\.made by the application$/)
  t.match(await getSession(browser), { user: { name: 'grace' } })
})

/** A store with inexact matches: a collation that ignores case. */
function looseAdapter(): Adapter {
  const { transact: _, ...adapter } = memoryAdapter()
  const rows: AdapterSession[] = []
  return {
    ...withoutTransactions(adapter),
    createSession: async (session) => {
      rows.push(session)
      return adapter.createSession(session)
    },
    getSessionAndUser: async (token) => {
      const row = rows.find(({ sessionToken }) => sessionToken.toLowerCase() === token.toLowerCase())
      return row ? adapter.getSessionAndUser(row.sessionToken) : null
    }
  }
}

t.test('account-2: database: a store with inexact comparison does not decide the user of a session', async (t) => {
  const adapter = looseAdapter()
  const generateSessionToken = () => 'MiXeD'
  const session = { strategy: 'database', storage: 'plain', generateSessionToken } as const
  const { browser, newBrowser, clock } = await start(t, { adapter, session })
  await signInByForm(browser)
  t.match(await getSession(browser), { user: { name: 'grace' } })
  const user = await adapter.createUser?.({ name: 'Alan', email: 'alan@example.com', emailVerified: null })
  // A session of another library has no second cookie.
  const expires = new Date(clock.now() + 86_400_000)
  await adapter.createSession?.({ sessionToken: 'AnOtHeR', userId: user?.id ?? '', expires })
  const read = async (token: string) => {
    const reader = newBrowser()
    for (const { name, value } of browser.cookies.all())
      reader.cookies.set(name, name === cookieNames.sessionToken ? token : value)
    return getSession(reader)
  }
  for (const [name, token] of [
    ['grace', getToken(browser)],
    ['Alan', 'AnOtHeR']
  ] as const) {
    t.match(await read(token), { user: { name } })
    t.same(await read(token.replace(/MiXeD|AnOtHeR/, (text) => text.toLowerCase())), {}, name)
  }
})

t.test('outage-1: an outage of the store is 503 everywhere, and never a sign-out', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const { app, browser, store, clock } = started
  app.get('/optional', async (request) => ({ name: (await request.getSession())?.user?.name ?? 'nobody' }))
  await signInByForm(browser)
  const before = getToken(browser)
  for (const methods of [[], ['getSessionAndUser']] as const) {
    store.breakDown(...methods)
    for (const path of ['/api/auth/session', '/optional', '/me', '/']) {
      for (const accept of ['text/html', 'application/json']) {
        const response = await browser.request('GET', path, { headers: { accept } })
        t.same({ status: response.status, cookies: setBy(response) }, { status: 503, cookies: [] }, `${path} ${accept}`)
        t.notMatch(response.body, /ECONNREFUSED|internal/)
      }
    }
    t.equal((await browser.request('HEAD', '/api/auth/session')).status, 503)
  }
  clock.advance(2 * day)
  store.breakDown('updateSession')
  t.equal((await browser.request('GET', '/me')).status, 503, 'also where only the renewal fails')
  store.restore()
  t.equal(getToken(browser), before)
  t.match(await getSession(browser), { user: { name: 'grace' } })
})

t.test('a store that responds invalid data is an outage, and no user’s session (A15)', async (t) => {
  for (const result of [{}, { session: {} }, 'yes', 7, { session: { sessionToken: 'x' }, user: { id: '1' } }]) {
    const adapter: Adapter = { ...memoryAdapter(), getSessionAndUser: () => result as never }
    const { browser } = await start(t, { adapter, session: { strategy: 'database' } })
    browser.cookies.set(cookieNames.sessionToken, 'x', { secure: true, httpOnly: true })
    t.equal((await browser.open('/api/auth/session')).status, 503)
    t.equal((await browser.request('GET', '/me')).status, 503)
  }
})
