import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, PosternOptions, Token } from '@postern/core'
import { encode } from '@postern/core/jwt'
import credentials from '@postern/core/providers/credentials'
import { type Browser, createBrowser, createIssuer, fromInject } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern, { requireSession } from '../../src/index.ts'
import { createTestGate } from '../interruption-feature.ts'
import { logout } from '../logout-token.ts'
import { fewInTurn } from '../selections.ts'
import {
  cookieNames,
  demoIssuer,
  fromAfar,
  mails,
  openLinkPage,
  origin,
  people,
  type Started,
  type StartOptions,
  secret,
  signInByForm,
  signInByMail
} from '../start.ts'
import {
  addRoutes,
  getCopy,
  isAlive,
  type Overlap,
  overlapEverywhere,
  second,
  startOverlap,
  stepUp,
  third,
  update
} from './session-setup.ts'
import {
  accountsOf,
  address,
  begin,
  getStatus,
  idIn,
  idOf,
  mallory,
  type Strategy,
  script,
  signIn,
  startAccounts,
  strategies,
  vera,
  withId
} from './setup.ts'

const turns = turnsOf(strategies, t)
const fewEnds = fewInTurn(2)

type End = (started: Started, id: string, browser: Browser) => Promise<unknown>

const link = { provider: 'loose', link: 'true' } as const
const demoOfVera = { provider: 'demo', providerAccountId: 'vera' } as const
const looseOfVera = { provider: 'loose', providerAccountId: 'two' } as const

const start = (t: Test, strategy: Strategy, options: StartOptions & Parameters<typeof startAccounts>[1] = {}) =>
  startAccounts(t, { before: addRoutes, ...options, session: { strategy, ...options.session } })

/** Everything that ends a session of Vera's which began at `demo` and linked an account of `loose`. */
const ends: Readonly<Record<string, End>> = {
  revokeAll: ({ app }, id) => app.postern.sessions.revokeAll(id),
  suspend: ({ app }, id) => app.postern.users.suspend(id),
  deleteUser: ({ app }, id) => app.postern.deleteUser(id),
  'sign-out': (_started, _id, browser) => browser.submit('/api/auth/signout', {}),
  'unlink of the first account': ({ app }, id) => app.postern.unlink(id, demoOfVera),
  'unlink of the linked account': ({ app }, id) => app.postern.unlink(id, looseOfVera),
  'logout of the first account': (started) => logout(started, { sub: 'vera' }),
  'logout of the linked account': (started) => logout(started, { sub: 'two' }, 'loose'),
  'sign-out of others': async (started) => {
    const other = started.newBrowser()
    await signInByMail(started, other, address)
    await other.request('GET', '/sign-out-others')
  }
}

/** Those that are about one account, of three. */
const accountEnds: Readonly<Record<string, End>> = {
  ...Object.fromEntries(Object.entries(ends).filter(([end]) => end.includes('account'))),
  'unlink of another linked account': ({ app }, id) =>
    app.postern.unlink(id, { provider: 'demo', providerAccountId: 'three' })
}

/** Ordinary callbacks, as next-auth's documents and applications have them. */
const jwtCallbacks: Readonly<Record<string, NonNullable<PosternOptions['callbacks']>['jwt']>> = {
  'with tokens of the provider only': ({ token, account, user }) =>
    account && user ? { accessToken: account.access_token, expires: account.expires_at, user } : token,
  'with the user’s fields': ({ token, user }) => ({ ...token, ...user }),
  'without other claims': ({ token }) => ({ name: token.name ?? null })
}

for (const [name, jwt] of Object.entries(jwtCallbacks)) {
  t.test(`jwt: a callback that returns a token ${name} keeps no session alive`, async (t) => {
    for (const [end, run] of fewEnds(Object.entries(ends).filter(([end]) => !end.includes('linked')))) {
      const started = await start(t, 'jwt', { callbacks: jwt ? { jwt } : {}, session: { absoluteMaxAge: 7200 } })
      const { browser, clock } = started
      await signIn(started, browser, vera)
      const copy = getCopy(started, browser)
      t.ok(await isAlive(copy))
      clock.advance(5)
      await run(started, (await idOf(started, 'vera')) ?? '', browser)
      t.notOk(await isAlive(copy), end)
    }
    const { browser, clock, ...started } = await start(t, 'jwt', {
      callbacks: jwt ? { jwt } : {},
      session: { absoluteMaxAge: 7200, updateAge: 60 }
    })
    await signIn({ browser, clock, ...started }, browser, vera)
    for (let hours = 0; hours < 4; hours += 1) {
      clock.advance(1900)
      await isAlive(browser)
    }
    t.notOk(await isAlive(browser), 'absoluteMaxAge')
  })
}

t.test('jwt: a callback that accepts the whole patch of a browser raises no authentication', async (t) => {
  const started = await start(t, 'jwt', {
    session: { absoluteMaxAge: 7200 },
    callbacks: {
      jwt: ({ token, session, trigger }) => (trigger === 'update' ? { ...token, ...Object(session) } : token)
    }
  })
  const { browser, clock } = started
  await signInByMail(started, browser, address)
  clock.advance(1000)
  const now = Math.floor(clock.now() / 1000)
  const authentication = {
    amr: ['pwd', 'mfa'],
    acr: 'gold',
    auth_time: now,
    authTime: now,
    time: now,
    start: now + 9999
  }
  const own = {
    session_id: 'another',
    session_version: 99,
    session_app: 'another',
    iat: now + 3600,
    exp: now + 99_999_999
  }
  t.equal((await update(browser, { ...own, ...authentication, session_auth: authentication })).status, 200)
  for (const path of ['/fresh', '/gold', '/with-password']) t.equal(await getStatus(browser, path), 401, path)
  const copy = getCopy(started, browser)
  clock.advance(6300)
  t.notOk(await isAlive(browser), 'absoluteMaxAge')
  t.notOk(await isAlive(copy))
})

for (const { value: strategy, test } of turns()) {
  const session = { strategy }

  test(`${strategy}: what is linked raises neither acr nor freshness, and each link ends the older cookie`, async (t) => {
    const started = await start(t, strategy, { session: { maxPerUser: 2 } })
    const { browser, clock, issuer } = started
    const other = started.newBrowser()
    await signInByMail(started, other, address)
    clock.advance(1)
    await signInByMail(started, browser, address)
    const id = (await idIn(browser)) ?? ''
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, acr: 'gold', amr: ['pwd'], auth_time: claims.iat })
    clock.advance(61)
    for (const person of [second, third]) {
      const copy = getCopy(started, browser)
      await signIn(started, browser, person, link)
      t.equal(await idIn(browser), id)
      t.notOk(await isAlive(copy), 'the cookie from before the link')
      for (const path of ['/gold', '/fresh', '/with-password']) t.equal(await getStatus(browser, path), 401, path)
    }
    t.ok(await isAlive(other), 'a link is no further session')
    t.same(await accountsOf(started, id), ['loose three', 'loose two'])
  })

  test(`${strategy}: absoluteMaxAge runs on through a chain of links`, async (t) => {
    const started = await start(t, strategy, { session: { absoluteMaxAge: 4000 }, linking: { freshWithin: false } })
    const { browser, clock } = started
    await signInByMail(started, browser, address)
    clock.advance(1500)
    await signIn(started, browser, second, link)
    clock.advance(1500)
    const page = await openLinkPage(browser, await signIn(started, browser, third, { provider: 'loose' }))
    await browser.fill(page, '/api/auth/verify/link')
    t.ok(await isAlive(browser))
    clock.advance(1001)
    t.notOk(await isAlive(browser))
  })

  const renewals: Readonly<Record<string, (started: Started, browser: Browser) => Promise<unknown>>> = {
    renewal: async ({ clock }, browser) => {
      clock.advance(120)
      await isAlive(browser)
    },
    update: (_started, browser) => update(browser),
    'sign-out of others': (_started, browser) => browser.request('GET', '/sign-out-others')
  }
  for (const [renewal, renew] of Object.entries(renewals)) {
    test(`${strategy}: after ${renewal}, a session that linked accounts still ends with each of them`, async (t) => {
      for (const [end, run] of fewEnds(Object.entries(accountEnds))) {
        const started = await start(t, strategy, { session: { updateAge: 60 } })
        const { browser, clock } = started
        await signIn(started, browser, vera)
        await signIn(started, browser, second, link)
        await signIn(started, browser, third, { link: 'true' })
        await renew(started, browser)
        const copy = getCopy(started, browser)
        t.ok(await isAlive(copy))
        clock.advance(2)
        await run(started, (await idOf(started, 'vera')) ?? '', browser)
        t.notOk(await isAlive(copy), end)
      }
    })
  }

  test(`${strategy}: adapters that lack methods end the session or refuse the call`, async (t) => {
    for (const methods of [
      ['putSessionRecord', 'getSessionRecords', 'deleteSessionRecord'],
      ['createTicket', 'readTicket', 'countTry', 'consumeTicket', 'deleteTickets', 'transact', 'withLease'],
      ['deleteSessions', 'transact'],
      ['getAccounts', 'transact']
    ] satisfies (keyof Adapter)[][]) {
      for (const [end, run] of fewEnds(Object.entries(ends).filter(([end]) => !/revokeAll|suspend|delete/.test(end)))) {
        const all = Object.entries(memoryAdapter()).filter(([name]) => !methods.some((method) => method === name))
        const started = await start(t, strategy, { adapter: Object.fromEntries(all) })
        await signIn(started, started.browser, vera)
        await signIn(started, started.browser, second, link)
        const copy = getCopy(started, started.browser)
        started.clock.advance(2)
        const result: unknown = await run(started, (await idOf(started, 'vera')) ?? '', started.browser).catch(
          (error: unknown) => error
        )
        const isRefused = result instanceof Error || (typeof result === 'object' && Object(result).status === 400)
        const isMissing = end === 'sign-out of others' && !all.some(([name]) => name === 'deleteSessions')
        t.ok(isRefused || isMissing || !(await isAlive(copy)), `${end} without ${methods.join()}`)
      }
    }
  })

  test(`${strategy}: only the form field link=true starts a link`, async (t) => {
    const started = await start(t, strategy)
    const { browser, issuer } = started
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    const returnFrom = async (path: string, fields: Readonly<Record<string, string>>) => {
      const { location } = await browser.submit(path, fields)
      return browser.open(await issuer.authorize(location ?? '', second), { headers: fromAfar })
    }
    await openLinkPage(browser, await returnFrom('/api/auth/signin/loose?link=true', {}))
    for (const value of ['TRUE', '1', 'on', ' true', 'true,true', 'false'])
      await openLinkPage(browser, await returnFrom('/api/auth/signin/loose', { link: value }))
    t.same(await accountsOf(started, id), ['demo vera'])
  })

  test(`${strategy}: a mail that is requested with link=true gives nobody's user an address or an account`, async (t) => {
    const started = await start(t, strategy)
    const { browser, mailbox, adapter } = started
    await signIn(started, browser, mallory)
    const id = (await idIn(browser)) ?? ''
    await browser.submit('/api/auth/signin/email', { email: address, link: 'true' })
    const victim = started.newBrowser()
    await victim.fill(await victim.open(mailbox.last().url), 'form')
    t.not(await idIn(victim), id)
    t.ok(await idIn(victim))
    t.same(await accountsOf(started, id), ['demo mallory'])
    t.equal((await adapter?.getUser?.(id))?.email, mallory['email'])
  })

  test(`link-3: ${strategy}: two questions in two tabs: each confirms its own account, once`, async (t) => {
    const started = await start(t, strategy)
    const { browser } = started
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    const one = await openLinkPage(browser, await signIn(started, browser, second, { provider: 'loose' }))
    const two = await openLinkPage(browser, await signIn(started, browser, third, { provider: 'loose' }))
    await browser.fill(one, '/api/auth/verify/link')
    t.notOk(
      (await accountsOf(started, id)).includes('loose three'),
      'the first page does not confirm the second account'
    )
    await browser.fill(two, '/api/auth/verify/link')
    await browser.fill(two, '/api/auth/verify/link')
    t.equal(await idIn(browser), id)
    t.equal(await idOf(started, 'three', 'loose'), id)
  })

  test(`${strategy}: a question is not confirmed after freshWithin, and not after suspend and resume`, async (t) => {
    const started = await start(t, strategy, { linking: { freshWithin: 60 } })
    const { app, browser, clock } = started
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    const late = await openLinkPage(browser, await signIn(started, browser, second, { provider: 'loose' }))
    clock.advance(61)
    await browser.fill(late, '/api/auth/verify/link')
    t.same(await accountsOf(started, id), ['demo vera'])
    await signIn(started, browser, vera)
    const page = await openLinkPage(browser, await signIn(started, browser, second, { provider: 'loose' }))
    await app.postern.users.suspend(id)
    await app.postern.users.resume(id)
    clock.advance(2)
    await signInByMail(started, browser, address)
    t.equal(await idIn(browser), id)
    await browser.fill(page, '/api/auth/verify/link')
    t.same(await accountsOf(started, id), ['demo vera'])
  })

  test(`${strategy}: a step-up links nothing, creates nobody, and takes no other user`, async (t) => {
    const options = {
      linking: { freshWithin: false },
      demo: { assumeFresh: true },
      loose: { assumeFresh: true }
    } as const
    const started = await start(t, strategy, options)
    const { browser, clock, adapter } = started
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    await signIn(started, started.newBrowser(), mallory)
    clock.advance(61)
    await stepUp(browser)
    t.match((await signIn(started, browser, second, link)).location, 'error=DifferentUser')
    t.match((await signIn(started, browser, mallory)).location, 'error=DifferentUser')
    await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    await browser.submit('/api/auth/signin/email', { email: 'new@example.com' })
    await browser.open(started.mailbox.last().url, { headers: fromAfar })
    t.equal(await idIn(browser), id)
    t.equal(await getStatus(browser, '/fresh'), 401)
    t.same(await accountsOf(started, id), ['demo vera'])
    t.equal(await adapter?.getUserByEmail?.('new@example.com'), null)
    t.equal(await idOf(started, 'two', 'loose'), null)
  })

  test(`${strategy}: a requirement that a stranger's link set ends with sign-out`, async (t) => {
    const started = await start(t, strategy, { pages: { signIn: '/login' } })
    const { browser } = started
    await signIn(started, browser, vera)
    await browser.open('/api/auth/verify?acr_values=nothing&max_age=1', { headers: fromAfar })
    await browser.submit('/api/auth/signout', {})
    await signIn(started, browser, mallory)
    t.equal(await idIn(browser), await idOf(started, 'mallory'))
  })

  const pendings: Readonly<Record<string, (started: Started) => Promise<unknown>>> = {
    provider: (started) => signIn(started, started.browser, vera),
    mail: (started) => signInByMail(started, started.browser, address)
  }
  for (const [by, enter] of Object.entries(pendings)) {
    test(`${strategy}: a sign-in by ${by} that waits at a gate ends with everything that ends sessions`, async (t) => {
      const waiting = Object.entries(ends).filter(([end]) => /revokeAll|suspend|delete|first/.test(end))
      for (const [end, run] of fewEnds(waiting)) {
        if (by === 'mail' && end.includes('logout')) continue
        const gate = createTestGate(false)
        const started = await start(t, strategy, { features: [gate.feature] })
        const { browser, clock } = started
        await signInByMail(started, started.newBrowser(), address)
        const known = started.newBrowser()
        await signInByMail(started, known, address)
        await signIn(started, known, vera, { link: 'true' })
        const id = (await idIn(known)) ?? ''
        gate.isDue = true
        clock.advance(1)
        const page = await enter(started)
        t.match(page, { status: 302 })
        clock.advance(1)
        await run(started, id, browser)
        if (end === 'suspend') await started.app.postern.users.resume(id)
        clock.advance(1)
        await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
        t.equal(await idIn(browser), null, end)
      }
    })
  }

  test(`${strategy}: a sid is known after a step-up and after a gate`, async (t) => {
    const gate = createTestGate(false)
    const started = await start(t, strategy, { features: [gate.feature], demo: { assumeFresh: true } })
    const { browser, clock, issuer, newBrowser } = started
    await signInByMail(started, browser, address)
    await signIn(started, browser, vera, { link: 'true' })
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: 'sid-9' })
    clock.advance(61)
    await stepUp(browser)
    await signIn(started, browser, vera)
    t.equal(await getStatus(browser, '/fresh'), 200)
    gate.isDue = true
    const gated = newBrowser()
    await gated.followAll(await signIn(started, gated, vera))
    await gated.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.ok(await isAlive(gated))
    clock.advance(1)
    await logout(started, { sid: 'sid-9' })
    clock.advance(2)
    t.same([await isAlive(browser), await isAlive(gated)], [false, false])
  })

  test(`hook-1: ${strategy}: the signIn callback cannot turn an account into that of another user`, async (t) => {
    let victim = ''
    const started = await start(t, strategy, {
      callbacks: {
        ...withId,
        signIn: ({ user, account, profile }) => {
          if (user.email === mallory['email']) {
            Object.assign(user, { id: victim, email: address, emailVerified: new Date() })
            Object.assign(account ?? {}, { userId: victim, provider: 'demo', providerAccountId: 'vera' })
            Object.assign(profile ?? {}, { sub: 'vera', email: address })
          }
          return true
        }
      }
    })
    await signIn(started, started.newBrowser(), vera)
    victim = (await idOf(started, 'vera')) ?? ''
    for (const provider of ['demo', 'loose']) {
      const browser = started.newBrowser()
      await signIn(started, browser, mallory, { provider })
      t.not(await idIn(browser), victim)
    }
    t.same(await accountsOf(started, victim), ['demo vera'])
  })

  test(`${strategy}: accounts and sessions of another user are out of reach by their ids`, async (t) => {
    const started = await start(t, strategy, {
      before: (app) => {
        app.after(() => {
          app.get<{ Querystring: { id: string } }>('/token', (request) =>
            request.getAccessToken('demo', { providerAccountId: request.query.id })
          )
        })
      }
    })
    const { app, browser } = started
    const victim = started.newBrowser()
    await signIn(started, victim, vera)
    await signIn(started, browser, mallory)
    const [id, own] = [(await idIn(victim)) ?? '', (await idIn(browser)) ?? '']
    t.same([await getStatus(browser, '/token?id=vera'), await getStatus(browser, '/token?id=mallory')], [404, 200])
    for (const { id: session } of await app.postern.sessions.list(id))
      t.equal(await app.postern.sessions.revoke(session, own), false)
    await t.rejects(app.postern.unlink(own, demoOfVera), { code: 'UNKNOWN_ACCOUNT' })
    t.ok(await isAlive(victim))
  })

  test(`${strategy}: five sign-ins at once leave one session if a user may have one`, async (t) => {
    const started = await start(t, strategy, { session: { maxPerUser: 1 } })
    await signIn(started, started.newBrowser(), vera)
    const browsers = Array.from({ length: 5 }, () => started.newBrowser())
    const begun = await Promise.all(browsers.map((browser) => begin(started, browser, vera)))
    await Promise.all(begun.map(({ finish }) => finish()))
    started.clock.advance(2)
    const alive = await Promise.all(browsers.map(isAlive))
    t.ok(alive.filter(Boolean).length <= 1)
  })

  test(`${strategy}: applications in sibling scopes never share what one request has read`, async (t) => {
    const issuer = createIssuer()
    const app = Fastify()
    t.teardown(() => app.close())
    const common = {
      url: origin,
      secret,
      adapter: memoryAdapter(),
      session,
      rateLimit: false,
      providers: [people]
    } as const
    const cookies = (name: string) => ({
      sessionToken: { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const }
    })
    const scopes: FastifyInstance[] = []
    await app.register(
      async (shop) => {
        await shop.register(postern, { ...common, cookies: cookies('__Secure-shop'), runtime: { fetch: issuer.fetch } })
        scopes.push(shop)
      },
      { prefix: '/shop' }
    )
    await app.register(
      async (admin) => {
        await admin.register(postern, { ...common, cookies: cookies('__Secure-admin') })
        const [shop] = scopes
        const readShop = async (request: Parameters<typeof admin.postern.getSession>[0]) => {
          await shop?.postern.getSession(request)
          await shop?.postern.getToken(request)
        }
        admin.get('/me', { onRequest: [readShop, requireSession] }, async () => 'secret')
        admin.get('/read', { onRequest: readShop }, async (request) => [
          request.auth,
          await request.getSession(),
          await request.getAuthentication(),
          await admin.postern.getToken(request)
        ])
      },
      { prefix: '/admin' }
    )
    const browser = createBrowser({ origin, send: fromInject(app), basePath: '/shop/api/auth' })
    await browser.submit('/shop/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
    t.match(await browser.json('/shop/api/auth/session'), { user: { name: 'grace' } })
    t.equal(await getStatus(browser, '/admin/me'), 401)
    t.same(await browser.json('/admin/read'), [null, null, null, null])
  })

  test(`${strategy}: guards hold for other methods, hooks, scopes and handlers`, async (t) => {
    const handler = async (): Promise<string> => 'secret'
    const { browser } = await start(t, strategy, {
      before: (app) => {
        app.after(() => {
          app.setErrorHandler(async (_error, _request, reply) => reply.code(200).send('handled'))
          app.get('/guard', { onRequest: requireSession }, handler)
          app.route({ method: ['POST', 'OPTIONS', 'DELETE'], url: '/guard', onRequest: requireSession, handler })
          app.get(
            '/parsing',
            { preParsing: (request, reply) => requireSession(request, reply).then(() => undefined) },
            handler
          )
          app.get('/validation', { preValidation: requireSession }, handler)
          app.get('/any/*', { onRequest: requireSession }, handler)
          app.register(
            async (scope) => {
              scope.addHook('onRequest', requireSession)
              scope.setNotFoundHandler({ preHandler: requireSession }, handler)
              scope.register(async (inner) => inner.get('/inner', handler))
            },
            { prefix: '/scope' }
          )
        })
      }
    })
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'] as const)
      t.equal((await browser.request(method, '/guard', { headers: script })).status, 401, method)
    for (const path of ['/parsing', '/validation', '/scope/inner', '/scope/none', '/any//evil.test'])
      t.notMatch((await browser.request('GET', path, { headers: script })).body, 'secret', path)
    const upgrade = { upgrade: 'websocket', connection: 'Upgrade', accept: 'text/html', host: 'evil.test' }
    t.match((await browser.request('GET', '/guard', { headers: upgrade })).location, `${origin}/api/auth/signin`)
    const { location } = await browser.open('/any//evil.test/x')
    t.equal(new URL(location ?? '').searchParams.get('callbackUrl'), `${origin}/any//evil.test/x`)
  })

  test(`${strategy}: a code in the body does not replace that of the query`, async (t) => {
    const started = await start(t, strategy)
    const { browser, newBrowser } = started
    const own = new URL((await begin(started, browser, vera)).callback)
    const foreign = new URL((await begin(started, newBrowser(), mallory)).callback)
    const headers = { 'sec-fetch-site': 'same-origin', origin }
    await browser.post(`${own.pathname}${own.search}`, `code=${foreign.searchParams.get('code')}`, headers)
    t.equal(await idIn(browser), null)
  })

  test(`${strategy}: a form that knows the users of the store is bound to suspensions, links and deletions`, async (t) => {
    let id = ''
    const entry = demoIssuer(createIssuer())
    const form = credentials({
      credentials: { username: {}, password: { type: 'password' } },
      authorize: () => ({ id, name: 'Vera', email: address })
    })
    const started = await start(t, strategy, { providers: [entry, { ...entry, id: 'loose' }, mails(), form] })
    const { app, browser, clock } = started
    const enter = (by: Browser) => by.submit('/api/auth/callback/credentials', { username: 'v', password: 'x' })
    const mailed = started.newBrowser()
    await signInByMail(started, mailed, address)
    id = (await idIn(mailed)) ?? ''
    await enter(browser)
    await signIn(started, browser, vera, { link: 'true' })
    t.equal(await idOf(started, 'vera'), id)
    clock.advance(2)
    await app.postern.unlink(id, demoOfVera)
    t.notOk(await isAlive(browser))
    await app.postern.users.suspend(id)
    t.match((await enter(started.newBrowser())).location, 'error=UserSuspended')
    await app.postern.deleteUser(id)
    // In the millisecond of the deletion, nothing tells whether the form came before.
    t.match((await enter(started.newBrowser())).location, 'error=CredentialsSignin')
    clock.advance(1)
    await enter(browser)
    // With JWT sessions, who a form signs in is the application's word alone, as with next-auth.
    if (strategy === 'jwt') t.equal(await idIn(browser), id, 'a user of the application, whom no row belongs to')
    else t.not(await idIn(browser), id, 'a new user')
  })
}

/** Spellings that MySQL, MariaDB or SQL Server compare as equal, or that look alike. */
const sameNames: Readonly<Record<string, readonly string[]>> = {
  strasse: ['straße', 'STRAẞE', 'ſtraße', 'stra\u00adsse'],
  oslo: ['øslo', 'ØSLO', 'o\u0338slo', 'ơslo', 'ºslo'],
  lukasz: ['łukasz', 'l\u0335ukasz'],
  aesop: ['æsop', 'ǽsop'],
  oeuvre: ['œuvre'],
  dan: ['đan', 'ðan'],
  izmir: ['ızmir', 'İzmir'],
  kelvin: ['\u212aelvin'],
  vera2: ['vera\u0662', 'vera\u06f2', 'vera\u0968', 'vera\u09e8', 'vera\u0a68'],
  soren: ['s\u00f8ren', 'S\u00d8REN', 's\u01ffren'],
  lukas: ['\u0142ukas', '\u0140ukas', '\u0141UKAS'],
  david: ['\u0111avid', '\u00f0avid', '\u00d0avid'],
  hanna: ['\u0127anna', '\u0126anna'],
  aeoeth: ['\u00e6\u0153th', '\u00c6\u0152\u1d7a'],
  vera: [
    '\u{1f165}\u{1f154}\u{1f161}\u{1f150}',
    ' vera',
    'vera\t',
    '\u00a0vera',
    'vera\u2003',
    '\u3000vera\r\n',
    'v era',
    've\u200era',
    '\u202evera',
    'vera\u2069',
    've\u00adra',
    've\u034fra',
    'vera\ufe0f',
    've\u{e0061}ra',
    'vera\u{e007f}',
    've\u180bra',
    've\u3164ra',
    've\u115fra',
    've\uffa0ra',
    'VERA',
    'vErA',
    '\uff56\uff45\uff52\uff41',
    '\u{1d4cb}era',
    '\u24e5era',
    'v\u00e9ra',
    've\u0301ra',
    'v\u0113ra',
    've\u0332ra'
  ],
  fiona: ['\ufb01ona', 'FIONA', '\uff26\uff29ona'],
  vera1: ['vera\u00b9', 'vera\u2460', 'vera\u2081', 'vera\uff11'],
  fish: ['ﬁsh'],
  ada: [
    'a\u{1f153}a',
    '\u{1f170}da',
    'a\ua779a',
    'a\u00f0a',
    'ada\u06de',
    'ad\u0640a',
    'ada\u200b',
    'ada\ufe0f',
    'ada\u0000',
    'ada\u3164',
    'ada\u034f',
    ' a d a ',
    'ⓐda',
    '𝐚da',
    'ada\u{e0061}',
    'ａda'
  ],
  amelie: [
    ...['amélie', 'AMÉLIE', 'ame\u0301lie', 'amelie', ' amélie ', '\u3000amélie\u00a0', 'ａｍéｌｉｅ', 'am\u00adélie'],
    ...[
      'a\u200bmélie',
      'amé\u200d\u2060lie',
      '\ufeffamelie',
      'a\u0332m\u0332elie',
      '𝐚𝐦𝐞𝐥𝐢𝐞',
      'ameli\u{e0100}e',
      'amelıe'
    ],
    ...[
      'AMELİE',
      'ame\u034flie',
      'am elie',
      'amelie\u0000',
      `${' '.repeat(300)}amelie`,
      `a${'\u0301'.repeat(300)}melie`
    ]
  ],
  jorgen: ['jørgen'],
  aesir: ['æsir'],
  dorde: ['đorđe'],
  ssa: ['ẞA'],
  かな: ['カナ', 'ｶﾅ'],
  ΣΙΓΜΑΣ: ['σίγμας'],
  'x😁': ['x😀'],
  user1: ['user\u0661', 'user\u06f1', 'user\u0967', 'user\u09e7', 'user\u0e51'],
  '12': ['\u0661\u0662', '1\u0662', '\u06612'],
  [`${'a'.repeat(300)}0`]: [`${'a'.repeat(300)}1`]
}

t.test('limits: spellings that MariaDB takes for equal, and fields of odd types, share a counter', async (t) => {
  const keys: string[] = []
  const limiter = {
    consume: async (key: string) => {
      keys.push(key)
      return 0
    },
    refund: async () => undefined
  }
  const { browser } = await start(t, 'jwt', { rateLimit: { limiter } })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const getKeys = async (username: unknown): Promise<string> => {
    keys.length = 0
    const headers = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ csrfToken, username, password: 'x' })
    await browser.request('POST', '/api/auth/callback/credentials', { headers, body })
    return keys.join()
  }
  for (const [name, spellings] of Object.entries(sameNames)) {
    const expected = await getKeys(name)
    for (const spelling of spellings) t.equal(await getKeys(spelling), expected, JSON.stringify(spelling))
  }
  const unnamed = await getKeys('')
  for (const value of [['ada'], { a: 'ada' }, 7, true, null]) t.equal(await getKeys(value), unnamed)
})

t.test('limits: no username is the counter of a client, and none that of a name at an address', async (t) => {
  const form = credentials({
    credentials: { username: {}, password: { type: 'password' } },
    normalizeIdentifier: (value) => value,
    authorize: ({ username, password }) => (password === 'lovelace' ? { id: username, name: username } : null)
  })
  const points = { points: 3, seconds: 3600 }
  const rules = ['credentialsPerClient', 'credentialsPerIdentifier', 'credentialsPerIdentifierAndClient'] as const
  const rateLimit = Object.fromEntries(rules.map((rule) => [rule, points]))
  const started = await start(t, 'jwt', { providers: [form], rateLimit, server: { trustProxy: true } })
  const at = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  const names = ['of all by 203.0.113.9', 'vera by 203.0.113.9', 'vera by 203.0.113.9 ']
  for (const [index, username] of [...names, ...names, ...names].entries())
    await started
      .newBrowser()
      .submit('/api/auth/callback/credentials', { username, password: 'x' }, at(`198.51.100.${index}`))
  const victim = started.newBrowser()
  await victim.submit('/api/auth/callback/credentials', { username: 'vera', password: 'lovelace' }, at('203.0.113.9'))
  t.equal(await idIn(victim), 'vera')
})

t.test('limits: a proxy that adds ports or other spellings of an address makes no new clients', async (t) => {
  const addresses: readonly ((index: number) => string)[] = [
    (index) => `203.0.113.7:${1000 + index}`,
    (index) => `[2001:db8::1]:${1000 + index}`,
    (index) => `fe80::1%eth${index}`,
    (index) => (index % 2 ? '2001:DB8::1' : '2001:db8:0:0::1'),
    (index) => ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '203.0.113.7'][index % 3] ?? ''
  ]
  for (const spell of addresses) {
    const rateLimit = { credentialsPerClient: { points: 3, seconds: 3600 } }
    const started = await start(t, 'jwt', { rateLimit, server: { trustProxy: true } })
    const results: boolean[] = []
    for (let index = 0; index < 6; index += 1) {
      const headers = { 'x-forwarded-for': spell(index) }
      const fields = { username: `name-${index}`, password: 'x' }
      const response = await started.newBrowser().submit('/api/auth/callback/credentials', fields, { headers })
      results.push(response.status === 429)
    }
    t.same(results, [false, false, false, true, true, true], spell(1))
  }
})

t.test('jwt: copies of cookies of next-auth v4 end with the session that replaced them', async (t) => {
  const copies: Readonly<Record<string, End>> = Object.fromEntries(
    Object.entries(ends).filter(([end]) => !end.includes('linked'))
  )
  for (const [end, run] of fewEnds(Object.entries(copies))) {
    const started = await start(t, 'jwt', { session: { updateAge: 60 } })
    const { browser, clock } = started
    clock.set(new Date())
    const mailed = started.newBrowser()
    await signInByMail(started, mailed, address)
    await signIn(started, mailed, vera, { link: 'true' })
    const id = (await idIn(mailed)) ?? ''
    clock.advance(2)
    const token = { sub: id, name: 'Vera', email: address }
    browser.cookies.set(cookieNames.sessionToken, await encode({ token, secret }), { secure: true })
    const copy = getCopy(started, browser)
    clock.advance(100)
    t.ok(await isAlive(browser))
    t.not(browser.cookies.get(cookieNames.sessionToken), copy.cookies.get(cookieNames.sessionToken))
    t.equal(await getStatus(copy, '/fresh'), 401)
    clock.advance(1)
    await run(started, id, browser)
    clock.advance(2)
    t.notOk(await isAlive(copy), end)
  }
})

for (const storage of ['plain', 'both'] as const) {
  t.test(`${storage}: rows of next-auth end as sessions of an unknown origin, also after a link`, async (t) => {
    for (const [end, run] of fewEnds(Object.entries(ends))) {
      const started = await start(t, 'database', {
        session: { storage, updateAge: 60 },
        linking: { freshWithin: false }
      })
      const { browser, clock, adapter } = started
      const mailed = started.newBrowser()
      await signInByMail(started, mailed, address)
      await signIn(started, mailed, vera, { link: 'true' })
      const id = (await idIn(mailed)) ?? ''
      const sessionToken = `row-of-next-auth-${end}`.replaceAll(' ', '-')
      await adapter?.createSession?.({ sessionToken, userId: id, expires: new Date(clock.now() + 86_400_000) })
      browser.cookies.set(cookieNames.sessionToken, sessionToken, { secure: true })
      const older = getCopy(started, browser)
      await signIn(started, browser, second, link)
      t.equal(await idOf(started, 'two', 'loose'), id)
      clock.advance(120)
      t.ok(await isAlive(browser))
      const copy = getCopy(started, browser)
      clock.advance(2)
      await run(started, id, browser)
      clock.advance(2)
      t.same([await isAlive(copy), await isAlive(older)], [false, false], end)
    }
  })
}

/** Vera is signed in twice, and links an account in one of the browsers. */
async function prepareLink(t: Test, strategy: Strategy, adapter: Adapter, end: End): Promise<Overlap> {
  const started = await startOverlap(t, adapter, { session: { strategy } })
  const { browser, clock, issuer } = started
  issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: `sid-${claims.sub}` })
  const mailed = started.newBrowser()
  await signInByMail(started, mailed, address)
  const id = (await idIn(mailed)) ?? ''
  await signIn(started, mailed, vera, { link: 'true' })
  await signIn(started, browser, vera)
  const copy = getCopy(started, browser)
  const { finish } = await begin(started, browser, second, link)
  clock.advance(0.01)
  return {
    started,
    outer: finish,
    inner: () => end(started, id, copy),
    check: async () => ((await idIn(browser)) === id || (await idIn(copy)) === id ? 'the user is signed in' : null)
  }
}

for (const [strategy, end] of [
  ['jwt', 'revokeAll'],
  ['jwt', 'unlink of the first account'],
  ['database', 'logout of the first account']
] as const) {
  t.test(`${strategy}: ${end}, anywhere within a link, ends the session that links`, async (t) => {
    const run = ends[end] ?? (() => Promise.reject(new Error(end)))
    const { calls, problems } = await overlapEverywhere((adapter) => prepareLink(t, strategy, adapter, run))
    t.ok(calls > 4, `${calls} calls`)
    t.same(problems, [])
  })
}

for (const { value: strategy, test } of turns())
  for (const hasTransactions of [true, false])
    test(`${strategy}: an account signs in while its link is taken back, with${hasTransactions ? '' : 'out'} transactions: nobody stays signed in`, async (t) => {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const methods = Object.keys(memoryAdapter()).filter((name) => hasTransactions || name !== 'transact')
        const chosen = Object.fromEntries(methods.map((name) => [name, Reflect.get(adapter, name)]))
        const started = await startOverlap(t, chosen, { session: { strategy } })
        const { app, browser } = started
        await signInByMail(started, browser, address)
        const id = (await idIn(browser)) ?? ''
        const { finish } = await begin(started, browser, second, link)
        const thief = started.newBrowser()
        const inner = async () => {
          await app.postern.sessions.revokeAll(id)
          await signIn(started, thief, second, { provider: 'loose' })
        }
        const check = async () => {
          const accounts = await app.postern.accounts.list(id)
          return (await idIn(thief)) === id && accounts.length === 0
            ? 'signed in by an account that is not linked'
            : null
        }
        return { started, outer: finish, inner, check }
      })
      t.same(problems, [])
    })

type Entrance = (started: Started, browser: Browser) => Promise<() => Promise<unknown>>

const entrances: Readonly<Record<string, Entrance>> = {
  provider: async (started, browser) => (await begin(started, browser, vera)).finish,
  mail: async ({ mailbox }, browser) => {
    await browser.submit('/api/auth/signin/email', { email: address })
    const { url } = mailbox.last()
    return () => browser.open(url, { headers: fromAfar })
  }
}

for (const [strategy, end, by, isOuter] of [
  ['jwt', 'suspend', 'mail', true],
  ['jwt', 'unlink of the first account', 'provider', false],
  ['database', 'deleteUser', 'provider', true],
  ['database', 'suspend', 'provider', false]
] as const) {
  t.test(`${strategy}: ${end} and a sign-in by ${by} that overlap leave nobody signed in`, async (t) => {
    const { calls, problems } = await overlapEverywhere(async (adapter) => {
      const started = await startOverlap(t, adapter, { session: { strategy } })
      const mailed = started.newBrowser()
      await signInByMail(started, mailed, address)
      const id = (await idIn(mailed)) ?? ''
      await signIn(started, mailed, vera, { link: 'true' })
      const enter = (await entrances[by]?.(started, started.browser)) ?? (() => Promise.resolve())
      started.clock.advance(1)
      const finish = async () => ends[end]?.(started, id, started.browser)
      const check = async () => ((await idIn(started.browser)) === id ? 'the user is signed in' : null)
      return { started, outer: isOuter ? finish : enter, inner: isOuter ? enter : finish, check }
    })
    t.ok(calls > 1, `${calls} calls`)
    t.same(problems, [])
  })
}

for (const strategy of strategies)
  t.test(
    `overlap-4: ${strategy}: a sign-in that begins again because all sessions have ended is refused`,
    async (t) => {
      const waiting: (() => Promise<unknown>)[] = []
      const remember = async (): Promise<boolean> => {
        await waiting.pop()?.()
        return true
      }
      const started = await startAccounts(t, { session: { strategy, remember } })
      const mailed = started.newBrowser()
      await signInByMail(started, mailed, address)
      const id = (await idIn(mailed)) ?? ''
      await signIn(started, mailed, vera, { link: 'true' })
      for (const [by, enter] of Object.entries(entrances)) {
        const browser = started.newBrowser()
        const finish = await enter(started, browser)
        waiting.push(() => started.app.postern.sessions.revokeAll(id))
        await finish()
        t.same(waiting, [], `${by}: they have ended meanwhile`)
        t.not(await idIn(browser), id, by)
        await finish()
      }
    }
  )

const evil = { sub: 'evil', name: 'E', email: address, email_verified: false }
const acts: Readonly<Record<string, (started: Started, browser: Browser) => Promise<unknown>>> = {
  'signs in again': (started, browser) => signIn(started, browser, evil, { provider: 'loose' }),
  'signs out others': (_started, browser) => browser.request('GET', '/sign-out-others')
}

for (const [strategy, act] of [
  ['database', 'signs in again'],
  ['jwt', 'signs out others']
] as const) {
  const run = acts[act] ?? (() => Promise.reject(new Error(act)))
  t.test(`${strategy}: a stranger who ${act} anywhere within a claim keeps nothing`, async (t) => {
    const { calls, problems } = await overlapEverywhere(async (adapter) => {
      const started = await startOverlap(t, adapter, { session: { strategy } })
      const { browser } = started
      await signIn(started, browser, evil, { provider: 'loose' })
      const id = (await idIn(browser)) ?? ''
      const owner = started.newBrowser()
      const outer = (await entrances['mail']?.(started, owner)) ?? (() => Promise.resolve())
      started.clock.advance(1)
      const check = async () => {
        const isClaimed = Boolean((await started.adapter?.getUserByEmail?.(address))?.emailVerified)
        const accounts = await accountsOf(started, id)
        if (isClaimed && (await idIn(browser)) === id) return 'the stranger is signed in'
        return isClaimed && accounts.length > 0 ? `there are ${accounts}` : null
      }
      return { started, outer, inner: () => run(started, browser), check }
    })
    t.ok(calls > 4, `${calls} calls`)
    t.same(problems, [])
  })
}

t.test('jwt: a renewal or an update that overlaps any end revives no session', async (t) => {
  const uses = [(browser: Browser) => browser.json('/api/auth/session'), update]
  for (const use of uses)
    for (const end of fewEnds(['revokeAll', 'sign-out', 'logout of the first account'] as const)) {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, adapter, { session: { strategy: 'jwt', updateAge: 60 } })
        const { browser, clock } = started
        await signIn(started, browser, vera)
        const id = (await idIn(browser)) ?? ''
        const copy = getCopy(started, browser)
        clock.advance(100)
        const inner = async () => ends[end]?.(started, id, copy)
        const check = async () => ((await isAlive(browser)) ? 'the user is signed in' : null)
        return { started, outer: () => use(browser), inner, check }
      })
      t.same(problems, [], end)
    }
})

t.test('signInByForm: a control, so that the probes of this file can fail', async (t) => {
  const started = await start(t, 'database')
  await signInByForm(started.browser)
  t.ok(await isAlive(getCopy(started, started.browser)))
  t.equal(await getStatus(started.browser, '/fresh'), 200)
  t.equal(await getStatus(started.browser, '/with-password'), 200)
})

t.test('jwt: a callback that copies the profile into the token takes sessions out of reach of every end', async (t) => {
  for (const [end, run] of fewEnds(
    Object.entries(ends).filter(([end]) => !end.includes('linked') && end !== 'sign-out')
  )) {
    const started = await start(t, 'jwt', { callbacks: { jwt: ({ token, profile }) => ({ ...token, ...profile }) } })
    const { browser, clock } = started
    await signInByMail(started, started.newBrowser(), address)
    const id = (await started.adapter?.getUserByEmail?.(address))?.id ?? ''
    await started.adapter?.linkAccount?.({ userId: id, type: 'oidc', ...demoOfVera })
    await signIn(started, browser, vera)
    const copy = getCopy(started, browser)
    t.ok(await isAlive(copy))
    clock.advance(2)
    await run(started, id, browser)
    clock.advance(2)
    t.notOk(await isAlive(copy), end)
  }
})

t.test('jwt: a session that is ended while it links an account goes on', async (t) => {
  const revokeOne: End = async ({ app }, id) => {
    for (const session of await app.postern.sessions.list(id))
      if (session.provider === 'demo') await app.postern.sessions.revoke(session.id, id)
  }
  const { problems } = await overlapEverywhere((adapter) => prepareLink(t, 'jwt', adapter, revokeOne))
  t.same(problems, [])
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: a link does not ask again how long the session is remembered`, async (t) => {
    const remember: NonNullable<NonNullable<PosternOptions['session']>['remember']> = ({ account }) =>
      account?.type === 'email' ? 3600 : true
    const started = await start(t, strategy, { session: { remember } })
    const { browser, clock } = started
    await signInByMail(started, browser, address)
    await signIn(started, browser, second, link)
    clock.advance(3700)
    t.notOk(await isAlive(browser))
  })

  test(`${strategy}: a logout token with a sid alone is refused if nobody stores the sid`, async (t) => {
    const names = ['putSessionRecord', 'getSessionRecords', 'deleteSessionRecord']
    const methods = Object.entries(memoryAdapter()).filter(([name]) => !names.includes(name))
    const started = await start(t, strategy, { adapter: Object.fromEntries(methods) })
    const { browser, issuer } = started
    issuer.faults.idTokenClaims = (claims) => ({ ...claims, sid: 'sid-1' })
    await signIn(started, browser, vera)
    const { status } = await logout(started, { sid: 'sid-1' })
    t.not([status, await isAlive(browser)].join(), '200,true', 'the provider takes the session for ended')
  })
}

t.test('jwt: a cookie of next-auth v4 ends with a logout token that names its user', async (t) => {
  const started = await start(t, 'jwt')
  const { browser, clock } = started
  clock.set(new Date())
  const known = started.newBrowser()
  await signIn(started, known, vera)
  clock.advance(2)
  const token = { sub: (await idIn(known)) ?? '', name: 'Vera', email: address }
  browser.cookies.set(cookieNames.sessionToken, await encode({ token, secret }), { secure: true })
  t.ok(await isAlive(browser))
  clock.advance(2)
  t.equal((await logout(started, { sub: 'vera' })).status, 200)
  clock.advance(2)
  t.notOk(await isAlive(browser))
})

t.test('jwt: an account of a form, which no sign-in looks up, is no other way in', async (t) => {
  const started = await start(t, 'jwt', { providers: [demoIssuer(createIssuer()), people] })
  const { app, browser, adapter } = started
  await signIn(started, browser, { ...vera, email_verified: false })
  const id = (await idIn(browser)) ?? ''
  await adapter?.linkAccount?.({
    userId: id,
    type: 'credentials',
    provider: 'credentials',
    providerAccountId: 'id-vera'
  })
  const form = started.newBrowser()
  await form.submit('/api/auth/callback/credentials', { username: 'vera', password: 'lovelace' })
  t.equal(await idIn(form), 'id-vera', 'the form leads to no stored user')
  await t.rejects(app.postern.unlink(id, demoOfVera), { code: 'LAST_WAY_IN' })
})

t.test('database: a session from the future is not fresh after the clock was set back', async (t) => {
  const started = await start(t, 'database')
  const { browser, clock } = started
  await signInByMail(started, browser, address)
  const id = (await idIn(browser)) ?? ''
  clock.advance(-3600)
  t.equal(await getStatus(browser, '/fresh'), 401)
  await signIn(started, browser, second, link)
  t.same(await accountsOf(started, id), [])
})

t.test('jwt: what a callback copies from a profile or a client cannot be a claim of Postern', async (t) => {
  const forged = {
    session_user: 'somebody',
    session_auth: { amr: ['mfa'] },
    session_age: 1,
    session_claims: { vault: { isOpen: true } },
    session_app: 'another',
    auth_time: 1
  }
  const started = await start(t, 'jwt', {
    callbacks: { jwt: ({ token, session }) => ({ ...token, ...forged, ...Object(session) }) }
  })
  const { app, browser, adapter } = started
  await signIn(started, browser, vera)
  const id = (await adapter?.getUserByAccount?.(demoOfVera))?.id ?? ''
  await browser.open('/api/auth/session')
  const token = await browser.json<Token>('/token')
  t.equal(token.sub, id)
  for (const [name, value] of Object.entries(forged)) t.notSame(token[name], value, name)
  t.same((await app.postern.sessions.list(id)).length, 1)
})
