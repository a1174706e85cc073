import { memoryAdapter } from '@postern/adapters/memory'
import type { Browser } from '@postern/testkit'
import { createBrowser, fromInject } from '@postern/testkit'
import { inTurn } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import postern, { type PosternPluginOptions, requireSession } from '../../src/index.ts'
import {
  cookieNames,
  getSession,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import { address, idIn, script, signIn, startAccounts, strategies, vera } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

const { sessionToken } = cookieNames
const options: PosternPluginOptions = { url: origin, secret, providers: [people] }
const host = { host: 'app.test' }

/** The session cookies of a browser, as another one may have copied them. */
const getCopy = ({ cookies }: Browser): readonly { readonly name: string; readonly value: string }[] =>
  cookies.all().filter(({ name }) => name.includes('session-token') || name.includes('postern.session'))

/** A browser with these cookies and no others. */
function browserWith({ newBrowser }: Started, copies: ReturnType<typeof getCopy>): Browser {
  const browser = newBrowser()
  for (const { name, value } of copies) browser.cookies.set(name, value, { secure: true })
  return browser
}

const getStatus = async (browser: Browser, path = '/me'): Promise<number> =>
  (await browser.request('GET', path, { headers: script })).status

/** What ends the session of a user, whose cookies were copied before. */
const endings: Readonly<Record<string, (started: Started, browser: Browser, id: string) => unknown>> = {
  'the user signs out': (_started, browser) => browser.submit('/api/auth/signout', {}),
  'revokeAll ends it': ({ app }, _browser, id) => app.postern.sessions.revokeAll(id),
  'the user is deleted': ({ app }, _browser, id) => app.postern.deleteUser(id),
  'the account is unlinked': async (started, browser, id) => {
    await signIn(started, browser, { ...vera, sub: 'vera-2' }, { link: 'true', provider: 'loose' })
    await started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'vera' })
  },
  'the user signs in again in the same browser': (started, browser) => signIn(started, browser, vera),
  'it expires': ({ clock }) => clock.advance(31 * 86_400)
}

for (const [what, end] of Object.entries(endings)) {
  t.test(`the copy of a session cookie is used after its session ended: ${what}`, async (t) => {
    for (const strategy of someStrategies()) {
      const started = await startAccounts(t, { session: { strategy } })
      const { browser } = started
      await signIn(started, browser, vera)
      const copy = browserWith(started, getCopy(browser))
      t.equal(await getStatus(copy), 200, `${strategy}: it works before`)
      await end(started, browser, (await idIn(browser)) ?? '')
      for (const method of ['GET', 'HEAD'] as const)
        t.equal((await copy.request(method, '/me', { headers: script })).status, 401, `${strategy}, ${method}`)
      t.same(await getSession(copy), {}, strategy)
      t.same(await copy.json('/'), { session: null }, strategy)
    }
  })
}

t.test('a session outlives absoluteMaxAge, because it is used all the time', async (t) => {
  for (const strategy of someStrategies()) {
    const session = { strategy, maxAge: 7200, updateAge: 60, absoluteMaxAge: 10_800 }
    const started = await startAccounts(t, { session })
    await signIn(started, started.browser, vera)
    for (let turn = 0; turn < 11; turn++) {
      t.equal(await getStatus(started.browser), 200, `${strategy}: ${turn}`)
      started.clock.advance(970)
    }
    started.clock.advance(970)
    t.equal(await getStatus(started.browser), 401, strategy)
  }
})

t.test('updating or renewing a session makes it a recent sign-in', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      session: { strategy, updateAge: 0 },
      before: (app) => {
        app.get('/fresh', { onRequest: requireSession.with({ freshWithin: 60 }) }, async () => ({}))
        app.get('/update', async (request) => app.postern.updateSession(request, { iat: 9e9, authenticatedAt: 9e9 }))
      }
    })
    const { browser, clock } = started
    await signIn(started, browser, { ...vera, auth_time: Math.floor(clock.now() / 1000) })
    t.equal(await getStatus(browser, '/fresh'), 200)
    clock.advance(61)
    await getStatus(browser, '/me')
    t.equal(await getStatus(browser, '/update'), 200)
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const data = { iat: 9e9, auth_time: 9e9, freshWithin: 9e9, user: { id: '1' } }
    await browser.post('/api/auth/session', JSON.stringify({ csrfToken, data }), { 'content-type': 'application/json' })
    t.equal(await getStatus(browser, '/fresh'), 401, strategy)
    t.equal(await getStatus(browser), 200)
  }
})

/** A server whose plain routes are guarded in many ways; `reached` counts handlers that ran. */
async function startGuarded(
  t: { teardown(work: () => unknown): unknown },
  build: (app: FastifyInstance, handler: () => Promise<object>) => unknown
) {
  const app = Fastify()
  t.teardown(() => app.close())
  let reached = 0
  await build(app, async () => {
    reached++
    return { secret: 7 }
  })
  await app.ready()
  return { app, reached: () => reached, browser: createBrowser({ origin, send: fromInject(app) }) }
}

t.test('a guarded route gets a body that is broken, too large, of another type or never parsed', async (t) => {
  const { app, reached } = await startGuarded(t, async (app, handler) => {
    await app.register(postern, options)
    for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const)
      app.post(`/${hook}`, { [hook]: requireSession, schema: { body: { type: 'object' } } }, handler)
  })
  const bodies = [
    ['application/json', '{'],
    ['application/json', '{"__proto__":{"user":1}}'],
    ['application/json', '{"auth":{"user":{}},"session":{"user":{}}}'],
    ['application/json', 'x'.repeat(2_000_000)],
    ['application/x-www-form-urlencoded', 'auth[user]=1'],
    ['text/plain', 'x'],
    ['application/unknown', 'x']
  ] as const
  for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler'])
    for (const [type, payload] of bodies) {
      const headers = { ...host, 'content-type': type }
      const { statusCode } = await app.inject({ method: 'POST', url: `/${hook}`, headers, payload })
      t.ok(statusCode >= 400, `${hook}, ${type}: ${statusCode}`)
    }
  t.equal(reached(), 0)
})

t.test('a guarded route is reached by a method that Fastify adds, or that shares its path', async (t) => {
  const { app, reached } = await startGuarded(t, async (app, handler) => {
    await app.register(postern, options)
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', scope.requireSession)
        scope.get('/p', handler)
        scope.route({ method: ['POST', 'OPTIONS'], url: '/p', handler })
        scope.all('/all/:x', handler)
        scope.get('/constrained', { constraints: { host: 'other.test' } }, handler)
        scope.setNotFoundHandler({ preHandler: scope.requireSession }, handler)
      },
      { prefix: '/in' }
    )
  })
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'] as const)
    for (const url of ['/in/p', '/in//p', '/in/p/', '/in/all/1', '/in/constrained', '/in/nowhere', '/in'])
      await app.inject({ method, url, headers: host })
  await app.inject({ url: '/in/constrained', headers: { host: 'other.test' } })
  t.equal(reached(), 0)
})

t.test('the 404 handler of a guarded scope is reached from another scope, or by a path that is no URL', async (t) => {
  const { app, reached } = await startGuarded(t, async (app, handler) => {
    app.addHook('onRequest', requireSession)
    await app.register(postern, options)
    app.setNotFoundHandler(handler)
    await app.register(async (scope) => scope.setNotFoundHandler(handler), { prefix: '/in' })
  })
  for (const url of [
    '/x',
    '/in/x',
    '/%',
    '/%zz',
    '/in/%ff',
    '/\ufffd',
    '/?%',
    '/api/auth%2fsession',
    '/API/AUTH/session',
    '/api/auth/../x'
  ])
    t.ok((await app.inject({ url, headers: host })).statusCode >= 400, url)
  t.equal(reached(), 0)
})

t.test(
  'the plugin is registered again: in its scope, around it, inside it, or beside it with the same cookie',
  async (t) => {
    const other = { ...options, secret: 'another secret, 32 characters or more' }
    const inside = (options: PosternPluginOptions) => async (scope: FastifyInstance) => {
      await scope.register(postern, options)
    }
    const builds: Readonly<Record<string, (app: FastifyInstance) => unknown>> = {
      'in its scope': (app) => app.register(postern, options).register(postern, other),
      'inside it': (app) => app.register(postern, options).register(inside(other), { prefix: '/in' }),
      'around it': (app) => app.register(inside(other), { prefix: '/in' }).register(postern, options),
      'beside it': (app) =>
        app.register(inside(options), { prefix: '/one' }).register(inside(other), { prefix: '/two' })
    }
    for (const [where, build] of Object.entries(builds)) {
      const app = Fastify()
      t.teardown(() => app.close().catch(() => undefined))
      await t.rejects(async () => {
        await build(app)
        await app.ready()
      }, where)
    }
  }
)

t.test('a guard redirects to a page whose callbackUrl leads elsewhere', async (t) => {
  const { app, browser } = await startGuarded(t, async (app, handler) => {
    await app.register(postern, options)
    app.get('/*', { onRequest: requireSession }, handler)
  })
  const urls = [
    '//evil.test/',
    '///evil.test',
    '/\\evil.test',
    '/%5cevil.test',
    '/%2f%2fevil.test',
    '/.//evil.test',
    '/x/..//evil.test',
    '/@evil.test',
    '/?callbackUrl=https://evil.test',
    '/?callbackUrl=a&callbackUrl=//evil.test',
    '/%0d%0aLocation:%20https://evil.test',
    '/\t/evil.test',
    'http://evil.test/',
    'https://app.test@evil.test/',
    '/x#@evil.test'
  ]
  for (const url of urls) {
    for (const more of [{}, { 'x-forwarded-host': 'evil.test' }, { referer: 'https://evil.test/' }]) {
      const headers = { ...host, accept: 'text/html', ...more }
      const { statusCode, headers: sent } = await app.inject({ url, headers })
      if (statusCode === 400 || statusCode === 404) continue
      t.equal(statusCode, 302, url)
      const target = new URL(String(sent.location), origin)
      t.equal(target.origin, origin, url)
      const callbackUrl = target.searchParams.getAll('callbackUrl')
      t.ok(callbackUrl.length <= 1, url)
      for (const given of callbackUrl) t.equal(new URL(given, origin).origin, origin, `${url}: ${given}`)
      const fields = { username: 'vera', password: 'lovelace', callbackUrl: callbackUrl[0] ?? '' }
      const { location } = await browser.submit('/api/auth/callback/credentials', fields)
      t.equal(new URL(location ?? '', origin).origin, origin, `${url}: after the sign-in`)
    }
  }
})

t.test('a session is in a header, a query, or a cookie with another name', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await start(t, { instances: 1, session: { strategy } })
    const { app, browser } = started
    await signInByForm(browser)
    const token = browser.cookies.get(sessionToken) ?? ''
    t.equal(
      (await app.inject({ url: '/me', headers: { ...host, ...script, cookie: `${sessionToken}=${token}` } }))
        .statusCode,
      200
    )
    const names = [
      'next-auth.session-token',
      '__Host-next-auth.session-token',
      '__secure-next-auth.session-token',
      '__Secure-authjs.session-token',
      'authjs.session-token',
      `${sessionToken}.evil`,
      `${sessionToken}.01`,
      `${sessionToken}.1`,
      `x${sessionToken}`,
      encodeURIComponent(sessionToken).replace('.', '%2e'),
      '__Secure-next-auth.csrf-token'
    ]
    const headers = [
      { authorization: `Bearer ${token}` },
      { 'x-session-token': token },
      { 'x-next-auth-session-token': token },
      ...names.map((name) => ({ cookie: `${name}=${token}` }))
    ]
    for (const more of headers)
      t.equal(
        (await app.inject({ url: '/me', headers: { ...host, ...script, ...more } })).statusCode,
        401,
        `${strategy}: ${Object.entries(more)[0]?.join(' ').slice(0, 60)}`
      )
    const query = `/api/auth/session?${new URLSearchParams({ [sessionToken]: token, token, sessionToken: token })}`
    t.same((await app.inject({ url: query, headers: { ...host, ...script } })).json(), {})
  }
})

t.test(
  'cookies of two sessions are sent at once: guard, session and sign-out see the same user or nobody',
  async (t) => {
    for (const strategy of someStrategies()) {
      const started = await start(t, { instances: 1, session: { strategy } })
      const { app, newBrowser } = started
      const tokens: string[] = []
      for (const name of ['vera', 'mallory']) {
        const browser = newBrowser()
        await signInByForm(browser, name)
        tokens.push(browser.cookies.get(sessionToken) ?? '')
      }
      const [own = '', other = ''] = tokens
      for (const cookie of [
        `${sessionToken}=${own}; ${sessionToken}=${other}`,
        `${sessionToken}=${other}; ${sessionToken}=${own}`,
        `${sessionToken}=; ${sessionToken}=${own}`,
        `${sessionToken}=${own}; ${sessionToken}.0=${other}`,
        `${sessionToken}.0=${other}; ${sessionToken}=${own}`
      ]) {
        const headers = { ...host, ...script, cookie }
        const guarded = (await app.inject({ url: '/me', headers })).json<{ user?: { name?: string } }>()
        const session = (await app.inject({ url: '/api/auth/session', headers })).json<{ user?: { name?: string } }>()
        const read = (await app.inject({ url: '/', headers })).json<{ session: { user?: { name?: string } } | null }>()
        t.equal(session.user?.name, guarded.user?.name, cookie.replaceAll(/=[^;]+/g, '=…'))
        t.equal(read.session?.user?.name, guarded.user?.name)
      }
    }
  }
)

t.test('chunks of two sessions are mixed, left out, repeated or added', async (t) => {
  const long = 'x'.repeat(6000)
  const setup: StartOptions = {
    instances: 1,
    session: { strategy: 'jwt' },
    callbacks: { jwt: ({ token }) => ({ ...token, long }) }
  }
  const started = await start(t, setup)
  const getChunks = async (name: string): Promise<readonly string[]> => {
    const browser = started.newBrowser()
    await signInByForm(browser, name)
    const chunks = browser.cookies.all().filter((cookie) => cookie.name.startsWith(`${sessionToken}.`))
    return chunks.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ value }) => value)
  }
  const [own, other] = [await getChunks('vera'), await getChunks('mallory')]
  t.ok(own.length >= 2 && own.length === other.length, 'the session has several chunks')
  const read = async (pairs: readonly (readonly [string | number, string])[]) => {
    const cookie = pairs.map(([number, value]) => `${sessionToken}.${number}=${value}`).join('; ')
    return (await started.app.inject({ url: '/me', headers: { ...host, ...script, cookie } })).statusCode
  }
  const whole = own.map((value, index): [number, string] => [index, value])
  t.equal(await read(whole), 200)
  t.equal(await read(whole.toReversed()), 200)
  for (const index of own.keys()) {
    t.equal(await read(whole.with(index, [index, other[index] ?? ''])), 401, `chunk ${index} of the other session`)
    t.equal(await read(whole.toSpliced(index, 1)), 401, `without chunk ${index}`)
  }
  t.equal(await read([...whole, [own.length, 'x']]), 401, 'one more')
  t.equal(await read(whole.map(([index, value]) => [`0${index}`, value])), 401, 'other numbers')
  t.equal(await read(whole.map(([index, value]) => [index + 1, value])), 401, 'no first')
  t.equal(await read(other.map((value, index) => [own.length - 1 - index, value])), 401, 'another order')
})

t.test('the token of one strategy is used in a registration of the other', async (t) => {
  const adapter = memoryAdapter()
  const [jwt, database] = [
    await start(t, { instances: 1, adapter, session: { strategy: 'jwt' } }),
    await start(t, { instances: 1, adapter, session: { strategy: 'database' } })
  ]
  for (const [from, to] of [
    [jwt, database],
    [database, jwt]
  ] as const) {
    await signInByMail(from, from.browser, address)
    const copies = getCopy(from.browser)
    t.equal(await getStatus(browserWith(from, copies)), 200)
    const thief = browserWith(to, copies)
    t.equal(await getStatus(thief), 401)
    await thief.submit('/api/auth/signout', {})
    t.equal(await getStatus(browserWith(from, copies)), 200, 'a sign-out elsewhere does not end it')
  }
})

t.test('the id, the record or the stored row of a session is used as its token', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { app, browser, store } = started
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    const known = new Set([id, ...(await app.postern.sessions.list(id)).map((session) => session.id)])
    for (const text of JSON.stringify(store.calls).match(/[\w.+/=:-]{16,}/g) ?? []) known.add(text)
    t.ok(known.size > 3)
    for (const value of known)
      t.equal(await getStatus(browserWith(started, [{ name: sessionToken, value }])), 401, strategy)
  }
})

t.test('many requests with different sessions run at once: each sees its own user', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await start(t, {
      instances: 1,
      session: { strategy },
      before: (app) => {
        const guard = requireSession.with({
          authorized: async ({ session, request }) => session.user?.name === request.headers['x-name']
        })
        app.get('/own', { preHandler: guard }, async (request) => ({ name: request.auth?.user?.name }))
      }
    })
    const names = ['ada', 'vera', 'mallory', 'grace']
    const browsers = await Promise.all(
      names.map(async (name) => {
        const browser = started.newBrowser()
        await signInByForm(browser, name)
        return browser
      })
    )
    const work = Array.from({ length: 24 }, async (_, turn) => {
      const index = turn % names.length
      const name = names[turn % 3 === 0 ? (index + 1) % names.length : index] ?? ''
      const reply = await browsers[index]?.request('GET', '/own', { headers: { ...script, 'x-name': name } })
      const expected = turn % 3 === 0 ? 403 : 200
      return reply?.status === expected && (expected === 403 || reply.json<{ name: string }>().name === name)
    })
    t.ok((await Promise.all(work)).every(Boolean), strategy)
  }
})

t.test('a guard keeps what it read for the next request, after the session ended', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      session: { strategy },
      before: (app) => {
        // The session ends between the guard and the handler of the same request.
        app.get('/end', { onRequest: requireSession }, async (request) => {
          await app.postern.sessions.revokeAll((request.auth?.user as { id?: string } | undefined)?.id ?? '')
          return {}
        })
      }
    })
    await signIn(started, started.browser, vera)
    t.equal(await getStatus(started.browser, '/end'), 200)
    t.equal(await getStatus(started.browser), 401, strategy)
    t.equal(await getStatus(started.browser, '/end'), 401, strategy)
  }
})

t.test('a session of somebody else is ended, or listed, by its id', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { app, newBrowser } = started
    const [owner, thief] = [newBrowser(), newBrowser()]
    await signIn(started, owner, vera)
    await signInByMail(started, thief, 'mallory@evil.test')
    const [ownerId, thiefId] = [(await idIn(owner)) ?? '', (await idIn(thief)) ?? '']
    const [session] = await app.postern.sessions.list(ownerId)
    t.ok(session)
    for (const userId of [thiefId, `${ownerId} `, ownerId.toUpperCase(), ''])
      t.equal(await app.postern.sessions.revoke(session?.id ?? '', userId).catch(() => false), false, userId)
    t.ok((await app.postern.sessions.list(thiefId)).every(({ id }) => id !== session?.id))
    t.equal(await idIn(owner), ownerId, strategy)
    t.equal(await app.postern.sessions.revoke(session?.id ?? '', ownerId), true)
    t.equal(await idIn(owner), null)
    t.equal(await idIn(thief), thiefId)
  }
})

/** The same bytes in other letters: base64url ignores some bits at the end, and some parsers ignore more. */
function respellings(token: string): readonly string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const parts = token.split('.')
  const changed = parts.flatMap((part, index) =>
    [1, 2, 3]
      .map((step) => letters[letters.indexOf(part.at(-1) ?? '') ^ step] ?? '')
      .map((last) => parts.with(index, `${part.slice(0, -1)}${last}`).join('.'))
  )
  const decorated = [
    `${token}=`,
    `${token}.`,
    `.${token}`,
    `${token}%00`,
    `${token}%20`,
    `${token}..`,
    `Bearer ${token}`
  ]
  const cased = [token.toUpperCase(), token.toLowerCase(), token.replaceAll('-', '+').replaceAll('_', '/')]
  return [...changed, ...decorated, ...cased].filter((text) => text !== token)
}

t.test('another spelling of a session token outlives the sign-out', async (t) => {
  for (const [strategy, storage] of [
    ['jwt', 'hashed'],
    ['database', 'hashed'],
    ['database', 'both']
  ] as const) {
    const started = await startAccounts(t, { session: { strategy, storage } })
    const { browser } = started
    await signIn(started, browser, vera)
    const token = browser.cookies.get(sessionToken) ?? ''
    const copies = [token, ...respellings(token)].map((value) => browserWith(started, [{ name: sessionToken, value }]))
    for (const copy of copies) await getStatus(copy)
    await browser.submit('/api/auth/signout', {})
    for (const [index, copy] of copies.entries())
      t.equal(await getStatus(copy), 401, `${strategy}, ${storage}, ${index}`)
  }
})

t.test('another spelling of a mailed link works after the link was used', async (t) => {
  const started = await startAccounts(t)
  const { browser, newBrowser, mailbox } = started
  await signInByMail(started, browser, address)
  const url = new URL(mailbox.last().url)
  const token = url.searchParams.get('token') ?? ''
  for (const value of [token, ...respellings(token)]) {
    for (const email of [address, address.toUpperCase(), ` ${address}`, '\uff56era@example.com']) {
      url.searchParams.set('token', value)
      url.searchParams.set('email', email)
      const visitor = newBrowser()
      const page = await visitor.open(url.href)
      if (page.status === 200) await visitor.fill(page, 'form[method=post]').catch(() => undefined)
      t.equal(await idIn(visitor), null, `${JSON.stringify(value)} ${email}`)
    }
  }
})
