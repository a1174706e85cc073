import { decode, encode, getToken as theirGetToken } from '@auth/core/jwt'
import { memoryAdapter } from '@postern/adapters/memory'
import { getToken } from '@postern/core/jwt'
import { type CookieJar, createCookieJar } from '@postern/testkit'
import t from 'tap'
import { origin, secret, startPostern } from '../postern.ts'

const theirs = '__Secure-authjs.session-token'
const ours = '__Secure-next-auth.session-token'
const claims = { name: 'Ada', email: 'ada@example.com', picture: 'https://app.test/ada.png', sub: '1' }
const user = { name: 'Ada', email: 'ada@example.com', image: 'https://app.test/ada.png' }
const asked = { providers: [], session: { readAuthJsCookies: true } }

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

for (const size of [0, 9000]) {
  t.test(`a cookie of Auth.js with ${size} characters more becomes one of ours`, async (t) => {
    const app = await startPostern(t, asked)
    const token = { ...claims, filling: 'x'.repeat(size) }
    const jar = put(createCookieJar(), theirs, await encode({ token, secret, salt: theirs }))
    t.match(await app.browser(jar).json('/api/auth/session'), { user })
    t.ok(
      names(jar).every((name) => name.startsWith(ours)),
      names(jar).join()
    )
    t.match(await app.browser(jar).json('/api/auth/session'), { user }, 'and is a session from then on')
    t.match(await app.browser(jar).json('/who'), { session: { user } })
  })
}

t.test('a cookie of Auth.js is nothing unless it is asked for', async (t) => {
  const app = await startPostern(t, { providers: [] })
  const jar = put(createCookieJar(), theirs, await encode({ token: claims, secret, salt: theirs }))
  t.same(await app.browser(jar).json('/api/auth/session'), {})
  t.same(names(jar), [theirs], 'and stays where it is')
})

t.test('without https the cookie has its other name', async (t) => {
  const app = await startPostern(t, { ...asked, useSecureCookies: false })
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
  const app = await startPostern(t, { ...asked, providers: [provider] })
  const value = await encode({ token: claims, secret, salt: theirs })
  const leaving = put(createCookieJar(), theirs, value)
  await app.browser(leaving).submit('/api/auth/signout', {})
  t.notOk(
    names(leaving).some((name) => name.includes('session-token')),
    names(leaving).join()
  )
  const changing = put(createCookieJar(), theirs, value)
  await app.browser(changing).submit('/api/auth/callback/people', {})
  t.equal(changing.get(theirs), null)
  t.match(await app.browser(changing).json('/api/auth/session'), { user: { name: 'Grace' } })
})

t.test('our own cookie goes before theirs', async (t) => {
  const provider = {
    id: 'people',
    name: 'People',
    type: 'credentials' as const,
    authorize: () => ({ id: '2', name: 'Grace' })
  }
  const app = await startPostern(t, { ...asked, providers: [provider] })
  const jar = createCookieJar()
  await app.browser(jar).submit('/api/auth/callback/people', {})
  put(jar, theirs, await encode({ token: claims, secret, salt: theirs }))
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Grace' } })
})

t.test('every secret of the list reads, by whatever kid', async (t) => {
  const next = 'the next secret of the tests, long enough as well'
  const app = await startPostern(t, { ...asked, secret: [next, secret] })
  const jar = put(createCookieJar(), theirs, await encode({ token: claims, secret: [secret, 'another'], salt: theirs }))
  t.match(await app.browser(jar).json('/api/auth/session'), { user })
})

const refused: readonly (readonly [what: string, value: () => Promise<string>])[] = [
  ['another secret', () => encode({ token: claims, secret: `another ${secret}`, salt: theirs })],
  ['another salt', () => encode({ token: claims, secret, salt: 'authjs.session-token' })],
  ['an end that has come', () => encode({ token: claims, secret, salt: theirs, maxAge: -60 })],
  ['nobody it is about', () => encode({ token: { name: 'Ada' }, secret, salt: theirs })],
  ['a letter changed', async () => (await encode({ token: claims, secret, salt: theirs })).replace(/.$/, '!')],
  ['no token at all', async () => 'a.b.c.d.e']
]

for (const [what, value] of refused) {
  t.test(`a cookie of Auth.js with ${what} is nobody, and goes`, async (t) => {
    const app = await startPostern(t, asked)
    const jar = put(createCookieJar(), theirs, await value())
    const answer = await app.browser(jar).open('/api/auth/session')
    t.match({ status: answer.status, body: answer.json() }, { status: 200, body: {} })
    t.equal('user' in Object(answer.json()), false)
    t.same(names(jar), [])
  })
}

t.test('our own cookie under the name of theirs is nobody: each name has its own key', async (t) => {
  const app = await startPostern(t, asked)
  const { encode: ourEncode } = await import('@postern/core/jwt')
  const value = await ourEncode({ token: claims, secret })
  await t.rejects(decode({ token: value, secret, salt: theirs }))
  const jar = put(createCookieJar(), theirs, value)
  t.same(await app.browser(jar).json('/api/auth/session'), {})
})

t.test('a database session of Auth.js goes on under our cookie', async (t) => {
  const adapter = memoryAdapter()
  const ada = await adapter.createUser?.({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
  await adapter.createSession?.({
    sessionToken: 'theirs',
    userId: ada?.id ?? '',
    expires: new Date(Date.now() + 86_400_000)
  })
  const session = { readAuthJsCookies: true, storage: 'both' as const }
  const app = await startPostern(t, { providers: [], adapter, session })
  const jar = put(createCookieJar(), theirs, 'theirs')
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
  t.same(names(jar), [ours])
  t.match(await app.browser(jar).json('/api/auth/session'), { user: { name: 'Ada' } })
  await app.browser(jar).submit('/api/auth/signout', {}, { headers: { origin } })
  t.equal((await adapter.getSessionAndUser?.('theirs')) ?? null, null)
})

const requestOf = (jar: CookieJar): { headers: { cookie: string } } => ({
  headers: {
    cookie: jar
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }
})

t.test('getToken reads a cookie of Auth.js where it is asked to', async (t) => {
  for (const [name, size] of [
    [theirs, 0],
    [theirs, 9000],
    ['authjs.session-token', 0]
  ] as const) {
    const token = await encode({ token: { ...claims, filling: 'x'.repeat(size) }, secret, salt: name })
    const req = requestOf(put(createCookieJar(), name, token))
    const readAuthJsCookies = true
    t.match(await theirGetToken({ req, secret, secureCookie: name === theirs }), claims, 'as Auth.js does')
    t.match(await getToken({ req, secret, readAuthJsCookies }), claims)
    t.match(await getToken({ req, secret: ['a newer one', secret], readAuthJsCookies }), claims)
    t.equal(await getToken({ req, secret, readAuthJsCookies, raw: true }), token)
    t.equal(await getToken({ req, secret }), null, 'and nothing unless it is asked')
    t.equal(await getToken({ req, secret, readAuthJsCookies, secureCookie: name !== theirs }), null)
    for (const other of ['another secret', '', []])
      t.equal(await getToken({ req, secret: other, readAuthJsCookies }), null)
  }
  const renamed = requestOf(put(createCookieJar(), theirs, await encode({ token: claims, secret, salt: 'another' })))
  t.equal(await getToken({ req: renamed, secret, readAuthJsCookies: true }), null, 'each name has its key')
  const damaged = requestOf(put(createCookieJar(), theirs, 'a.b.c.d.e'))
  t.equal(await getToken({ req: damaged, secret, readAuthJsCookies: true }), null)
})
