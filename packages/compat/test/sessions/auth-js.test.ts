import { decode, encode, getToken as theirGetToken } from '@auth/core/jwt'
import { memoryAdapter } from '@postern/adapters/memory'
import { getToken } from '@postern/core/jwt'
import { type CookieJar, createCookieJar } from '@postern/testkit'
import t from 'tap'
import { origin, secret, startPostern } from '../postern.ts'

const authJs = '__Secure-authjs.session-token'
const postern = '__Secure-next-auth.session-token'
const claims = { name: 'Ada', email: 'ada@example.com', picture: 'https://app.test/ada.png', sub: '1' }
const user = { name: 'Ada', email: 'ada@example.com', image: 'https://app.test/ada.png' }
const requested = { providers: [], session: { readAuthJsCookies: true } }

/** Auth.js cuts a long cookie at 3936 characters. */
function put(jar: CookieJar, name: string, value: string): CookieJar {
  const pieces = value.match(/.{1,3936}/g) ?? []
  for (const [number, piece] of pieces.entries())
    jar.set(pieces.length === 1 ? name : `${name}.${number}`, piece, { secure: name.startsWith('__') })
  return jar
}

const names = (jar: CookieJar): readonly string[] =>
  jar
    .all()
    .map(({ name }) => name)
    .sort()

for (const size of [0, 6500]) {
  t.test(`a cookie of Auth.js with ${size} characters more becomes one of Postern`, async (t) => {
    const app = await startPostern(t, requested)
    const token = { ...claims, filling: 'x'.repeat(size) }
    const jar = put(createCookieJar(), authJs, await encode({ token, secret, salt: authJs }))
    t.match(await app.browser(jar).json('/api/auth/session'), { user })
    t.ok(
      names(jar).every((name) => name.startsWith(postern)),
      names(jar).join()
    )
    t.match(await app.browser(jar).json('/api/auth/session'), { user }, 'and is a session from then on')
    t.match(await app.browser(jar).json('/who'), { session: { user } })
  })
}

t.test('a cookie of Auth.js is nothing unless it is requested', async (t) => {
  const app = await startPostern(t, { providers: [] })
  const jar = put(createCookieJar(), authJs, await encode({ token: claims, secret, salt: authJs }))
  t.same(await app.browser(jar).json('/api/auth/session'), {})
  t.same(names(jar), [authJs], 'and stays where it is')
})

t.test('a cookie of Auth.js names no application', async (t) => {
  const app = await startPostern(t, { ...requested, acceptUnbound: false })
  const jar = put(createCookieJar(), authJs, await encode({ token: claims, secret, salt: authJs }))
  t.same(await app.browser(jar).json('/api/auth/session'), {})
  await app.browser(jar).submit('/api/auth/signout', {})
  t.ok(jar.get(authJs), 'and stays where it is')
})

t.test('without https the cookie has its other name', async (t) => {
  const app = await startPostern(t, { ...requested, useSecureCookies: false })
  const jar = put(
    createCookieJar(),
    'authjs.session-token',
    await encode({ token: claims, secret, salt: 'authjs.session-token' })
  )
  t.match(await app.browser(jar).json('/api/auth/session'), { user })
  t.same(names(jar), ['next-auth.session-token'])
})

t.test('sign-out and another sign-in end the session of Auth.js too', async (t) => {
  const provider = {
    id: 'people',
    name: 'People',
    type: 'credentials' as const,
    authorize: () => ({ id: '2', name: 'Grace' })
  }
  const app = await startPostern(t, { ...requested, providers: [provider] })
  const value = await encode({ token: claims, secret, salt: authJs })
  const leaving = put(createCookieJar(), authJs, value)
  await app.browser(leaving).submit('/api/auth/signout', {})
  t.notOk(
    names(leaving).some((name) => name.includes('session-token')),
    names(leaving).join()
  )
  const changing = put(createCookieJar(), authJs, value)
  await app.browser(changing).submit('/api/auth/callback/people', {})
  t.equal(changing.get(authJs), null)
  t.match(await app.browser(changing).json('/api/auth/session'), { user: { name: 'Grace' } })
})

t.test('Postern’s cookie takes precedence over the one of Auth.js', async (t) => {
  const provider = {
    id: 'people',
    name: 'People',
    type: 'credentials' as const,
    authorize: () => ({ id: '2', name: 'Grace' })
  }
  const app = await startPostern(t, { ...requested, providers: [provider] })
  const jar = createCookieJar()
  await app.browser(jar).submit('/api/auth/callback/people', {})
  put(jar, authJs, await encode({ token: claims, secret, salt: authJs }))
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Grace' } })
})

t.test('every secret of the list reads, by whatever kid', async (t) => {
  const next = 'the next secret of the tests, long enough as well'
  const app = await startPostern(t, { ...requested, secret: [next, secret] })
  const jar = put(createCookieJar(), authJs, await encode({ token: claims, secret: [secret, 'another'], salt: authJs }))
  t.match(await app.browser(jar).json('/api/auth/session'), { user })
})

const refused: readonly (readonly [title: string, value: () => Promise<string>])[] = [
  ['another secret', () => encode({ token: claims, secret: `another ${secret}`, salt: authJs })],
  ['another salt', () => encode({ token: claims, secret, salt: 'authjs.session-token' })],
  ['an end that has come', () => encode({ token: claims, secret, salt: authJs, maxAge: -60 })],
  ['no one it is about', () => encode({ token: { name: 'Ada' }, secret, salt: authJs })],
  ['a letter changed', async () => (await encode({ token: claims, secret, salt: authJs })).replace(/.$/, '!')],
  ['no token at all', async () => 'a.b.c.d.e']
]

for (const [title, value] of refused) {
  t.test(`a cookie of Auth.js with ${title} is not a user, and goes`, async (t) => {
    const app = await startPostern(t, requested)
    const jar = put(createCookieJar(), authJs, await value())
    const response = await app.browser(jar).open('/api/auth/session')
    t.match({ status: response.status, body: response.json() }, { status: 200, body: {} })
    t.equal('user' in Object(response.json()), false)
    t.same(names(jar), [])
  })
}

t.test('Postern’s cookie under the name of the Auth.js cookie has no user: each name has its own key', async (t) => {
  const app = await startPostern(t, requested)
  const { encode: posternEncode } = await import('@postern/core/jwt')
  const value = await posternEncode({ token: claims, secret })
  await t.rejects(decode({ token: value, secret, salt: authJs }))
  const jar = put(createCookieJar(), authJs, value)
  t.same(await app.browser(jar).json('/api/auth/session'), {})
})

t.test('a database session of Auth.js remains valid under Postern’s cookie', async (t) => {
  const adapter = memoryAdapter()
  const ada = await adapter.createUser?.({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
  await adapter.createSession?.({
    sessionToken: 'theirs',
    userId: ada?.id ?? '',
    expires: new Date(Date.now() + 86_400_000)
  })
  const session = { readAuthJsCookies: true, storage: 'both' as const }
  const app = await startPostern(t, { providers: [], adapter, session })
  const jar = put(createCookieJar(), authJs, 'theirs')
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
  t.same(names(jar), [postern])
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
  await app.browser(jar).submit('/api/auth/signout', {}, { headers: { origin } })
  t.equal((await adapter.getSessionAndUser?.('theirs')) ?? null, null)
})

const getRequest = (jar: CookieJar): { headers: { cookie: string } } => ({
  headers: {
    cookie: jar
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }
})

t.test('getToken reads a cookie of Auth.js if the option is set', async (t) => {
  for (const [name, size] of [
    [authJs, 0],
    [authJs, 6500],
    ['authjs.session-token', 0]
  ] as const) {
    const token = await encode({ token: { ...claims, filling: 'x'.repeat(size) }, secret, salt: name })
    const req = getRequest(put(createCookieJar(), name, token))
    const readAuthJsCookies = true
    t.match(await theirGetToken({ req, secret, secureCookie: name === authJs }), claims, 'as Auth.js does')
    t.match(await getToken({ req, secret, readAuthJsCookies }), claims)
    t.match(await getToken({ req, secret: ['a newer one', secret], readAuthJsCookies }), claims)
    t.equal(await getToken({ req, secret, readAuthJsCookies, raw: true }), token)
    t.equal(await getToken({ req, secret }), null, 'and nothing without the option')
    t.equal(await getToken({ req, secret, readAuthJsCookies, secureCookie: name !== authJs }), null)
    for (const other of ['another secret', '', []])
      t.equal(await getToken({ req, secret: other, readAuthJsCookies }), null)
  }
  const renamed = getRequest(put(createCookieJar(), authJs, await encode({ token: claims, secret, salt: 'another' })))
  t.equal(await getToken({ req: renamed, secret, readAuthJsCookies: true }), null, 'each name has its key')
  const damaged = getRequest(put(createCookieJar(), authJs, 'a.b.c.d.e'))
  t.equal(await getToken({ req: damaged, secret, readAuthJsCookies: true }), null)
})
