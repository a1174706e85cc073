import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { limiterOn } from '../src/index.ts'
import { signInAs } from '../src/testing.ts'
import { origin, signInByMail, start } from './start.ts'

/** Calls as a user without TypeScript writes them. */
const call = (owner: object, method: string, ...given: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(owner, method), owner, given)

t.test('a call about no one, or about another user, is refused and changes nothing', async (t) => {
  const started = await start(t, { session: { strategy: 'database' }, instances: 1 })
  const { app, browser, store } = started
  await signInByMail(started, browser)
  store.forget()
  const { postern } = app
  const key = { provider: 'github', providerAccountId: '1' }
  const text = (name: string, got: string): RegExp => RegExp(`expected ${name} to be a string, got ${got}$`)
  const cases: readonly (readonly [owner: object, method: string, given: readonly unknown[], message: RegExp])[] = [
    [postern.sessions, 'list', [], /^sessions\.list: expected userId to be a string, got nothing$/],
    [postern.sessions, 'list', [{ id: '1' }], text('userId', 'an object')],
    [
      postern.sessions,
      'list',
      ['1', { headers: {} }],
      /^sessions\.list: expected a request .*got another object; pass/
    ],
    [postern.sessions, 'list', ['1', null], /^sessions\.list: expected a request .*got null/],
    [postern.sessions, 'revoke', [], text('id', 'nothing')],
    [postern.sessions, 'revoke', [7], text('id', 'a number')],
    [postern.sessions, 'revoke', ['1', { id: '1' }], text('userId', 'an object')],
    [postern.sessions, 'revokeAll', [], /^sessions\.revokeAll: expected userId to be a string, got nothing$/],
    [postern.sessions, 'revokeAll', [''], text('userId', 'nothing')],
    [postern.sessions, 'revokeAll', [null], text('userId', 'null')],
    [postern.sessions, 'revokeOthers', ['1'], /^sessions\.revokeOthers: expected a request .*got a string/],
    [postern, 'getToken', [], /^getToken: expected a request that came to the scope .*got nothing/],
    [postern, 'getSession', [], /^getSession: expected a request that came to the scope .*got nothing/],
    [postern, 'updateSession', [{ name: 'Ada' }], /^updateSession: expected a request .*got another object/],
    [
      postern,
      'unlink',
      ['1'],
      /^unlink: expected account\.provider to be a string, got nothing; expected account\.prov/
    ],
    [postern, 'unlink', [undefined, key], text('userId', 'nothing')],
    [postern, 'unlink', ['1', { ...key, providerAccountId: 5 }], text('account\\.providerAccountId', 'a number')],
    [postern, 'deleteUser', [{ id: '1' }], /^deleteUser: expected userId to be a string, got an object$/]
  ]
  for (const [owner, method, given, message] of cases)
    await t.rejects(async () => call(owner, method, ...given), { name: 'TypeError', message }, String(message))
  t.equal(store.count(), 0, 'the store was not called')
  t.equal((await browser.json<{ user: { email: string } }>('/api/auth/session')).user.email, 'ada@example.com')
})

t.test('a whole account, as the store has it, is an account to take away', async (t) => {
  const { app } = await start(t, { session: { strategy: 'database' }, instances: 1 })
  const account = { userId: 'x', type: 'oauth', provider: 'demo', providerAccountId: '1', access_token: 'a' }
  await t.rejects(app.postern.unlink('nobody', account), { code: 'UNKNOWN_ACCOUNT' })
})

t.test('an access token of a provider that there is not: the error names those that there are', async (t) => {
  const started = await start(t, { session: { strategy: 'database' }, instances: 1 })
  const { app, browser } = started
  const requests: unknown[][] = []
  app.get('/token', async (request: FastifyRequest) => {
    const failure = await Promise.resolve(call(request, 'getAccessToken', ...(requests.shift() ?? []))).catch(
      (error: Error & { code?: string }) => ({ name: error.name, code: error.code, message: error.message })
    )
    return failure
  })
  await signInByMail(started, browser)
  const update = async (...given: unknown[]) => {
    requests.push(given)
    return browser.json<object>('/token')
  }
  t.match(await update('demmo'), {
    name: 'AccountError',
    code: 'UNKNOWN_ACCOUNT',
    message: 'expected the id of a provider that gives access tokens, got demmo; did you mean demo?'
  })
  t.match(await update('credentials'), { message: /got credentials; there are demo$/ })
  t.match(await update(), {
    name: 'TypeError',
    message: 'getAccessToken: expected provider to be a string, got nothing'
  })
  t.match(await update({ provider: 'demo' }), {
    name: 'TypeError',
    message: /expected provider to be a string, got an/
  })
  t.match(await update('demo', { providerAccountID: '1' }), {
    name: 'TypeError',
    message: 'getAccessToken: providerAccountID: unknown option; did you mean providerAccountId?'
  })
  t.match(await update('demo', { providerAccountId: 7 }), {
    message: /providerAccountId: expected a string, got a number/
  })
  t.match(await update('demo', '1'), { message: /options: expected an object, got a string/ })
})

t.test('what could not change a session is refused', async (t) => {
  const { app } = await start(t, { instances: 1 })
  app.get('/update/:kind', async (request: FastifyRequest<{ Params: { kind: string } }>) => {
    const patch = request.params.kind === 'promise' ? Promise.resolve({ name: 'Ada' }) : () => ({ name: 'Ada' })
    return app.postern.updateSession(request, patch).catch((error: Error) => ({ message: error.message }))
  })
  const update = async (kind: string) =>
    (await app.inject({ url: `/update/${kind}`, headers: { host: 'app.test' } })).json()
  t.match(await update('promise'), { message: 'updateSession: expected the data to update, got a promise; await it' })
  t.match(await update('function'), { message: 'updateSession: expected the data to update, got a function; call it' })
})

t.test('the address of the sign-in page is made of a text only', async (t) => {
  const { app } = await start(t, { instances: 1 })
  t.equal(app.postern.signInUrl('/a'), `${origin}/api/auth/signin?callbackUrl=%2Fa`)
  for (const given of [null, { url: '/a' }, 5])
    t.throws(() => call(app.postern, 'signInUrl', given), {
      message: /^signInUrl: expected callbackUrl to be a string, got/
    })
})

t.test('a limiter is made of what makes limiters', async (t) => {
  for (const given of [undefined, null, {}, 'redis'])
    t.throws(() => Reflect.apply(limiterOn, null, [given]), {
      name: 'TypeError',
      message: /^limiterOn: expected a function/
    })
  const limiter = Reflect.apply(limiterOn, null, [() => ({})])
  await t.rejects(limiter.consume('key', { points: 1, seconds: 1 }), { message: /has no consume and reward$/ })
})

t.test('signInAs signs in a user, and nothing else', async (t) => {
  const { app } = await start(t, { session: { strategy: 'jwt' }, instances: 1 })
  for (const user of [undefined, null, {}, { id: 7 }, { name: 'Ada' }])
    await t.rejects(async () => Reflect.apply(signInAs, null, [app, user]), {
      message: /^signInAs: expected a user with/
    })
})
