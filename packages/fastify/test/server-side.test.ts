import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterSession, JwtCallbackInput, SessionCallbackInput } from '@postern/core'
import type { Feature } from '@postern/core/feature'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import { signInAs } from '../src/testing.ts'
import { cookieNames, getSession, origin, people, secret, signInByForm, signInByMail, start } from './start.ts'

const key = { provider: 'demo', providerAccountId: 'ada' }

t.test('signInUrl is the URL of the sign-in page, with the callbackUrl', async (t) => {
  const { app, browser } = await start(t)
  t.equal(app.postern.signInUrl(), `${origin}/api/auth/signin`)
  const url = app.postern.signInUrl('/me?tab=1&x=y')
  t.equal(url, `${origin}/api/auth/signin?callbackUrl=%2Fme%3Ftab%3D1%26x%3Dy`)
  const page = await browser.open(url)
  const done = await browser.fill(page, '/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  t.equal(done.location, `${origin}/me?tab=1&x=y`)
})

t.test('signInUrl is a path where requests say where we live', async (t) => {
  const { app } = await start(t, { url: undefined, trustHost: ['app.test', 'other.test'] })
  t.equal(app.postern.signInUrl('/me'), '/api/auth/signin?callbackUrl=%2Fme')
})

for (const strategy of ['jwt', 'database'] as const) {
  t.test(`${strategy}: getSession is that of the request`, async (t) => {
    const { app, browser } = await start(t, { session: { strategy } })
    app.get('/server', async (request) => ({ session: await app.postern.getSession(request) }))
    t.same(await browser.json('/server'), { session: null })
    await signInByForm(browser)
    t.match(await browser.json('/server'), { session: { user: { name: 'grace' } } })
  })

  t.test(`${strategy}: getToken returns the claims of the session, and nothing once it has ended`, async (t) => {
    let isRefused = false
    const callbacks = {
      jwt: ({ token }: JwtCallbackInput) => ({ ...token, role: 'admin' }),
      session: ({ session }: SessionCallbackInput) => {
        if (isRefused) throw new Error('the callback fails')
        return session
      }
    }
    const { app, browser, newBrowser } = await start(t, { session: { strategy }, callbacks })
    app.get('/token', async (request) => {
      const [session, token] = await Promise.all([request.getSession(), app.postern.getToken(request)])
      return { isSignedIn: session !== null, token }
    })
    t.same(await browser.json('/token'), { isSignedIn: false, token: null })
    await signInByForm(browser)
    const copy = newBrowser()
    for (const { name, value } of browser.cookies.all()) copy.cookies.set(name, value, { secure: true })
    const token = strategy === 'jwt' ? { sub: 'id-grace', name: 'grace', role: 'admin' } : null
    t.match(await browser.json('/token'), { isSignedIn: true, token })
    await browser.submit('/api/auth/signout', {})
    t.same(await copy.json('/token'), { isSignedIn: false, token: null }, 'a copy of the cookie')
    await signInByForm(browser)
    isRefused = true
    t.same(await browser.json('/token'), { isSignedIn: false, token: null }, 'a callback that fails')
  })

  t.test(`${strategy}: updateSession lets the callbacks see the patch, and the request has the result`, async (t) => {
    const callbacks = {
      jwt: ({ token, trigger, session }: JwtCallbackInput) =>
        trigger === 'update' ? { ...token, role: session } : token,
      session: ({ session, token, trigger, newSession }: SessionCallbackInput) =>
        Object.assign({}, session, { role: token?.['role'] ?? (trigger === 'update' ? newSession : null) })
    }
    const { app, browser } = await start(t, { session: { strategy }, callbacks })
    app.post('/promote', async (request) => {
      const before = await request.getSession()
      const updated = await app.postern.updateSession(request, 'admin')
      const after = await request.getSession()
      return { before, updated, isSame: updated === after && after === request.auth }
    })
    const noSession = await browser.post('/promote', '{}', { 'content-type': 'application/json' })
    t.same(noSession.json(), { before: null, updated: null, isSame: true })
    await signInByForm(browser)
    const response = await browser.post('/promote', '{}', { 'content-type': 'application/json' })
    t.match(response.json(), {
      before: { role: null },
      updated: { role: 'admin', user: { name: 'grace' } },
      isSame: true
    })
    if (strategy === 'jwt') t.match(await browser.json('/api/auth/session'), { role: 'admin' }, 'and so does the next')
  })

  t.test(`${strategy}: signInAs gives cookies for inject`, async (t) => {
    const { app, adapter } = await start(t, { session: { strategy } })
    const user = await adapter?.createUser?.({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
    const cookies = await signInAs(app, user ?? { id: 'none' })
    const response = await app.inject({ url: '/me', cookies })
    t.match({ status: response.statusCode, body: response.json() }, { status: 200, body: { user: { name: 'Ada' } } })
  })
}

t.test('signInAs uses the origin of the test’s requests', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, { secret, providers: [people] })
  app.get('/me', { onRequest: app.requireSession }, async (request) => request.auth?.user)
  const cookies = await signInAs(app, { id: '1', name: 'Ada' })
  t.same(Object.keys(cookies), ['next-auth.session-token'])
  t.match((await app.inject({ url: '/me', cookies })).json(), { name: 'Ada' })
  const secure = await signInAs(app, { id: '1' }, { origin: 'https://localhost' })
  t.same(Object.keys(secure), [cookieNames.sessionToken])
  await t.rejects(signInAs(app, { id: '1' }, { origin: 'https://elsewhere.test' }), { name: 'TypeError' })
})

t.test('signInAs knows an application without sign-in from one with it', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(signInAs(app, { id: '1' }), { name: 'TypeError', message: /Postern is registered in/ })
})

interface KeysApi {
  readonly add: (userId: string, id: string) => Promise<void>
  readonly remove: (userId: string, id: string) => Promise<string>
}

/** A feature with things to sign in with, which are factors. */
const keys: Feature<KeysApi> = {
  id: 'keys',
  needs: ['createFactor', 'getFactor', 'listFactors', 'updateFactor', 'deleteFactor', 'getUserVersion', 'advanceUser'],
  setup: (context) => ({
    waysIn: async (userId) => (await context.factors.list(userId, 'key')).length,
    api: {
      add: (userId, id) => {
        const about = { name: null, data: '', createdAt: new Date(), lastUsedAt: null, version: 0 }
        return context.factors.create({ type: 'key', id, userId, ...about })
      },
      remove: (userId, id) =>
        context.changeAccess(userId, async () => {
          if ((await context.countWaysIn(userId)) < 2) return 'lastWayIn'
          return { ends: 'others', writes: [{ method: 'deleteFactor', args: [{ type: 'key', id }], isRequired: true }] }
        })
    }
  })
}

t.test('a feature never removes the last sign-in method', async (t) => {
  const adapter = memoryAdapter()
  const { app } = await start(t, { adapter, providers: [people], features: [keys], instances: 1 })
  const api = Object(app.postern.features)['keys']
  const user = await adapter.createUserWithAccount(
    { name: 'Ada', email: 'ada@example.com', emailVerified: new Date() },
    { provider: 'other', providerAccountId: 'ada', type: 'oidc' }
  )
  for (const id of ['one', 'two']) await api.add(user.id, id)
  const listKeys = async (): Promise<readonly string[]> => (await adapter.listFactors(user.id)).map(({ id }) => id)
  const results = await Promise.all(['one', 'two'].map((id) => api.remove(user.id, id)))
  t.same(results.toSorted(), ['changed', 'lastWayIn'], 'of two at once, one stays')
  const [left = ''] = await listKeys()
  t.equal((await listKeys()).length, 1, 'the account is of a provider that is not configured')
  const account = { provider: 'credentials', providerAccountId: 'ada', type: 'credentials', userId: user.id } as const
  await adapter.linkAccount(account)
  const unlinked = app.postern.unlink(user.id, account).then(
    () => true,
    () => false
  )
  const removed = await api.remove(user.id, left)
  t.equal(await unlinked, removed !== 'changed', 'of the account and the key, one stays')
})

t.test('deleteUser ends every session, or reports that it cannot', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  await signInByMail(started, started.browser)
  const user = await started.adapter?.getUserByEmail?.('ada@example.com')
  await started.app.postern.deleteUser(user?.id ?? '')
  const row = await started.adapter?.getUserVersion?.(user?.id ?? '')
  t.ok(row?.until, 'the row of a deleted user stays while a session could be left')
  await started.adapter?.deleteExpired?.(new Date(Number(row?.until) + 1), 1000)
  t.notOk(await started.adapter?.getUserVersion?.(user?.id ?? ''), 'and not for ever')
  t.equal(await started.adapter?.getUserByEmail?.('ada@example.com'), null)
  t.same(await getSession(started.browser), {})

  const { deleteUser: _d, getAccounts: _g, ...poor } = memoryAdapter()
  const lacking = await start(t, { adapter: poor as Adapter })
  for (const call of [() => lacking.app.postern.deleteUser('1'), () => lacking.app.postern.unlink('1', key)]) {
    await t.rejects(call(), { name: 'AccountError', code: 'ADAPTER_INCOMPLETE' })
  }
  const none = await start(t, { store: 'none' })
  await t.rejects(none.app.postern.deleteUser('1'), { code: 'ADAPTER_INCOMPLETE' })
})

t.test('events.deleteUser receives the user once it is deleted', async (t) => {
  const deleted: unknown[] = []
  const adapter = memoryAdapter()
  const { app } = await start(t, {
    adapter,
    events: { deleteUser: async ({ user }) => void deleted.push([user.email, await adapter.getUser(user.id ?? '')]) }
  })
  const { id } = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
  await app.postern.deleteUser(id)
  await app.postern.deleteUser(id)
  t.same(deleted, [['ada@example.com', null]])
})

t.test('signInAs rejects a user that the store does not have, also if the store does not check it', async (t) => {
  const adapter = { ...memoryAdapter(), createSession: async (session: AdapterSession) => session }
  const { app } = await start(t, { adapter, session: { strategy: 'database' } })
  await t.rejects(signInAs(app, { id: '1', name: 'Ada' }, { origin }), {
    message: /expected a user that the adapter has stored/
  })
  const user = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', emailVerified: null })
  t.ok((await signInAs(app, user, { origin }))[cookieNames.sessionToken])
})
