import { randomUUID } from 'node:crypto'
import { memoryAdapter } from '@postern/adapters/memory'
import { type Adapter, ConfigError } from '@postern/core'
import type { Browser } from '@postern/testkit'
import Fastify from 'fastify'
import t from 'tap'
import postern, { type PosternPluginOptions } from '../src/index.ts'
import { decodeToken, encodeNextAuthToken } from './next-auth-token.ts'
import { cookieNames, fromAfar, getSession, origin, people, secret, signInAtIssuer, start } from './start.ts'
import { browserWith, sessionCookies, signInAt, startTwo } from './two-applications.ts'

const day = 24 * 60 * 60
const claims = { name: 'Ada', email: 'ada@example.com', sub: 'id-ada' }
const stays = 'they share the default of one process'

const put = (browser: Browser, name: string, value: string): void =>
  browser.cookies.set(name, value, { secure: true, httpOnly: true, sameSite: 'Lax' })

const putSession = (browser: Browser, value: string): Browser => {
  put(browser, cookieNames.sessionToken, value)
  return browser
}

t.test('JWT sessions of next-auth remain valid, and name the application once they are written again', async (t) => {
  const { newBrowser, clock } = await start(t, { store: 'none', stays })
  const before = encodeNextAuthToken(claims, clock.now())
  const browser = putSession(newBrowser(), before)
  t.match(await getSession(browser), { user: { name: 'Ada' } })
  t.equal(browser.cookies.get(cookieNames.sessionToken), before, 'reading does not write it')
  clock.advance(2 * day)
  t.match(await getSession(browser), { user: { name: 'Ada' } })
  t.match(decodeToken(browser.cookies.get(cookieNames.sessionToken) ?? ''), {
    ...claims,
    session_app: '/api/auth'
  })
})

t.test('two registrations: unbound cookies are accepted by neither, or by the one with `acceptUnbound`', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    for (const acceptUnbound of [undefined, true]) {
      const adapter = memoryAdapter()
      const both = { session: { strategy, storage: 'both' } } as const
      const two = await startTwo(t, { strategy, adapter, both, shop: { acceptUnbound } })
      const user = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
      const token = randomUUID()
      const expires = new Date(two.clock.now() + 30 * day * 1000)
      await adapter.createSession({ sessionToken: token, userId: user.id, expires })
      const value = strategy === 'jwt' ? encodeNextAuthToken(claims, two.clock.now()) : token
      for (const name of ['shop', 'admin'] as const) {
        const browser = browserWith(name, value, two)
        const isAccepted = name === 'shop' && acceptUnbound === true
        two.store.forget()
        t.equal((await browser.open(`/${name}/me`)).status, isAccepted ? 200 : 302, `${strategy}, ${name}`)
        if (!isAccepted) t.equal(two.store.count(), 0, 'without a query')
        t.equal(browser.cookies.get(sessionCookies[name]), value, 'and stays in the browser')
      }
    }
  }
})

t.test('a registration that starts later, in another server, changes the default until it closes', async (t) => {
  const first = await start(t, { store: 'none', stays, instances: 1 })
  const value = encodeNextAuthToken(claims, first.clock.now())
  const isSignedIn = async (): Promise<boolean> => 'user' in (await getSession(putSession(first.newBrowser(), value)))
  t.ok(await isSignedIn())
  const openOther = async (options: Partial<PosternPluginOptions>) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await app.register(postern, { url: origin, secret, providers: [], ...options })
    await app.ready()
    return app
  }
  await openOther({})
  t.ok(await isSignedIn(), 'not one of the same id')
  await openOther({ applicationId: 'other', secret: 'a secret that no other user has, 32 characters' })
  t.ok(await isSignedIn(), 'nor one with another secret')
  for (const shared of [
    { secret: ['a new secret of the other application, long enough', secret] },
    { secret: 'a secret of the other application, long enough', jwt: { secret } }
  ]) {
    const other = await openOther({ applicationId: 'other', ...shared })
    t.notOk(await isSignedIn())
    await other.close()
    t.ok(await isSignedIn(), 'it has closed')
  }
})

t.test('the jwt callback neither removes nor changes the application of a token', async (t) => {
  const changes = [
    { session_app: '/admin/api/auth' },
    { session_app: undefined },
    { session_app: null },
    { session_app: ['/shop/api/auth', '/admin/api/auth'] }
  ]
  for (const change of changes) {
    const jwt = ({ token }: { readonly token: object }) => Object({ ...token, ...change })
    const session = { strategy: 'jwt', updateAge: 0 } as const
    const two = await startTwo(t, { strategy: 'jwt', shop: { callbacks: { jwt }, session } })
    const first = await signInAt('shop', two)
    const browser = browserWith('shop', first, two)
    t.equal((await browser.open('/shop/me')).status, 200)
    await browser.submit('/shop/api/auth/session', {}, { json: true })
    const last = browser.cookies.get(sessionCookies.shop) ?? ''
    t.not(last, first, 'it was written again')
    for (const value of [first, last]) {
      t.match(decodeToken(value), { session_app: '/shop/api/auth' })
      t.equal((await browserWith('shop', value, two).open('/shop/me')).status, 200)
      t.equal((await browserWith('admin', value, two).open('/admin/me')).status, 302)
    }
  }
})

t.test('tokens that the application makes carry the tag too', async (t) => {
  let count = 0
  // Short enough to be taken for a time: the text after the last dot.
  const generateSessionToken = (): string => `made${count++}`
  for (const storage of ['hashed', 'both', 'plain'] as const) {
    const session = { strategy: 'database', storage, generateSessionToken, absoluteMaxAge: 30 * day } as const
    const two = await startTwo(t, { strategy: 'database', both: { session } })
    for (const [from, to] of [
      ['shop', 'admin'],
      ['admin', 'shop']
    ] as const) {
      const browser = two.newBrowser(from)
      const response = await browser.submit(`/${from}/api/auth/signin/demo`, {})
      await browser.open(await two.issuer.authorize(response.location ?? ''), { headers: fromAfar })
      const value = browser.cookies.get(sessionCookies[from]) ?? ''
      t.match(value, /^p1\.[\w-]{16}\.made\d/)
      two.clock.advance(5 * day)
      t.equal((await browser.open(`/${from}/me`)).status, 200, `${storage}, ${from}`)
      for (const { name, value: proof } of browser.cookies.all()) if (name.endsWith('proof')) put(browser, name, proof)
      put(browser, sessionCookies[to], value)
      t.equal((await browser.open(`/${to}/me`)).status, 302, 'even with its proof')
    }
  }
})

t.test('registrations of one id are one application', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    const two = await startTwo(t, { strategy, both: { applicationId: 'company' } })
    for (const [from, to] of [
      ['shop', 'admin'],
      ['admin', 'shop']
    ] as const) {
      t.equal((await browserWith(to, await signInAt(from, two), two).open(`/${to}/me`)).status, 200, strategy)
    }
    const before = encodeNextAuthToken(claims, two.clock.now())
    if (strategy === 'jwt') t.equal((await browserWith('shop', before, two).open('/shop/me')).status, 200)
  }
})

t.test('a session of another application under the same name survives sign-in and renewal elsewhere', async (t) => {
  const first = await start(t, { store: 'none', applicationId: 'one', stays })
  await signInAtIssuer(first, first.browser)
  const foreign = first.browser.cookies.get(cookieNames.sessionToken) ?? ''
  const second = await start(t, { store: 'none', applicationId: 'two', stays })
  const browser = putSession(second.newBrowser(), foreign)
  t.same(await getSession(browser), {})
  await browser.submit('/api/auth/signout', {})
  t.equal(browser.cookies.get(cookieNames.sessionToken), foreign)
  for (const [number, piece] of [foreign.slice(0, 50), foreign.slice(50)].entries())
    put(browser, `${cookieNames.sessionToken}.${number}`, piece)
  browser.cookies.delete(cookieNames.sessionToken)
  t.same(await getSession(browser), {})
  t.ok(browser.cookies.get(`${cookieNames.sessionToken}.1`), 'in pieces too')
  put(browser, cookieNames.sessionToken, 'damaged')
  await getSession(browser)
  t.equal(browser.cookies.get(cookieNames.sessionToken), null, 'what no one can read goes')
  t.ok(browser.cookies.get(`${cookieNames.sessionToken}.1`), 'and the rest remains')
})

const attributes = { httpOnly: true, sameSite: 'lax', secure: true } as const

/** A session cookie of this name and path. */
const cookieAt = (name: string, path: string): Partial<PosternPluginOptions> => ({
  cookies: { sessionToken: { name, options: { ...attributes, path } } }
})

type Pair = readonly [Partial<PosternPluginOptions>, Partial<PosternPluginOptions>]

async function startTogether([shop, admin]: Pair, adapter?: Adapter): Promise<ConfigError | null> {
  const app = Fastify()
  const options: PosternPluginOptions = { url: origin, secret, providers: [people], adapter }
  try {
    await app.register(async (scope) => void (await scope.register(postern, { ...options, ...shop })), {
      prefix: '/shop'
    })
    await app.register(async (scope) => void (await scope.register(postern, { ...options, ...admin })), {
      prefix: '/admin'
    })
    await app.ready()
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  } finally {
    await app.close()
  }
}

const name = '__Secure-session'

t.test('registrations whose session cookies replace or hide each other are refused', async (t) => {
  const pairs: readonly Pair[] = [
    [{}, {}],
    [cookieAt(name, '/'), cookieAt(name, '/admin')],
    [cookieAt(name, '/a'), cookieAt(name, '/a/b')],
    [{ url: 'https://shop.test' }, { url: undefined, trustHost: ['shop.test:8443', 'b.test'] }],
    [{}, { url: undefined, trustHost: true }],
    [{ secret: 'the secret of the shop, 32 characters or more' }, {}]
  ]
  for (const [index, pair] of pairs.entries()) {
    const error = await startTogether(pair)
    t.match(
      error?.problems,
      [{ option: 'cookies.sessionToken', message: /\/shop\/api\/auth.*applicationId/ }],
      `${index}`
    )
  }
  const plain = { session: { strategy: 'database', storage: 'plain' } } as const
  const proofs: Pair = [
    { ...plain, ...cookieAt('__Secure-a', '/') },
    { ...plain, ...cookieAt('__Secure-b', '/') }
  ]
  t.match((await startTogether(proofs, memoryAdapter()))?.problems, [{ message: /postern\.session-proof/ }])
})

t.test('registrations whose session cookies do not meet are not', async (t) => {
  const pairs: readonly Pair[] = [
    [{ applicationId: 'one' }, { applicationId: 'one' }],
    [cookieAt('__Secure-a', '/'), cookieAt('__Secure-b', '/')],
    [cookieAt(name, '/shop'), cookieAt(name, '/admin')],
    [cookieAt(name, '/shop'), cookieAt(name, '/shopping')],
    [{ url: 'https://shop.test' }, { url: 'https://admin.test' }],
    [{}, { useSecureCookies: false }]
  ]
  for (const [index, pair] of pairs.entries()) t.equal(await startTogether(pair), null, `${index}`)
})
