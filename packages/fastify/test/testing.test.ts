import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import email from '@postern/core/providers/email'
import oidc from '@postern/core/providers/oidc'
import { turnsOf } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern, { type PosternPluginOptions, requireCsrfToken, requireSession } from '../src/index.ts'
import { type Cookies, createClock, createMailbox, getCsrf, signInAs } from '../src/testing.ts'
import { secret } from './providers.ts'

const company = oidc({ id: 'company', name: 'Company', issuer: 'https://login.test', clientId: 'a', clientSecret: 'b' })

async function createApp(t: Test, options: Partial<PosternPluginOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  const mails = email({ server: 'smtp://mail.test', from: 'App <app@app.test>' })
  await app.register(postern, { url: 'http://localhost:3000', secret, providers: [mails, company], ...options })
  app.get('/me', { onRequest: requireSession }, async (request) => request.auth?.user)
  app.get('/how', { onRequest: requireSession }, async (request) => request.getAuthentication())
  for (const [url, needs] of Object.entries({
    '/mfa': { amr: ['mfa'] },
    '/fresh': { freshWithin: 600 },
    '/strong': { acr: ['phr'] }
  }))
    app.get(url, { onRequest: requireSession.with(needs) }, async () => 'open')
  app.post('/change', { preHandler: [requireCsrfToken] }, async () => 'changed')
  return app
}

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`${strategy}: a session of a test states how its user was authenticated`, async (t) => {
    const clock = createClock(new Date('2030-01-01T12:00:00Z'))
    const app = await createApp(t, { adapter: memoryAdapter(), session: { strategy }, runtime: { now: clock.now } })
    const ada = { email: 'ada@app.test', name: 'Ada' }
    const get = async (url: string, cookies: Cookies): Promise<number> =>
      (await app.inject({ url, cookies, headers: { accept: 'application/json' } })).statusCode
    const plain = await signInAs(app, ada)
    t.same(await Promise.all(['/me', '/fresh', '/mfa', '/strong'].map((url) => get(url, plain))), [200, 200, 401, 401])
    clock.advance(601)
    t.equal(await get('/fresh', plain), 401, 'the clock of the test')

    t.equal(await get('/mfa', await signInAs(app, ada, { amr: ['pwd', 'otp', 'mfa'] })), 200)
    const earlier = new Date(clock.now() - 3_600_000)
    t.equal(await get('/fresh', await signInAs(app, ada, { authTime: earlier })), 401)
    t.equal(await get('/fresh', await signInAs(app, ada, { authTime: null })), 401, 'unknown')
    const provider = { id: 'company', acr: 'phr', amr: ['hwk'], authTime: earlier }
    const cookies = await signInAs(app, ada, { provider, authTime: earlier })
    t.equal(await get('/strong', cookies), 200)
    t.match((await app.inject({ url: '/how', cookies })).json(), {
      amr: [],
      authTime: earlier.toISOString(),
      provider: { ...provider, authTime: earlier.toISOString() }
    })
    const atCompany = await signInAs(app, ada, { provider: 'company' })
    t.match((await app.inject({ url: '/how', cookies: atCompany })).json(), { provider: { id: 'company', acr: null } })
    await t.rejects(signInAs(app, ada, { provider: 'elsewhere' }), {
      message: /^provider: expected one of email, company/
    })
  })
}

t.test('the callbacks of a session of a test receive the account of its provider', async (t) => {
  const accounts: unknown[] = []
  const app = await createApp(t, {
    providers: [company],
    callbacks: {
      jwt: ({ token, account }) => {
        if (account) accounts.push(account)
        return token
      }
    }
  })
  await signInAs(app, { id: '1' }, { provider: 'company' })
  t.match(accounts, [{ provider: 'company', type: 'oidc', providerAccountId: '1' }])
})

t.test('a user without an id is created once, by an address in any case', async (t) => {
  const created: unknown[] = []
  const adapter = sqliteAdapter({ file: ':memory:' })
  const app = await createApp(t, { adapter, events: { createUser: ({ user }) => void created.push(user) } })
  const me = async (cookies: Cookies): Promise<unknown> => (await app.inject({ url: '/me', cookies })).json()
  t.match(await me(await signInAs(app, { email: 'Ada@app.test', name: 'Ada' })), { name: 'Ada', email: 'ada@app.test' })
  t.match(await me(await signInAs(app, { email: 'ada@App.test' })), { name: 'Ada' })
  t.match(created, [{ email: 'ada@app.test' }])
  await t.rejects(signInAs(app, { email: 'ada' }), { message: /with an email address$/ })
  await t.rejects(signInAs(app, { id: '1', email: 'grace@app.test' }), { message: /the user is found by its address/ })
})

t.test('a form of a test has a token, before a sign-in and after it', async (t) => {
  const app = await createApp(t, { adapter: memoryAdapter() })
  const post = async (url: string, cookies: Cookies, payload: object): Promise<number> =>
    (await app.inject({ method: 'POST', url, cookies, payload })).statusCode
  t.equal(await post('/change', {}, {}), 403)
  const { csrfToken, cookies } = await getCsrf(app)
  t.equal(await post('/change', cookies, { csrfToken }), 200)

  const ada = await signInAs(app, { email: 'ada@app.test' })
  const form = await getCsrf(app, { cookies: ada })
  t.match(form.cookies, ada)
  t.equal(await post('/change', form.cookies, { csrfToken: form.csrfToken }), 200)
  t.equal(await post('/change', form.cookies, { csrfToken }), 403, 'the token of another browser')
  t.equal((await getCsrf(app, { cookies: form.cookies })).csrfToken, form.csrfToken, 'the browser keeps its token')
  t.equal(await post('/api/auth/signout', form.cookies, { csrfToken: form.csrfToken }), 302)
  t.equal((await app.inject({ url: '/me', cookies: form.cookies })).statusCode, 401)
})

t.test('the mailbox of a test receives the link and the code of a sign-in', async (t) => {
  const mailbox = createMailbox()
  const app = await createApp(t, { adapter: memoryAdapter(), runtime: { sendMail: mailbox.sendMail } })
  t.throws(() => mailbox.last(), { message: 'mailbox: expected a mail, found none' })
  const { csrfToken, cookies } = await getCsrf(app)
  const payload = { csrfToken, email: 'ada@app.test' }
  const asked = await app.inject({ method: 'POST', url: '/api/auth/signin/email', cookies, payload })
  t.equal(asked.statusCode, 302, asked.body)
  const mail = mailbox.last('ada@app.test')
  t.throws(() => mailbox.last('grace@app.test'), { message: 'mailbox: expected a mail to grace@app.test, found none' })
  t.match(mail.codes, [/^[B-Z]{8}$/])
  const [url = ''] = mail.links
  const back = Object.fromEntries(asked.cookies.map(({ name, value }) => [name, value]))
  const opened = await app.inject({ url: url.replace('http://localhost:3000', ''), cookies: { ...cookies, ...back } })
  t.equal(opened.statusCode, 302)
  const session = Object.fromEntries(opened.cookies.map(({ name, value }) => [name, value]))
  t.match((await app.inject({ url: '/me', cookies: session })).json(), { email: 'ada@app.test' })
})

t.test('getCsrf and signInAs name an application without Postern', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(getCsrf(app), { message: 'getCsrf: expected an app that Postern is registered in' })
})
