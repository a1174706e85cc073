import { memoryAdapter } from '@postern/adapters/memory'
import { type AccountError, AuthError, type PosternOptions } from '@postern/core'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern, { requireSession } from '../src/index.ts'
import { idIn, signUp, startAccounts, strategies, withId } from './attacks/setup.ts'
import { createTestGate, type TestGate } from './interruption-feature.ts'
import { cookieNames, getSession, origin, type StartOptions, secret, signInByForm } from './start.ts'

const interrupted = `${origin}/api/auth/verify?error=VerificationRequired`

/** What the route of the application answers. */
interface Entered {
  readonly result?: { readonly kind: string; readonly url: string }
  readonly error?: string
  readonly name?: string
  readonly before?: string | null
  readonly after?: string | null
}

const post = (browser: Browser, path: string, body: object = {}): Promise<BrowserResponse> =>
  browser.post(path, JSON.stringify(body), { 'content-type': 'application/json' })

/** An application with a route that signs in whomever the body names, as one that has verified them would. */
async function startOwn(t: Test, options: StartOptions = {}) {
  const started = await startAccounts(t, { session: { strategy: 'database' }, ...options })
  const { app } = started
  app.post<{ Body: { id: string; options?: object } }>('/enter', async (request, reply) => {
    const getId = async () => (await request.getSession())?.user?.email ?? null
    const before = await getId()
    try {
      const result = await app.postern.signIn(request, reply, request.body.id, request.body.options)
      return { result, before, after: await getId() }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      return reply.code(409).send({ error: error.code, name: error.name, after: await getId() })
    }
  })
  app.get('/money', { onRequest: requireSession.with({ freshWithin: 300 }) }, async () => 'money')
  app.get('/authentication', async (request) => request.getAuthentication())
  const enter = async (browser: Browser, id: string, more: object = {}): Promise<Entered> =>
    (await post(browser, '/enter', { id, ...more })).json() as Entered
  return { ...started, enter }
}

for (const { value: strategy, test } of turnsOf(strategies, t)()) {
  const session = { strategy }

  test(`${strategy}: a user whom the application has verified is signed in`, async (t) => {
    const emitted: unknown[] = []
    const events: PosternOptions['events'] = { signIn: (message) => void emitted.push(message) }
    const started = await startOwn(t, { session, events })
    const { browser, newBrowser, enter } = started
    const id = await signUp(started)
    const done = await enter(browser, id, { options: { amr: ['pwd'], callbackUrl: '/inbox' } })
    t.same(done, {
      result: { kind: 'signed-in', url: `${origin}/inbox` },
      before: null,
      after: 'vera@example.com'
    })
    t.equal(await idIn(browser), id)
    t.match(await browser.json('/authentication'), {
      userId: id,
      amr: ['pwd'],
      provider: { id: 'application', acr: null }
    })
    t.equal(browser.cookies.get(cookieNames.device), null, 'the cookie of the device is not overwritten')
    const account = { provider: 'application', type: 'credentials', providerAccountId: id }
    t.match(emitted, [{ user: { id }, account, isNewUser: false }])
    const other = newBrowser()
    t.match(await enter(other, id), { result: { kind: 'signed-in', url: origin } })
    t.match(await other.json('/authentication'), { amr: [] }, 'nothing is stated by default')
    const [listed] = await started.app.postern.sessions.list(id)
    t.match(listed, { provider: 'application' })
  })

  test(`${strategy}: an unknown user, and one who was deleted, is not signed in`, async (t) => {
    const started = await startOwn(t, { session })
    const { browser, enter, app } = started
    t.match(await enter(browser, 'nobody'), { error: 'UNKNOWN_USER', name: 'AccountError', after: null })
    const id = await signUp(started)
    await app.postern.deleteUser(id)
    t.match(await enter(browser, id), { error: 'UNKNOWN_USER' })
    t.same(await getSession(browser), {})
  })

  test(`${strategy}: attack: a suspended user`, async (t) => {
    const started = await startOwn(t, { session })
    const { browser, enter, app, clock } = started
    const id = await signUp(started)
    await app.postern.users.suspend(id)
    t.match(await enter(browser, id), { error: 'UserSuspended', name: 'AuthError', after: null })
    t.same(await getSession(browser), {})
    await app.postern.users.resume(id)
    clock.advance(1)
    t.match(await enter(browser, id), { result: { kind: 'signed-in' } })
  })

  test(`${strategy}: attack: a user whom the signIn callback refuses, or sends elsewhere`, async (t) => {
    const asked: unknown[] = []
    let answer: boolean | string = false
    const callbacks: PosternOptions['callbacks'] = {
      ...withId,
      signIn: ({ user, account }) => {
        asked.push({ id: user.id, provider: account.provider })
        return answer
      }
    }
    const started = await startOwn(t, { session, callbacks })
    const { browser, enter } = started
    const id = await signUp(started)
    t.match(await enter(browser, id), { error: 'AccessDenied', name: 'AuthError' })
    answer = '/blocked'
    t.match(await enter(browser, id), { result: { kind: 'redirect', url: `${origin}/blocked` }, after: null })
    t.same(await getSession(browser), {})
    t.same(browser.cookies.get(cookieNames.device), null)
    answer = true
    t.match(await enter(browser, id), { result: { kind: 'signed-in' } })
    t.same(
      asked,
      Array.from({ length: 3 }, () => ({ id, provider: 'application' })),
      'once for each sign-in'
    )
  })

  test(`${strategy}: attack: an interruption must pass first, whatever amr states`, async (t) => {
    const gate: TestGate = createTestGate(true, ['otp'])
    const started = await startOwn(t, { session, features: [gate.feature] })
    const { browser, newBrowser, enter } = started
    const id = await signUp(started)
    const options = { amr: ['pwd', 'otp', 'mfa'], callbackUrl: '/inbox' }
    t.match(await enter(browser, id, { options }), { result: { kind: 'pending', url: interrupted }, after: null })
    t.same(await getSession(browser), {}, 'nobody is signed in')
    t.equal(browser.cookies.get(cookieNames.device), null, 'the device is not known')
    t.match(gate.asked.at(-1), {
      user: { id },
      account: { provider: 'application' },
      authentication: { amr: options.amr }
    })
    const stolen = newBrowser()
    t.match((await stolen.submit('/api/auth/verify/ask', { answer: 'yes' })).location, /signin\?error=Callback/)
    const wrong = await browser.submit('/api/auth/verify/ask', { answer: 'no' })
    t.equal(wrong.status, 403)
    const done = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.equal(done.location, `${origin}/inbox`)
    t.equal(await idIn(browser), id)
    t.match(await browser.json('/authentication'), { amr: ['pwd', 'otp', 'mfa'], provider: { id: 'application' } })
    const twice = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.match(twice.location, /signin\?error=Callback/, 'a pending sign-in is completed once')
  })

  test(`${strategy}: attack: a step-up is completed as the same user only`, async (t) => {
    const started = await startOwn(t, { session, linking: { freshWithin: false } })
    const { browser, enter, clock } = started
    const [id, other] = [await signUp(started), await signUp(started, 'mallory@evil.test')]
    await enter(browser, id)
    clock.advance(301)
    const html = { accept: 'text/html' }
    const refused = await browser.request('GET', '/money', { headers: html })
    await browser.open(refused.location ?? '', { headers: html })
    t.match(await enter(browser, other), { error: 'DifferentUser', name: 'AuthError', after: 'vera@example.com' })
    t.equal(await idIn(browser), id, 'the session stays')
    t.match(await enter(browser, id), { result: { kind: 'signed-in' } })
    t.equal((await browser.request('GET', '/money', { headers: html })).body, 'money')
    t.equal(browser.cookies.get('__Secure-postern.step-up'), null, 'it is over')
  })

  test(`${strategy}: attack: sessions beyond the limit, and the session of another user in the browser`, async (t) => {
    const started = await startOwn(t, { session: { strategy, maxPerUser: 2 } })
    const { browser, newBrowser, enter, clock } = started
    const [id, other] = [await signUp(started), await signUp(started, 'grace@example.com')]
    const browsers = [newBrowser(), newBrowser(), newBrowser()]
    for (const one of browsers) {
      clock.advance(1)
      await enter(one, id)
    }
    t.same(await Promise.all(browsers.map(idIn)), [null, id, id])
    await enter(browser, other)
    const token = browser.cookies.get(cookieNames.sessionToken) ?? ''
    const csrf = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    t.match(await enter(browser, id), { before: 'grace@example.com', after: 'vera@example.com' })
    const copy = newBrowser()
    copy.cookies.set(cookieNames.sessionToken, token, { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
    t.equal(await idIn(copy), null, 'the session before has ended')
    t.notSame(await browser.json('/api/auth/csrf'), csrf, 'the CSRF token has changed')
  })

  test(`${strategy}: attack: sessions that end while the application verifies the user`, async (t) => {
    const started = await startOwn(t, { session })
    const { app, browser, clock } = started
    const id = await signUp(started)
    app.post('/slow', async (request, reply) => {
      // The application has compared the password; then the owner resets it.
      clock.advance(1)
      await app.postern.sessions.revokeAll(id)
      const failure = await app.postern.signIn(request, reply, id).catch((error: unknown) => error)
      return { code: failure instanceof AuthError ? failure.code : null }
    })
    t.same((await post(browser, '/slow')).json(), { code: 'CredentialsSignin' })
    t.same(await getSession(browser), {})
  })
}

t.test('devices of other users of the browser stay known', async (t) => {
  const started = await startOwn(t, { rateLimit: {} })
  const { browser, enter } = started
  const id = await signUp(started)
  await signInByForm(browser, 'grace')
  const before = browser.cookies.get(cookieNames.device)
  t.ok(before)
  t.match(await enter(browser, id), { result: { kind: 'signed-in' } })
  t.equal(browser.cookies.get(cookieNames.device), before)
})

t.test('invalid arguments are errors before anything happens', async (t) => {
  const started = await startOwn(t)
  const { app, browser, store } = started
  const id = await signUp(started)
  const failures: unknown[] = []
  app.post('/wrong', async (request, reply) => {
    const another = { request: { ...request } }
    const calls = [
      () => app.postern.signIn(request, reply, ''),
      () => app.postern.signIn(request, reply, id, { amr: 'mfa' } as never),
      () => app.postern.signIn(request, reply, id, { amr: ['two words'] }),
      () => app.postern.signIn(request, reply, id, { arm: ['mfa'] } as never),
      () => app.postern.signIn(request, another as never, id),
      () => app.postern.signIn({} as never, reply, id)
    ]
    for (const call of calls) failures.push(await call().catch((error: Error) => error.name))
    return {}
  })
  store.forget()
  await post(browser, '/wrong')
  t.same(
    failures,
    Array.from({ length: 6 }, () => 'TypeError')
  )
  t.equal(store.count(), 0)
})

t.test('without an adapter there are no users to sign in', async (t) => {
  const { app, browser } = await startAccounts(t, { store: 'none', providers: [] })
  app.post('/enter', async (request, reply) =>
    app.postern.signIn(request, reply, '1').catch((error: AccountError) => ({ code: error.code }))
  )
  t.same((await post(browser, '/enter')).json(), { code: 'ADAPTER_INCOMPLETE' })
})

t.test('attack: a request to one registration signs nobody in to another', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const adapter = memoryAdapter()
  const { id } = await adapter.createUser({ name: null, email: 'vera@example.com', emailVerified: null })
  const all: Partial<Record<'shop' | 'admin', FastifyInstance>> = {}
  for (const name of ['shop', 'admin'] as const)
    await app.register(
      async (scope) => {
        const cookies = {
          sessionToken: { name, options: { path: `/${name}`, httpOnly: true, sameSite: 'lax' } }
        } as const
        await scope.register(postern, { url: origin, secret, adapter, providers: [], cookies, rateLimit: false })
        all[name] = scope
        scope.post('/enter', async (request, reply) => all.admin?.postern.signIn(request, reply, id))
      },
      { prefix: `/${name}` }
    )
  const atShop = await app.inject({ method: 'POST', url: '/shop/enter' })
  t.match(atShop, { statusCode: 500, cookies: [] })
  t.match(atShop.body, 'another registration')
  t.same(await adapter.listSessions?.(id), [])
  const atAdmin = await app.inject({ method: 'POST', url: '/admin/enter' })
  t.equal(atAdmin.statusCode, 200)
  t.ok(atAdmin.cookies.some(({ name, value }) => name === 'admin' && value !== ''))
})

t.test('no provider has the id of sign-ins by the application', async (t) => {
  const own = { id: 'application', name: 'A', type: 'credentials', authorize: () => null }
  await t.rejects(startAccounts(t, { providers: [own as never] }), {
    name: 'ConfigError',
    message: /providers\.application: app\.postern\.signIn uses this id/
  })
})
