import { memoryAdapter } from '@postern/adapters/memory'
import { postgresAdapter } from '@postern/adapters/postgres'
import type { MailTemplate } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser, BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern, { requireCsrfToken, requireSession } from '../../src/index.ts'
import { createTestDatabase, postgresPort, withoutServer } from '../databases.ts'
import { createTestGate } from '../interruption-feature.ts'
import { getSession, mails, origin, type StartOptions, secret, signInByMail } from '../start.ts'
import { accountsOf, idIn, signUp, startAccounts, strategies, withId } from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(strategies, t)

const json = { 'content-type': 'application/json' }
const post = (browser: Browser, path: string, body: unknown = {}, headers = {}): Promise<BrowserResponse> =>
  browser.post(path, JSON.stringify(body), { ...json, ...headers })

/** The error code of a call, or `null`. */
const getCode = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { code?: string; name: string }) => error.code ?? error.name
  )

/** A form that compares passwords of the application, slowly if `whileCompared` is set. */
function createForm() {
  const form: { whileCompared: (() => Promise<void>) | null; password: string; id: string } = {
    whileCompared: null,
    password: 'old',
    id: ''
  }
  const provider = credentials({
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: async ({ password }) => {
      const isRight = password === form.password
      const run = form.whileCompared
      form.whileCompared = null
      await run?.()
      return isRight ? { id: form.id } : null
    }
  })
  return { form, provider }
}

async function startOwn(t: Test, options: StartOptions = {}) {
  const started = await startAccounts(t, { session: { strategy: 'database' }, ...options })
  const { app } = started
  app.post<{ Body: { id: never; options?: object } }>('/enter', async (request, reply) => {
    try {
      return await app.postern.signIn(request, reply, request.body.id, request.body.options)
    } catch (error) {
      const { code, name } = error as { code?: string; name: string }
      return reply.code(409).send({ error: code ?? name })
    }
  })
  const enter = async (browser: Browser, id: unknown, more: object = {}) =>
    (await post(browser, '/enter', { id, ...more })).json<{ kind?: string; url?: string; error?: string }>()
  return { ...started, enter }
}

for (const { value: strategy, test } of turns()) {
  test(`overlap-5: ${strategy}: attack: a form with the old password that overlaps revokeAll`, async (t) => {
    const { form, provider } = createForm()
    const started = await startOwn(t, { session: { strategy }, providers: [provider, mails()] })
    const { app, browser, newBrowser, clock, enter } = started
    form.id = await signUp(started)
    app.post('/change', async (request) => {
      await app.postern.sessions.revokeOthers(request)
      form.password = 'new'
      await app.postern.sessions.revokeAll(form.id)
      return {}
    })
    await enter(browser, form.id)
    clock.advance(5)
    form.whileCompared = async () => {
      clock.advance(1)
      const changed = await post(browser, '/change')
      t.equal(changed.status, 200, changed.body)
      clock.advance(1)
    }
    const thief = newBrowser()
    await thief.submit('/api/auth/callback/credentials', { username: 'vera', password: 'old' })
    t.equal(form.whileCompared, null)
    t.equal(await idIn(thief), null, 'the old password signs nobody in')
  })

  test(`${strategy}: attack: acts on a user while the application signs them in`, async (t) => {
    for (const act of ['suspend', 'delete', 'reclaim', 'revoke'] as const) {
      let run: (() => Promise<unknown>) | null = null
      const callbacks = {
        ...withId,
        signIn: async ({ account }: { account: { provider: string } | null }) => {
          if (account?.provider !== 'application') return true
          const work = run
          run = null
          await work?.()
          return true
        }
      }
      const started = await startOwn(t, { session: { strategy }, callbacks: callbacks as never })
      const { app, browser, newBrowser, enter, clock } = started
      const id = await signUp(started)
      const owner = newBrowser()
      clock.advance(5)
      run = async () => {
        clock.advance(1)
        if (act === 'suspend') await app.postern.users.suspend(id)
        else if (act === 'delete') await app.postern.deleteUser(id)
        else if (act === 'revoke') await app.postern.sessions.revokeAll(id)
        else await signInByMail(started, owner, 'vera@example.com')
        clock.advance(1)
      }
      const result = await enter(browser, id)
      t.ok(result.error, `${act}: ${JSON.stringify(result)}`)
      t.equal(await idIn(browser), null, act)
      if (act === 'reclaim') t.equal(await idIn(owner), id)
    }
  })

  test(`${strategy}: attack: a pending sign-in, and the sign-in of another user meanwhile`, async (t) => {
    const gate = createTestGate(true)
    const started = await startOwn(t, { session: { strategy }, features: [gate.feature] })
    const { browser, newBrowser, enter } = started
    const [id, other] = [await signUp(started), await signUp(started, 'mallory@evil.test')]
    t.match(await enter(browser, id), { kind: 'pending' })
    gate.isDue = false
    t.match(await enter(browser, other), { kind: 'signed-in' })
    t.equal(await idIn(browser), other)
    gate.isDue = true
    const copy = newBrowser()
    for (const cookie of browser.cookies.all())
      if (/verify|pending|gate/.test(cookie.name)) copy.cookies.set(cookie.name, cookie.value, cookie)
    t.equal(await idIn(copy), null)
    await browser.submit('/api/auth/verify/ask', { answer: 'no' })
    t.not(await idIn(browser), id, 'a wrong answer signs nobody in')
    t.match(await enter(browser, id), { kind: 'pending' })
    const first = await browser.submit('/api/auth/verify/ask', { answer: 'yes' })
    t.notMatch(first.location, /error/)
    t.equal(await idIn(browser), id)
  })

  test(`${strategy}: attack: what a request knew before the application signs somebody in`, async (t) => {
    const started = await startOwn(t, { session: { strategy } })
    const { app, browser, enter } = started
    const [id, other] = [await signUp(started), await signUp(started, 'grace@example.com')]
    app.post('/switch', { onRequest: requireSession }, async (request, reply) => {
      await app.postern.signIn(request, reply, other)
      const session = (await request.getSession()) as { user: { id: string } } | null
      const authentication = await request.getAuthentication()
      const token = strategy === 'jwt' ? await app.postern.getToken(request) : null
      const auth = request.auth as { user: { id: string } } | null
      return {
        session: session?.user.id,
        authentication: authentication?.userId,
        token: token ? token['sub'] : other,
        auth: auth?.user.id ?? null
      }
    })
    await enter(browser, id)
    const seen = (await post(browser, '/switch')).json<Record<string, unknown>>()
    t.match(seen, { session: other, authentication: other, token: other })
    t.not(seen['auth'], id, 'request.auth is not that of the user before')
    t.equal(await idIn(browser), other)
  })

  test(`${strategy}: attack: two sign-ins of one request, and cookies of the application`, async (t) => {
    const started = await startOwn(t, { session: { strategy } })
    const { app, browser } = started
    const [id, other] = [await signUp(started), await signUp(started, 'grace@example.com')]
    app.post('/both', async (request, reply) => {
      reply.header('set-cookie', 'before=1; Path=/')
      await app.postern.signIn(request, reply, id)
      await app.postern.signIn(request, reply, other)
      reply.header('set-cookie', 'after=1; Path=/')
      return {}
    })
    const response = await post(browser, '/both')
    const names = response.setCookies.map(({ name }) => name)
    t.ok(names.includes('before') && names.includes('after'), names.join())
    t.equal(await idIn(browser), other)
  })
}

t.test('attack: ids of users that are no ids', async (t) => {
  const started = await startOwn(t)
  const { browser, enter } = started
  const id = await signUp(started)
  for (const wrong of [
    '',
    ' ',
    ` ${id}`,
    `${id} `,
    id.toUpperCase() === id ? `${id}A` : id.toUpperCase(),
    `${id}\0`,
    '__proto__',
    'constructor',
    '*',
    '%',
    [id],
    { id },
    1,
    null,
    true,
    undefined
  ]) {
    const result = await enter(browser, wrong)
    t.ok(result.error, JSON.stringify(wrong))
    t.equal(await idIn(browser), null)
  }
})

t.test('attack: amr and callback URLs of a client', async (t) => {
  const started = await startOwn(t)
  const { newBrowser, enter } = started
  const id = await signUp(started)
  for (const options of [
    { amr: [['mfa']] },
    { amr: ['mfa\n'] },
    { amr: ['a"b'] },
    { amr: Array.from({ length: 17 }, (_, index) => `a${index}`) },
    { amr: { 0: 'mfa', length: 1 } },
    { callbackUrl: ['/a'] },
    { callbackUrl: 1 },
    { startedAt: 0 }
  ])
    t.same(await enter(newBrowser(), id, { options }), { error: 'TypeError' }, JSON.stringify(options))
  for (const callbackUrl of [
    '/\\evil.test',
    'https:evil.test',
    `${origin}@evil.test`,
    `${origin}.evil.test`,
    '\t//evil.test',
    'http://app.test'
  ]) {
    const { url } = await enter(newBrowser(), id, { options: { callbackUrl } })
    t.equal(new URL(url ?? '').origin, origin, callbackUrl)
  }
})

t.test('attack: a sign-in by the application links nothing, and leaves no account', async (t) => {
  const started = await startOwn(t, { linking: { signedIn: 'link' } })
  const { browser, enter, adapter } = started
  const [id, other] = [await signUp(started), await signUp(started, 'grace@example.com')]
  await enter(browser, id)
  await enter(browser, other)
  t.same(await accountsOf(started, id), [])
  t.same(await accountsOf(started, other), [])
  t.equal(await adapter?.getUserByAccount?.({ provider: 'application', providerAccountId: id }), null)
  t.notOk((await adapter?.getUser?.(id))?.emailVerified, 'it verifies no address')
})

t.test('attack: an account row of the reserved provider leads to nobody else', async (t) => {
  const started = await startOwn(t)
  const { browser, enter, adapter } = started
  const [id, other] = [await signUp(started), await signUp(started, 'mallory@evil.test')]
  await adapter?.linkAccount?.({
    provider: 'application',
    type: 'credentials',
    providerAccountId: id,
    userId: other
  } as never)
  await enter(browser, id)
  t.not(await idIn(browser), other)
})

t.test('attack: routes of the reserved provider', async (t) => {
  const started = await startOwn(t)
  const { browser } = started
  const id = await signUp(started)
  for (const path of ['callback/application', 'signin/application'])
    for (const fields of [{ id }, { username: id, password: '' }, { providerAccountId: id, userId: id }]) {
      const response = await browser.submit(`/api/auth/${path}`, fields as never)
      t.ok(response.status >= 400 || /\/signin/.test(response.location ?? ''), `${path} ${response.location}`)
      t.equal(await idIn(browser), null)
    }
  t.ok((await browser.open('/api/auth/callback/application')).status >= 300)
  t.notMatch(await browser.json('/api/auth/providers'), { application: {} })
})

/** A registration over a store. */
async function openTokens(t: Test, adapter = memoryAdapter(), options: object = {}) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, { url: origin, secret, adapter, providers: [], rateLimit: false, ...options })
  return app.postern.oneTimeTokens
}

t.test('attack: purposes and subjects that run together', async (t) => {
  const tokens = await openTokens(t)
  const pairs = [
    ['a', 'b|c'],
    ['a|b', 'c'],
    ['a', 'b","c'],
    ['a","b', 'c'],
    ['__proto__', 'constructor'],
    ['reset', '__proto__'],
    ['resét', 'x'],
    ['rese\u0301t', 'x'],
    ['reset.1', '2'],
    ['reset', '.12']
  ] as const
  const made = await Promise.all(
    pairs.map(async ([purpose, subject]) => ({
      purpose,
      subject,
      token: await tokens.create(purpose, subject, { expiresIn: 60 })
    }))
  )
  for (const one of made)
    for (const { purpose } of made)
      if (purpose !== one.purpose) t.equal(await tokens.read(purpose, one.token), null, `${one.purpose} ${purpose}`)
  await tokens.revoke('a', 'b|c')
  for (const { purpose, subject, token } of made)
    t.equal(await tokens.consume(purpose, token), purpose === 'a' && subject === 'b|c' ? null : subject)
})

t.test('attack: ends of tokens', async (t) => {
  const tokens = await openTokens(t)
  for (const expiresIn of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '60', null, {}, [60], true])
    t.equal(
      await getCode(tokens.create('reset', '1', { expiresIn: expiresIn as never })),
      'TypeError',
      String(expiresIn)
    )
  for (const expiresIn of [1e12, Number.MAX_SAFE_INTEGER]) {
    const made = await tokens.create('reset', '1', { expiresIn }).catch((error: Error) => error)
    if (made instanceof Error) t.equal(made.name, 'TypeError', `${expiresIn}: ${made.message}`)
    else t.equal(await tokens.consume('reset', made), '1', String(expiresIn))
  }
})

t.test('attack: a token with text around it', async (t) => {
  const tokens = await openTokens(t)
  const token = await tokens.create('reset', '1', { expiresIn: 60 })
  for (const value of [
    `${token}\n`,
    `\n${token}`,
    ` ${token}`,
    `${token}=`,
    `${token}\0`,
    new String(token),
    { toString: () => token },
    [token]
  ])
    t.equal(await tokens.consume('reset', value), null)
  t.equal(await tokens.consume('reset', token), '1')
})

t.test('attack: tokens in two registrations that share a store', async (t) => {
  const adapter = memoryAdapter()
  const app = Fastify()
  t.teardown(() => app.close())
  const scopes: FastifyInstance[] = []
  for (const prefix of ['/shop', '/admin'])
    await app.register(
      async (scope) => {
        scopes.push(scope)
        await scope.register(postern, {
          url: origin,
          secret,
          adapter,
          providers: [],
          rateLimit: false,
          cookies: {
            sessionToken: { name: prefix.slice(1), options: { path: prefix, httpOnly: true, sameSite: 'lax' } }
          }
        })
      },
      { prefix }
    )
  const [shop, admin] = scopes
  const token = (await shop?.postern.oneTimeTokens.create('reset', '1', { expiresIn: 60 })) ?? ''
  t.equal(await admin?.postern.oneTimeTokens.consume('reset', token), null)
  await admin?.postern.oneTimeTokens.revoke('reset', '1')
  t.equal(await shop?.postern.oneTimeTokens.consume('reset', token), '1')
})

t.test(
  'attack: subjects that are no ids, where the ids of users are UUIDs or numbers',
  { skip: await withoutServer('PostgreSQL', postgresPort) },
  async (t) => {
    for (const type of ['uuid', 'serial']) {
      const database = await createTestDatabase(t)
      await database.raw.query(`create table "user"
        (id ${type} primary key, name text, email text unique, "emailVerified" timestamp(3) with time zone, image text)`)
      const adapter = postgresAdapter({ url: database.url() })
      t.teardown(() => adapter.close())
      const tokens = await openTokens(t, adapter as never)
      for (const subject of ['ada@example.com', '007', '1e3', '0x10', ' 1']) {
        const token = await tokens.create('sign-up', subject, { expiresIn: 60 }).catch((error: Error) => error)
        t.type(token, 'string', `${type} ${subject}: ${token}`)
        if (typeof token !== 'string') continue
        const other = await tokens.create('sign-up', '7', { expiresIn: 60 }).catch(() => '')
        await tokens.revoke('sign-up', subject === '007' ? '7' : 'other')
        t.equal(await tokens.consume('sign-up', token), subject, `${type} ${subject}`)
        void other
      }
    }
  }
)

/** An application whose forms are guarded in several scopes. */
async function startForms(t: Test, options: StartOptions = {}) {
  const started = await startOwn(t, options)
  const { app } = started
  let runs = 0
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addHttpMethod('QUERY', { hasBody: true })
  const run = async () => ({ runs: ++runs })
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as never,
    url: '/form',
    preHandler: requireCsrfToken,
    handler: run
  })
  await app.register(async (scope) => {
    scope.addHook('preHandler', requireCsrfToken)
    scope.post('/nested', run)
    await scope.register(async (inner) => void inner.post('/inner', run), { prefix: '/deep' })
  })
  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/late')) await requireCsrfToken(request, {} as never).catch(() => undefined)
  })
  return { ...started, countRuns: () => runs }
}

t.test('attack: guarded forms with other methods, types and scopes', async (t) => {
  const { browser, newBrowser, countRuns } = await startForms(t)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const plain = { 'content-type': 'text/plain' }
  const foreign = newBrowser()
  await foreign.json('/api/auth/csrf')
  const refused: (readonly [string, () => Promise<BrowserResponse>])[] = [
    ['nested', () => browser.post('/nested', 'a=b', form)],
    ['deep', () => browser.post('/deep/inner', 'a=b', form)],
    ['text', () => browser.post('/form', `csrfToken=${csrfToken}`, plain)],
    ['JSON as text', () => browser.post('/form', JSON.stringify({ csrfToken }), plain)],
    ['query', () => browser.post(`/nested?csrfToken=${csrfToken}`, 'a=b', form)],
    ['null', () => browser.post('/form', 'null', json)],
    ['an array', () => browser.post('/form', JSON.stringify([csrfToken]), json)],
    ['a string', () => browser.post('/form', JSON.stringify(csrfToken), json)],
    ['a prototype', () => browser.post('/form', `{"__proto__":{"csrfToken":"${csrfToken}"}}`, json)],
    ['an object', () => browser.post('/form', JSON.stringify({ csrfToken: { toString: csrfToken } }), json)],
    ['another browser', () => foreign.post('/form', `csrfToken=${csrfToken}`, form)],
    ['PUT', () => browser.request('PUT', '/form', { headers: form, body: 'a=b' })],
    ['PATCH', () => browser.request('PATCH', '/form', { headers: json, body: '{}' })],
    ['DELETE', () => browser.request('DELETE', '/form')],
    ['QUERY', () => browser.request('QUERY' as never, '/form', { headers: form, body: 'a=b' })],
    [
      'override',
      () =>
        browser.request('POST', '/form', { headers: { ...form, 'x-http-method-override': 'GET' }, body: '_method=GET' })
    ],
    [
      'two headers',
      () =>
        browser.request('POST', '/form', {
          headers: { ...form, 'x-csrf-token': `${csrfToken}, ${csrfToken}` },
          body: 'a=b'
        })
    ],
    [
      'an empty header beside a foreign field',
      () => browser.request('POST', '/form', { headers: { ...form, 'x-csrf-token': '' }, body: 'csrfToken=a' })
    ]
  ]
  for (const [name, send] of refused) {
    const { status } = await send()
    t.ok(status >= 400 && status < 500, `${name}: ${status}`)
  }
  t.equal(countRuns(), 0)
  t.equal((await browser.post('/deep/inner', `csrfToken=${csrfToken}`, form)).status, 200)
})

t.test('attack: the CSRF token of one registration in another', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let runs = 0
  for (const prefix of ['/shop', '/admin'])
    await app.register(
      async (scope) => {
        await scope.register(postern, {
          url: origin,
          secret: `${prefix} ${secret}`,
          providers: [],
          rateLimit: false,
          cookies: {
            sessionToken: { name: prefix.slice(1), options: { path: prefix, httpOnly: true, sameSite: 'lax' } }
          }
        })
        scope.get('/form', async (request, reply) => ({ csrfToken: await scope.postern.csrfToken(request, reply) }))
        scope.post('/form', { preHandler: requireCsrfToken }, async () => ({ runs: ++runs }))
      },
      { prefix }
    )
  const page = await app.inject({ url: '/shop/form' })
  const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]))
  const send = (url: string) =>
    app.inject({ method: 'POST', url, cookies, payload: { csrfToken: page.json().csrfToken } })
  t.equal((await send('/admin/form')).statusCode, 403)
  t.equal(runs, 0)
  t.equal((await send('/shop/form')).statusCode, 200)
})

const template = {
  en: { subject: 'Hello {name}', text: 'Hello {name}\nBye', button: 'Open' },
  de: { subject: 'Hallo {name}', text: 'Hallo {name}', button: 'Öffnen' }
} as const
const to = 'ada@example.com'

t.test('attack: languages that are names of objects', async (t) => {
  const { app, browser, mailbox } = await startOwn(t)
  const values = { name: 'Ada', url: 'https://app.test/' }
  for (const language of [
    '__proto__',
    'constructor',
    'toString',
    'de\n',
    '../de',
    '*',
    'x'.repeat(10_000),
    'de-constructor'
  ])
    t.equal(await getCode(app.postern.sendMail(template, { to, values, language })), null, language.slice(0, 20))
  app.get('/send', async (request) => {
    await app.postern.sendMail(template, { to, values, request })
    return {}
  })
  for (const accepted of ['__proto__', 'constructor', 'de;q=-1', ',,,;;;', 'a,'.repeat(3000)])
    t.equal(
      (await browser.open('/send', { headers: { 'accept-language': accepted } })).status,
      200,
      accepted.slice(0, 20)
    )
  for (const { subject } of mailbox.mails) t.match(subject, /^Hall?o Ada$|^Hello Ada$/)
})

t.test('attack: values that are not the template’s', async (t) => {
  const { app, mailbox } = await startOwn(t)
  const values = JSON.parse(
    '{"name":"Ada","url":"https://app.test/","__proto__":{"site":"Evil Bank"},"constructor":"x"}'
  )
  await app.postern
    .sendMail({ en: { subject: '{site} {name}', text: '{constructor} {__proto__}' } } as MailTemplate, { to, values })
    .catch(() => undefined)
  for (const { subject } of mailbox.mails) t.equal(subject, 'app.test Ada')
  const sent = mailbox.mails.length
  await app.postern.sendMail(
    { en: { subject: 'Hi {name}', text: 'a' } },
    { to, values: { name: '{url}\u0000\u0085\u2029{name}' } }
  )
  t.equal(mailbox.mails.length, sent + 1)
  t.equal(mailbox.last().subject, 'Hi {url} {name}')
  await app.postern.sendMail({ en: { subject: 'Hi {name}', text: '{name}' } }, { to, values: { name: '$& $1 $`' } })
  t.equal(mailbox.last().subject, 'Hi $& $1 $`')
})

t.test('attack: mails to many addresses, by a client with many spellings', async (t) => {
  const { app, browser, mailbox } = await startOwn(t, { rateLimit: {}, instances: 1 })
  app.get<{ Querystring: { to: string } }>('/send', async (request) => {
    await app.postern.sendMail({ en: { subject: 'a', text: 'a' } }, { to: request.query.to, request })
    return {}
  })
  const spellings = ['ada@example.com', 'ADA@EXAMPLE.COM', ' ada@example.com ', 'ａda@example.com', 'ada@example.com\t']
  for (let count = 0; count < 20; count++)
    await browser.open(`/send?to=${encodeURIComponent(spellings[count % spellings.length] ?? '')}`)
  t.ok(mailbox.mails.length <= 5, `${mailbox.mails.length} mails`)
})

t.test('attack: a reply that was sent, and that of another request', async (t) => {
  const started = await startOwn(t)
  const { app, browser, newBrowser, adapter } = started
  const id = await signUp(started)
  const kept: { request?: never; reply?: never } = {}
  const failures: unknown[] = []
  app.post('/keep', async (request, reply) => {
    Object.assign(kept, { request, reply })
    return {}
  })
  app.post('/foreign', async (request, reply) => {
    failures.push(await getCode(app.postern.signIn(request, kept.reply as never, id)))
    failures.push(await getCode(app.postern.signIn(kept.request as never, reply, id)))
    return {}
  })
  app.post('/sent', async (request, reply) => {
    await reply.send({})
    failures.push(await getCode(app.postern.signIn(request, reply, id)))
    return reply
  })
  await post(newBrowser(), '/keep')
  await post(browser, '/foreign')
  t.same(failures, ['TypeError', 'TypeError'])
  await post(browser, '/sent')
  t.equal(await idIn(browser), null)
  t.same(await getSession(browser), {})
  t.equal(failures.length, 3)
  t.same(await adapter?.listSessions?.(id), [], 'a session that nobody has the cookie of')
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: attack: a change that ends the other sessions before and after`, async (t) => {
    const started = await startOwn(t, { session: { strategy } })
    const { app, browser, newBrowser, enter } = started
    const id = await signUp(started)
    app.post('/change', async (request) => {
      await app.postern.sessions.revokeOthers(request)
      await app.postern.sessions.revokeOthers(request)
      return {}
    })
    const other = newBrowser()
    await enter(other, id)
    await enter(browser, id)
    const changed = await post(browser, '/change')
    t.equal(changed.status, 200, changed.body)
    t.equal(await idIn(other), null)
    t.equal(await idIn(browser), id, 'the session that changes stays')
  })
}

t.test('jwt: an update of the session and the end of the others in one request', async (t) => {
  for (const order of ['update first', 'end first'] as const) {
    const callbacks = {
      jwt: ({ token, session }: { token: object; session?: object }) => ({ ...token, ...session }),
      session: ({ session, token }: { session: object; token: { plan?: string } }) => ({ ...session, plan: token.plan })
    }
    const started = await startOwn(t, { session: { strategy: 'jwt' }, callbacks: callbacks as never })
    const { app, browser, enter } = started
    const id = await signUp(started)
    app.post('/change', async (request) => {
      if (order === 'end first') await app.postern.sessions.revokeOthers(request)
      await app.postern.updateSession(request, { plan: 'pro' })
      if (order === 'update first') await app.postern.sessions.revokeOthers(request)
      return { session: await request.getSession() }
    })
    await enter(browser, id)
    t.match((await post(browser, '/change')).json(), { session: { plan: 'pro' } }, order)
    t.match(await getSession(browser), { plan: 'pro' }, order)
  }
})

t.test('attack: line breaks in the URL of a mail', async (t) => {
  const { app, mailbox } = await startOwn(t)
  for (const url of [
    'https://app.test/a\n\nYour account was blocked. Call 555.',
    'https://app.test/a\r\nBcc: eve@evil.test',
    '\nYour account was blocked.\nhttps://app.test/',
    'https://app.test/a\u2028Your account was blocked.'
  ]) {
    const sent = mailbox.mails.length
    await app.postern.sendMail(template, { to, values: { name: 'Ada', url } }).catch(() => undefined)
    for (const { text } of mailbox.mails.slice(sent))
      t.notMatch(text, /^(Your account|Bcc)/m, `a value begins no paragraph: ${encodeURI(url)}`)
  }
})
