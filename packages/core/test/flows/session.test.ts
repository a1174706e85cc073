import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import t from 'tap'
import { decode, encode } from '../../src/jwt.ts'
import { createPostern } from '../../src/postern.ts'
import {
  begin,
  checkCookies,
  comeBack,
  demoProvider,
  getSession,
  origin,
  people,
  secret,
  sessionCookie,
  signIn,
  start
} from './start.ts'

const day = 24 * 60 * 60
const form = '/api/auth/callback/credentials'
const startSignIn = (browser: Browser) => browser.submit(form, { username: 'ada', password: 'lovelace' })

t.test('a visitor without cookies is not a user, and gets none', async (t) => {
  const { browser } = start()
  for (const path of ['/api/auth/session', '/api/auth/providers']) {
    const response = await browser.open(path)
    t.same(response.setCookies, [])
    t.match(response.headers, {
      'cache-control': 'private, no-cache, no-store',
      vary: 'Cookie',
      'content-type': /json/
    })
  }
  t.same(await getSession(browser), {})
})

t.test('in the format of Auth.js, the user is the one of the new token, and no session is null', async (t) => {
  for (const [format, name, none] of [
    ['auth-js', 'Augusta', 'null'],
    ['next-auth', 'ada', '{}']
  ] as const) {
    const { browser } = start({
      session: { format },
      callbacks: { jwt: ({ token, user }) => (user ? token : { ...token, name: 'Augusta' }) }
    })
    t.equal((await browser.open('/api/auth/session')).body, none)
    await startSignIn(browser)
    t.match(await getSession(browser), { user: { name } })
  }
})

t.test('an invalid cookie is cleared', async (t) => {
  const { browser } = start()
  for (const value of ['', 'a', '....', '{}', 'a'.repeat(3900), 'h1.a']) {
    browser.cookies.set(sessionCookie, value, { secure: true })
    t.same(await getSession(browser), {}, value.slice(0, 10))
    t.equal(browser.cookies.get(sessionCookie), null)
  }
  browser.cookies.set(`${sessionCookie}.0`, 'a', { secure: true })
  browser.cookies.set(`${sessionCookie}.2`, 'a', { secure: true })
  t.same(await getSession(browser), {})
  t.equal(browser.cookies.all().length, 0, 'and so are its chunks')
})

t.test('cookie-2: with the prefix __Host-, a subdomain can plant no session', async (t) => {
  const prefix = '__Host-next-auth'
  const names = { sessionToken: 'session-token', state: 'state', pkceCodeVerifier: 'pkce', nonce: 'nonce' }
  const cookies = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, { name: `${prefix}.${name}` }]))
  const started = start({ cookies })
  const { browser, newBrowser } = started
  const done = await signIn(started, browser)
  const set = done.setCookies.filter(({ name }) => name === `${prefix}.session-token`)
  t.match(set, [{ path: '/', domain: null, secure: true, httpOnly: true }])
  const planted = newBrowser()
  const token = browser.cookies.get(`${prefix}.session-token`) ?? ''
  t.ok(token)
  planted.cookies.set(sessionCookie, token, { secure: true })
  t.same(await getSession(planted), {}, 'the name that a subdomain can use is not read')
  t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
})

t.test('a session that is used is written again once a day and not before', async (t) => {
  const { browser, clock } = start()
  await startSignIn(browser)
  const first = browser.cookies.get(sessionCookie)
  clock.advance(day - 1)
  t.match(await getSession(browser), { expires: '2030-01-31T00:00:00.000Z' })
  t.equal(browser.cookies.get(sessionCookie), first)
  clock.advance(1)
  t.match(await getSession(browser), { user: { name: 'ada' }, expires: '2030-02-01T00:00:00.000Z' })
  const second = browser.cookies.get(sessionCookie)
  t.not(second, first)
  await getSession(browser)
  t.equal(browser.cookies.get(sessionCookie), second)
})

t.test('a session that is used every day remains valid; one that is not ends after 30 days', async (t) => {
  const { browser, clock } = start()
  await startSignIn(browser)
  for (let days = 0; days < 100; days++) {
    clock.advance(day)
    t.match(await getSession(browser), { user: { name: 'ada' } })
  }
  const token = browser.cookies.get(sessionCookie) ?? ''
  clock.advance(30 * day - 1)
  browser.cookies.set(sessionCookie, token, { secure: true })
  t.match(await getSession(browser), { user: { name: 'ada' } })
  clock.advance(30 * day)
  browser.cookies.set(sessionCookie, token, { secure: true })
  t.same(await getSession(browser), {}, 'also if the cookie is still there')
})

t.test('no use keeps a session beyond its absolute limit', async (t) => {
  const { browser, clock } = start({ session: { absoluteMaxAge: 10 * day } })
  await startSignIn(browser)
  for (let days = 1; days < 10; days++) {
    clock.advance(day)
    t.match(await getSession(browser), { user: { name: 'ada' }, expires: '2030-01-11T00:00:00.000Z' })
  }
  const token = browser.cookies.get(sessionCookie) ?? ''
  clock.advance(day)
  browser.cookies.set(sessionCookie, token, { secure: true })
  t.same(await getSession(browser), {})
})

t.test('a token ends with its session, or at jwt.maxAge if that is earlier', async (t) => {
  for (const [jwt, session, lasts] of [
    [3600, 7200, 3600],
    [7200, 3600, 3600],
    [undefined, 90 * day, 90 * day],
    [30 * day, 90 * day, 30 * day]
  ] as const) {
    const { browser, clock } = start({ jwt: { maxAge: jwt }, session: { maxAge: session } })
    await startSignIn(browser)
    const token = browser.cookies.get(sessionCookie) ?? ''
    const expires = new Date(clock.now() + lasts * 1000).toISOString()
    if (jwt === undefined) t.match(await getSession(browser), { expires }, 'the session says so, too')
    clock.advance(lasts + 9)
    browser.cookies.set(sessionCookie, token, { secure: true })
    t.match(await getSession(browser), { user: { name: 'ada' } }, 'the clock of the server may differ')
    clock.advance(1)
    browser.cookies.set(sessionCookie, token, { secure: true })
    t.same(await getSession(browser), {})
  }
})

t.test('the clock tolerance of JWT sessions is an option', async (t) => {
  for (const clockTolerance of [0, 300]) {
    const { browser, clock } = start({ constants: { clockTolerance }, session: { maxAge: 3600 } })
    await startSignIn(browser)
    const token = browser.cookies.get(sessionCookie) ?? ''
    const isSignedInAfter = async (seconds: number): Promise<boolean> => {
      clock.advance(seconds)
      browser.cookies.set(sessionCookie, token, { secure: true })
      return (await getSession(browser)).user !== undefined
    }
    t.equal(await isSignedInAfter(3599 + clockTolerance), true, `${clockTolerance}`)
    t.equal(await isSignedInAfter(1), false, `${clockTolerance}`)
  }
})

t.test('an update reaches the jwt callback, and its result the session', async (t) => {
  const seen: unknown[] = []
  const { browser } = start({
    callbacks: {
      jwt: ({ token, trigger, session }) => {
        if (trigger === 'update') seen.push(session)
        const { theme = null } = { ...(typeof session === 'object' ? session : {}) } as { theme?: string | null }
        return trigger === 'update' && theme ? { ...token, theme } : token
      },
      session: ({ session, token }) => ({ ...session, theme: token?.['theme'] })
    }
  })
  await startSignIn(browser)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const before = browser.cookies.get(sessionCookie)
  const body = JSON.stringify({ csrfToken, data: { theme: 'dark', deep: [{ a: 1 }] } })
  const updated = await browser.post('/api/auth/session', body, { 'content-type': 'application/json' })
  t.match([updated.status, updated.json()], [200, { user: { name: 'ada' }, theme: 'dark' }])
  t.not(browser.cookies.get(sessionCookie), before)
  t.match(await getSession(browser), { theme: 'dark' })
  await browser.submit('/api/auth/session', { data: 'text' })
  await browser.submit('/api/auth/session', {})
  t.same(seen, [{ theme: 'dark', deep: [{ a: 1 }] }, 'text', undefined])
  t.match(await getSession(browser), { theme: 'dark' })
})

t.test('an update of no user is nothing, and needs the token anyway', async (t) => {
  const { browser } = start()
  const updated = await browser.submit('/api/auth/session', { data: 'x' })
  t.match([updated.status, updated.json(), browser.cookies.get(sessionCookie)], [200, {}, null])
  t.equal((await browser.post('/api/auth/session', 'data=x')).status, 400)
})

t.test('without a callback, the client cannot change its session', async (t) => {
  const { browser } = start()
  await startSignIn(browser)
  const body = { data: JSON.stringify({ name: 'eve', sub: 'id-eve' }), name: 'eve', sub: 'id-eve', user: 'eve' }
  await browser.submit('/api/auth/session', body)
  t.match(await getSession(browser), { user: { name: 'ada', email: 'ada@example.com' } })
})

t.test('a token is written again only if the jwt callback changed it', async (t) => {
  const state = { visits: 0, counts: true }
  const { browser } = start({
    callbacks: { jwt: ({ token }) => (state.counts ? { ...token, visits: ++state.visits } : token) }
  })
  await startSignIn(browser)
  const first = browser.cookies.get(sessionCookie)
  await getSession(browser)
  const second = browser.cookies.get(sessionCookie)
  t.not(second, first)
  state.counts = false
  await getSession(browser)
  t.equal(browser.cookies.get(sessionCookie), second)
})

for (const callback of ['jwt', 'session'] as const) {
  t.test(`a ${callback} callback that throws means no session, for this request`, async (t) => {
    const state = { works: true }
    const { browser, log } = start({
      callbacks: {
        jwt: ({ token }) => {
          if (callback === 'jwt' && !state.works) throw new Error('mistake')
          return token
        },
        session: ({ session }) => {
          if (callback === 'session' && !state.works) throw new Error('mistake')
          return session
        }
      }
    })
    await startSignIn(browser)
    state.works = false
    t.same(await getSession(browser), {})
    t.ok(browser.cookies.get(sessionCookie), 'the cookie remains')
    t.equal(log.length, 1)
    state.works = true
    t.match(await getSession(browser), { user: { name: 'ada' } })
  })
}

t.test('a callback that returns invalid data means no session', async (t) => {
  for (const result of [null, undefined, 'session', 1, false]) {
    const { browser } = start({ callbacks: { session: () => result as never } })
    await startSignIn(browser)
    t.same(await getSession(browser), {})
  }
})

t.test('rotation: a new secret before the old one signs no one out, and interrupts no one', async (t) => {
  const before = start({ secret: 'o'.repeat(32) })
  const { browser, issuer } = before
  await startSignIn(browser)
  const url = await begin(browser, { callbackUrl: '/me' })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const after = start({
    secret: ['n'.repeat(32), 'o'.repeat(32)],
    providers: [demoProvider(issuer), people],
    runtime: { now: before.clock.now, fetch: (address, init) => issuer.fetch(address, init) }
  })
  const same = (auth: typeof before.auth): Browser =>
    createBrowser({ origin, send: fromFetch(auth.fetch), cookies: browser.cookies, clock: before.clock })
  const later = same(after.auth)
  t.match(await getSession(later), { user: { name: 'ada' } })
  t.equal((await later.submit('/api/auth/session', { csrfToken })).status, 200, 'the anti-forgery token still counts')
  t.equal(
    (await comeBack(later, await issuer.authorize(url))).location,
    `${origin}/me`,
    'an attempt in progress completes'
  )
  t.match(await getSession(later), { user: { name: 'Ada Lovelace' } })

  const dropped = start({ secret: 'n'.repeat(32), runtime: { now: before.clock.now } })
  t.match(await getSession(same(dropped.auth)), { user: { name: 'Ada Lovelace' } }, 'written with the new secret')
  const foreign = start({ secret: 'x'.repeat(32), runtime: { now: before.clock.now } })
  t.same(await getSession(same(foreign.auth)), {}, 'another secret reads nothing')
})

// @alone: by default, the only registration of a process accepts tokens that name no application.
t.test('next-auth v4’s session token is a session, and Postern’s is valid in v4', async (t) => {
  const { browser } = start({ runtime: { now: Date.now } })
  const token = await encode({ token: { name: 'Ada', email: 'ada@example.com', sub: '1' }, secret })
  const machine = createBrowser({ origin, send: fromFetch(start({ runtime: { now: Date.now } }).auth.fetch) })
  machine.cookies.set(sessionCookie, token, { secure: true })
  t.match(await getSession(machine), { user: { name: 'Ada', email: 'ada@example.com' } })
  await startSignIn(browser)
  const own = await decode({ token: browser.cookies.get(sessionCookie) ?? '', secret })
  t.match(own, { name: 'ada', sub: 'id-ada', jti: /./ })
})

t.test('a session of 60 kB travels in chunks, and shrinks without leftovers', async (t) => {
  const state = { size: 45_000 }
  const { browser } = start({
    // As for a server that was started with `--max-http-header-size`.
    constants: { cookieBudget: 64_000 },
    callbacks: { jwt: ({ token }) => ({ ...token, load: 'x'.repeat(state.size) }) }
  })
  const chunks = (): number => browser.cookies.all().filter(({ name }) => name.startsWith(sessionCookie)).length
  await startSignIn(browser)
  t.ok(chunks() > 12)
  for (const size of [45_000, 6000, 10, 9000]) {
    state.size = size
    t.match(await getSession(browser), { user: { name: 'ada' } })
    t.equal(chunks(), Math.max(1, Math.ceil(((size + 350) * 4) / 3 / 3933)), `${size}`)
    t.match(await getSession(browser), { user: { name: 'ada' } })
  }
  await browser.submit('/api/auth/signout', {})
  t.equal(chunks(), 0)
})

t.test('a missing chunk is not a session, a planted one is no other session', async (t) => {
  const { browser, newBrowser } = start({ callbacks: { jwt: ({ token }) => ({ ...token, load: 'x'.repeat(6000) }) } })
  await startSignIn(browser)
  const jar = browser.cookies.clone()
  const other = newBrowser()
  await other.submit(form, { username: 'eve', password: 'lovelace' })
  browser.cookies.set(`${sessionCookie}.1`, other.cookies.get(`${sessionCookie}.1`) ?? '', { secure: true })
  t.same(await getSession(browser), {}, 'one chunk of another')
  const missing = newBrowser()
  for (const { name, value, ...attributes } of jar.all())
    if (!name.endsWith('.1')) missing.cookies.set(name, value, attributes)
  t.same(await getSession(missing), {})
})

t.test('no cookie counts under another cookie’s name', async (t) => {
  const started = start()
  const { browser, newBrowser, issuer } = started
  await startSignIn(browser)
  const url = await begin(browser)
  const names = [sessionCookie, '__Host-next-auth.csrf-token', '__Secure-next-auth.callback-url', ...checkCookies]
  const values = names.map((name) => [name, browser.cookies.get(name) ?? ''] as const)
  for (const [from, value] of values) {
    for (const to of names) {
      if (from === to || value === '') continue
      const mixed = newBrowser()
      for (const [name, own] of values) mixed.cookies.set(name, name === to ? value : own, { secure: true })
      if (to === sessionCookie) t.same(await getSession(mixed), {}, `${from} as a session`)
      if (to.includes('csrf')) {
        const [token = ''] = decodeURIComponent(value).split('|')
        const form = new URLSearchParams({ csrfToken: token, username: 'ada', password: 'lovelace' })
        t.match(
          (await mixed.post('/api/auth/callback/credentials', `${form}`)).location,
          /csrf=true$/,
          `${from} as an anti-forgery token`
        )
      }
      if (checkCookies.includes(to)) {
        mixed.cookies.delete(sessionCookie)
        const back = await comeBack(mixed, await issuer.authorize(url))
        t.not(back.location, origin, `${from} as ${to}`)
        t.same(await getSession(mixed), {})
      }
    }
  }
})

t.test('two applications with different secrets do not know one another’s visitors', async (t) => {
  const [one, other] = [start({ secret: 'a'.repeat(40) }), start({ secret: 'b'.repeat(40) })]
  await startSignIn(one.browser)
  const visitor = createBrowser({
    origin,
    send: fromFetch(other.auth.fetch),
    cookies: one.browser.cookies,
    clock: one.clock
  })
  t.same(await getSession(visitor), {})
})

t.test('HEAD and GET of every page sign no one in or out, and HEAD leaves nothing behind', async (t) => {
  const { browser, clock } = start()
  await startSignIn(browser)
  clock.advance(2 * day)
  const held = browser.cookies.get(sessionCookie)
  for (const path of [
    'session',
    'csrf',
    'providers',
    'signin',
    'signout',
    'error',
    'verify-request',
    'callback/demo?code=a&state=b',
    'callback/credentials'
  ]) {
    const head = await browser.request('HEAD', `/api/auth/${path}`)
    t.same([head.setCookies, head.body], [[], ''], path)
  }
  await browser.open('/api/auth/signout')
  t.equal(browser.cookies.get(sessionCookie), held)
  t.match(await getSession(browser), { user: { name: 'ada' } })
})

t.test('the server reads and changes a session without a route', async (t) => {
  const { auth, browser } = start({
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, role: session } : token),
      session: ({ session, token }) => ({ ...session, role: token?.['role'] })
    }
  })
  await startSignIn(browser)
  const cookies = new Map(browser.cookies.all().map(({ name, value }) => [name, value]))
  const headers = { cookie: browser.cookies.header({ url: new URL(origin), method: 'GET', site: null }) ?? '' }
  t.match(await auth.getSession(new Request(origin, { headers })), { user: { name: 'ada' } })
  t.equal(await auth.getSession(new Request(origin)), null)
  const reading = await auth.readSession({ origin, cookies })
  t.match(
    [reading.session, reading.principal, reading.cookies.size],
    [{ user: { name: 'ada' } }, { userId: 'id-ada', authenticatedAt: new Date('2030-01-01') }, 0]
  )
  const updated = await auth.updateSession({ origin, cookies }, 'admin')
  t.match([updated.session, updated.cookies.size], [{ role: 'admin' }, 1])
  t.match(await auth.updateSession({ origin, cookies: new Map() }, 'admin'), { session: null, principal: null })
  const opened = await auth.openSession({ id: '7', name: 'Grace' }, origin)
  t.match([...opened.keys()], [sessionCookie])
})

t.test('a jwt callback that changes its user changes neither who signed in, nor when', async (t) => {
  const started = start({
    callbacks: {
      jwt: ({ token, user }) => {
        if (!user) return token
        Object.assign(user, { id: 'id-grace' })
        started.clock.advance(60)
        return {}
      }
    }
  })
  const { auth, browser } = started
  await startSignIn(browser)
  const cookies = new Map([[sessionCookie, browser.cookies.get(sessionCookie) ?? '']])
  const { principal } = await auth.readSession({ origin, cookies })
  t.same([principal?.userId, principal?.signedInAt], ['id-ada', new Date('2030-01-01T00:00:00.000Z')])
})

t.test('tokens of the application’s own make, also where reading one throws', async (t) => {
  const jwt = {
    encode: ({ token = {}, secret: key = '' }) =>
      `${Buffer.from(JSON.stringify(token)).toString('base64url')}.${key.length}`,
    decode: ({ token = '' }) => {
      const text = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
      return JSON.parse(text) as Record<string, unknown>
    }
  }
  const { browser, log } = start({ jwt })
  await startSignIn(browser)
  t.match(await getSession(browser), { user: { name: 'ada' }, expires: '2030-01-31T00:00:00.000Z' })
  browser.cookies.set(sessionCookie, 'damaged', { secure: true })
  const session = await browser.open('/api/auth/session')
  t.match([session.status, session.json()], [200, {}])
  t.match(log, [{ level: 'warn', code: 'JWT_SESSION_ERROR' }])
})

t.test('session tokens may have a secret to themselves', async (t) => {
  const { browser } = start({ jwt: { secret: ['j'.repeat(32), secret] }, runtime: { now: Date.now } })
  await startSignIn(browser)
  const token = browser.cookies.get(sessionCookie) ?? ''
  await t.rejects(decode({ token, secret }))
  t.match(await decode({ token, secret: 'j'.repeat(32) }), { sub: 'id-ada' })
})

t.test('on http the cookies have no prefix and the browser takes them', async (t) => {
  const started = start()
  const local = 'http://localhost:3000'
  const auth = createPostern({ url: local, secret, providers: [people] }, {})
  const browser = createBrowser({ origin: local, send: fromFetch(auth.fetch) })
  await startSignIn(browser)
  t.ok(browser.cookies.get('next-auth.session-token'))
  t.match(await getSession(browser), { user: { name: 'ada' } })
  await signIn(started, started.browser)
  t.ok(started.browser.cookies.all().every(({ name, httpOnly, secure }) => name.startsWith('__') && httpOnly && secure))
})
