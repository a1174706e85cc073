import { memoryAdapter } from '@postern/adapters/memory'
import type { JwtCallbackInput } from '@postern/core'
import { decode as ourDecode, getToken as ourGetToken } from '@postern/core/jwt'
import { type CookieJar, createClock, createCookieJar } from '@postern/testkit'
import { decode, encode, getToken } from 'next-auth/jwt'
import credentials from 'next-auth/providers/credentials'
import t from 'tap'
import { startNextAuth } from '../next-auth.ts'
import { secret, startPostern } from '../postern.ts'

const name = '__Secure-next-auth.session-token'
const claims = { name: 'Ada', email: 'ada@example.com', picture: 'https://app.test/ada.png', sub: '1' }
const user = { name: 'Ada', email: 'ada@example.com', image: 'https://app.test/ada.png' }
const days = (count: number): number => count * 24 * 60 * 60

const provider = credentials.default({
  credentials: { password: { type: 'password' } },
  authorize: () => ({ id: '1', ...user })
})

/** Fills a token so that its cookie comes in pieces. */
const filling = (size: number): string => 'x'.repeat(size)

interface Question {
  readonly token: Record<string, unknown>
  readonly trigger?: string
  readonly session?: unknown
}

const callbacks = (size: number) => ({
  jwt: async ({ token, trigger, session }: Question) => ({
    ...token,
    filling: trigger === 'update' ? filling(Number(session)) : (token['filling'] ?? filling(size))
  })
})

async function both(t: Parameters<typeof startPostern>[0], size: number = 0) {
  const options = { providers: [provider], callbacks: callbacks(size) }
  const [nextAuth, postern] = [await startNextAuth(t, options), await startPostern(t, options)]
  return [
    ['next-auth', 'Postern', nextAuth, postern],
    ['Postern', 'next-auth', postern, nextAuth]
  ] as const
}

const pieces = (jar: CookieJar): readonly string[] =>
  jar
    .all()
    .map((cookie) => cookie.name)
    .filter((cookie) => cookie.startsWith(name))
    .sort()

const headers = (jar: CookieJar): { cookie: string } => ({
  cookie: jar
    .all()
    .map((cookie) => `${cookie.name}=${encodeURIComponent(cookie.value)}`)
    .join('; ')
})

const getCookies = (jar: CookieJar): Record<string, string> =>
  Object.fromEntries(jar.all().map((cookie) => [cookie.name, cookie.value]))

const nextAuthToken = (jar: CookieJar): ReturnType<typeof getToken> =>
  getToken({ req: { headers: {}, cookies: getCookies(jar) }, secret, secureCookie: true })

for (const size of [0, 3000, 6000, 7000]) {
  t.test(`a session with ${size} characters more`, async (t) => {
    for (const [one, other, writer, reader] of await both(t, size)) {
      const jar = createCookieJar()
      const written = await writer.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
      t.equal(written.location, 'https://app.test', `${one} signs in`)
      t.equal(pieces(jar).length > 1, size > 2000, pieces(jar).join())
      t.match(await reader.browser(jar).json('/api/auth/session'), { user }, `${other} reads it`)
      t.match(await writer.browser(jar).json('/api/auth/session'), { user }, `${one} reads what ${other} left`)
      const both = [await ourGetToken({ req: { headers: headers(jar) }, secret }), await nextAuthToken(jar)]
      t.match(both, [claims, claims], 'both getToken')

      await reader.browser(jar).submit('/api/auth/signout', {})
      t.same(pieces(jar), [], `${other} takes every piece away at sign-out`)
      t.same(await writer.browser(jar).json('/api/auth/session'), {}, `${one} knows no one`)
    }
  })
}

t.test('a session that shrinks leaves no chunk behind, whichever library wrote it', async (t) => {
  for (const [one, other, writer, reader] of await both(t, 6500)) {
    const jar = createCookieJar()
    await writer.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
    t.equal(pieces(jar).length, 3)
    await reader.browser(jar).submit('/api/auth/session', { data: '10' }, { json: true })
    t.same(pieces(jar), [name], `${other} shrinks what ${one} wrote`)
    t.match(await writer.browser(jar).json('/api/auth/session'), { user })
    await reader.browser(jar).submit('/api/auth/session', { data: '5000' }, { json: true })
    t.equal(pieces(jar).includes(name), false, 'and grows it again')
    t.match(await writer.browser(jar).json('/api/auth/session'), { user })
  }
})

t.test('encode and decode of next-auth and of the session cookie fit', async (t) => {
  const postern = await startPostern(t, { providers: [provider] })
  const jar = createCookieJar()
  jar.set(name, await encode({ token: claims, secret }), { secure: true })
  t.match(await postern.browser(jar).json('/api/auth/session'), { user })
  t.match(await postern.browser(jar).json('/who'), { session: { user } }, 'also to the application')

  const fresh = createCookieJar()
  await postern.browser(fresh).submit('/api/auth/callback/credentials', { password: 'x' })
  const read = await decode({ token: fresh.get(name) ?? '', secret })
  t.match(read, { ...claims, iat: Number, exp: Number, jti: String })
})

t.test('next-auth keeps the application that a token names; a separate token gets one from us', async (t) => {
  const nextAuth = await startNextAuth(t, { providers: [provider] })
  const postern = await startPostern(t, { providers: [provider], session: { updateAge: 0 } })
  const getApplication = async (jar: CookieJar): Promise<unknown> =>
    (await decode({ token: jar.get(name) ?? '', secret }))?.['session_app']
  const jar = createCookieJar()
  await postern.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
  const written = jar.get(name)
  t.match(await nextAuth.browser(jar).json('/api/auth/session'), { user })
  t.not(jar.get(name), written, 'next-auth writes it again')
  t.equal(await getApplication(jar), '/api/auth')

  const other = createCookieJar()
  await nextAuth.browser(other).submit('/api/auth/callback/credentials', { password: 'x' })
  t.equal(await getApplication(other), undefined)
  t.match(await postern.browser(other).json('/api/auth/session'), { user })
  t.equal(await getApplication(other), '/api/auth')
  t.match(await nextAuth.browser(other).json('/api/auth/session'), { user })

  const strict = await startPostern(t, { providers: [provider], acceptUnbound: false })
  const unbound = createCookieJar()
  await nextAuth.browser(unbound).submit('/api/auth/callback/credentials', { password: 'x' })
  t.same(await strict.browser(unbound).json('/api/auth/session'), {}, 'unless the application opts in')
  t.match(await nextAuth.browser(unbound).json('/api/auth/session'), { user }, 'which signs no one out elsewhere')
})

t.test('a list of secrets signs no one out', async (t) => {
  const next = 'the next secret of the tests, long enough as well'
  const old = createCookieJar()
  old.set(name, await encode({ token: claims, secret }), { secure: true })
  const changing = await startPostern(t, { providers: [], secret: [next, secret], session: { updateAge: 0 } })
  t.match(await changing.browser(old).json('/api/auth/session'), { user }, 'the old secret reads')
  const changed = await startPostern(t, { providers: [], secret: next })
  t.match(await changed.browser(old).json('/api/auth/session'), { user }, 'the new one has written')
  const foreign = createCookieJar()
  foreign.set(name, await encode({ token: claims, secret }), { secure: true })
  t.same(await changed.browser(foreign).json('/api/auth/session'), {}, 'and alone it does not read the old')
  t.equal(foreign.get(name), null, 'whose cookie goes')
  const token = await encode({ token: claims, secret })
  t.match(await ourGetToken({ req: { headers: { cookie: `${name}=${token}` } }, secret: [next, secret] }), claims)
})

t.test('a session of next-auth keeps its age: it is renewed when it is a day old', async (t) => {
  const token = await encode({ token: claims, secret })
  for (const [age, isRenewed] of [
    [days(0.9), false],
    [days(1.1), true]
  ] as const) {
    const now = (): number => Date.now() + age * 1000
    const postern = await startPostern(t, { providers: [], runtime: { now } })
    const jar = createCookieJar()
    jar.set(name, token, { secure: true })
    t.match(await postern.browser(jar).json('/api/auth/session'), { user })
    t.equal(jar.get(name) !== token, isRenewed, `after ${age} seconds`)
  }
})

t.test('sessions that last less than an update interval are renewed as long as a user is there', async (t) => {
  const clock = createClock()
  const options = { providers: [provider], runtime: { now: clock.now } }
  for (const more of [{ session: { maxAge: 3600 } }, { jwt: { maxAge: 3600 } }]) {
    const postern = await startPostern(t, { ...options, ...more })
    const jar = createCookieJar(clock)
    const browser = postern.browser(jar)
    await browser.submit('/api/auth/callback/credentials', { password: 'x' })
    for (let quarter = 0; quarter < 8; quarter++) {
      clock.advance(20 * 60)
      t.match(await browser.json('/api/auth/session'), { user })
    }
    clock.advance(3700)
    t.same(await browser.json('/api/auth/session'), {})
  }
})

const broken: readonly (readonly [title: string, spoil: (jar: CookieJar) => void, isSession: boolean])[] = [
  ['a piece that is missing', (jar) => jar.delete(`${name}.1`), false],
  ['a piece of another user', (jar) => jar.set(`${name}.1`, 'x'.repeat(3933), { secure: true }), false],
  ['a piece that no one wrote', (jar) => jar.set(`${name}.7`, 'x', { secure: true }), false],
  ['a planted cookie next to the chunks', (jar) => jar.set(name, 'planted', { secure: true }), true],
  ['a cookie whose name only begins alike', (jar) => jar.set(`${name}-of-another`, 'x', { secure: true }), true]
]

for (const [title, corrupt, isSession] of broken) {
  t.test(`the pieces of next-auth with ${title}`, async (t) => {
    const [[, , nextAuth, postern]] = await both(t, 6500)
    const jar = createCookieJar()
    await nextAuth.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
    corrupt(jar)
    const response = await postern.browser(jar).open('/api/auth/session')
    t.equal(response.status, 200)
    t.match(response.json(), isSession ? { user } : {})
    t.equal('user' in Object(response.json()), isSession)
  })
}

t.test('a token of next-auth without sub is not a user', async (t) => {
  const postern = await startPostern(t, { providers: [] })
  const jar = createCookieJar()
  jar.set(name, await encode({ token: { name: 'Ada' }, secret }), { secure: true })
  t.same(await postern.browser(jar).json('/api/auth/session'), {})
})

t.test('jwt.decode may set the user of a next-auth token without sub', async (t) => {
  const jwt = {
    decode: async (parameters: Parameters<typeof ourDecode>[0]) => {
      const token = await ourDecode(parameters)
      return token && { sub: String(token['id'] ?? token.email), ...token }
    }
  }
  const callbacks = { jwt: async ({ token, user }: JwtCallbackInput) => (user ? { ...user } : token) }
  const nextAuth = await startNextAuth(t, { providers: [provider], callbacks: Object(callbacks) })
  const postern = await startPostern(t, {
    providers: [provider],
    jwt,
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' }
  })
  const jar = createCookieJar()
  await nextAuth.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
  t.match(await postern.browser(jar).json('/api/auth/session'), { user: { name: 'Ada', email: 'ada@example.com' } })
  t.match(await postern.browser(jar).json('/who'), { session: { user: { name: 'Ada' } } })
})

t.test('a jwt callback may set the user of a token to a numeric id', async (t) => {
  const callbacks = { jwt: ({ token, user }: JwtCallbackInput) => Object({ ...token, sub: user ? 7 : token.sub }) }
  for (const adapter of [undefined, memoryAdapter()]) {
    const session = { strategy: 'jwt' as const, updateAge: 0 }
    const nextAuth = await startNextAuth(t, { providers: [provider], callbacks: Object(callbacks) })
    const postern = await startPostern(t, { providers: [provider], callbacks, session, adapter })
    for (const server of [nextAuth, postern]) {
      const jar = createCookieJar()
      await server.browser(jar).submit('/api/auth/callback/credentials', { password: 'x' })
      t.match(await postern.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
      t.match(await nextAuth.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
      t.match(await nextAuthToken(jar), { sub: 7 }, 'which stays a number')
      const held = jar.get(name) ?? ''
      await postern.browser(jar).submit('/api/auth/signout', {})
      jar.set(name, held, { secure: true })
      t.same('user' in (await postern.browser(jar).json<object>('/api/auth/session')), !adapter)
    }
  }
})

t.test('a jwt callback that drops sub still makes a session', async (t) => {
  const callbacks = { jwt: ({ token: { name = null, email = null } }: JwtCallbackInput) => ({ name, email }) }
  const postern = await startPostern(t, { providers: [provider], callbacks })
  const browser = postern.browser()
  await browser.submit('/api/auth/callback/credentials', { password: 'x' })
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
})
