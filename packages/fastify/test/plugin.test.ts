import fastifyCookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import { memoryAdapter } from '@postern/adapters/memory'
import { ConfigError } from '@postern/core'
import { type Feature, text } from '@postern/core/feature'
import { type Browser, createBrowser, createIssuer, fromInject } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import postern, { type PosternPluginOptions, requireSession } from '../src/index.ts'
import {
  cookieNames,
  demoIssuer,
  getSession,
  origin,
  people,
  secret,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

const plain = { url: origin, secret, providers: [people] } satisfies PosternPluginOptions

const browserFor = (app: FastifyInstance, basePath?: string): Browser =>
  createBrowser({ origin, send: fromInject(app), ...(basePath ? { basePath } : {}) })

/** Signs in and out below a base path. */
async function roundTrip(t: { equal: (a: unknown, b: unknown) => unknown }, app: FastifyInstance, basePath: string) {
  const browser = browserFor(app, basePath)
  const fields = { username: 'grace', password: 'lovelace' }
  t.equal((await browser.submit(`${basePath}/callback/credentials`, fields)).location, origin)
  t.equal((await browser.json<{ user: { name: string } }>(`${basePath}/session`)).user.name, 'grace')
  t.equal((await browser.submit(`${basePath}/signout`, {})).location, origin)
  return browser
}

const surroundings = ['before', 'after', 'never'] as const

const combinations = surroundings.flatMap((cookies) => surroundings.map((forms) => ({ cookies, forms })))

/** In `npm test` each plugin is registered at each moment. */
for (const { cookies, forms } of some(combinations, ({ cookies, forms }) => [cookies, forms], 1)) {
  t.test(`@fastify/cookie registered ${cookies}, @fastify/formbody registered ${forms}`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    const add = async (when: 'before' | 'after') => {
      if (cookies === when) await app.register(fastifyCookie, { secret: 'of the application' })
      if (forms === when) await app.register(formbody)
    }
    await add('before')
    await app.register(postern, plain)
    await add('after')
    app.post('/form', async (request) => request.body)
    app.get('/', async (request, reply) => {
      const session = await request.getSession()
      if (cookies !== 'never') reply.setCookie('own', 'value', { path: '/' })
      return { name: session?.user?.name ?? null, cookies: Object.keys(request.cookies ?? {}) }
    })
    await app.ready()

    const browser = await roundTrip(t, app, '/api/auth')
    await signInByForm(browser)
    t.match(await browser.json('/'), { name: 'grace' })
    t.equal(browser.cookies.get('own'), cookies === 'never' ? null : 'value')

    const form = await browser.post('/form', 'a=1&a=2&b=x')
    if (forms === 'never') t.equal(form.status, 415, 'Postern’s parser is not the application’s')
    else t.same(form.json(), { a: ['1', '2'], b: 'x' }, 'the application’s parser is its own')
    t.equal(app.hasRequestDecorator('cookies'), cookies !== 'never', 'cookies are decorated by the application alone')
  })
}

for (const cookies of ['before', 'after'] as const) {
  t.test(
    `a hook of the application sets cookies on Postern’s routes, @fastify/cookie registered ${cookies}`,
    async (t) => {
      const app = Fastify()
      t.teardown(() => app.close())
      if (cookies === 'before') await app.register(fastifyCookie)
      app.addHook('onSend', async (request, reply) => {
        reply.setCookie('seen', Object.keys(request.cookies).join(' '), { path: '/' })
      })
      await app.register(postern, plain)
      if (cookies === 'after') await app.register(fastifyCookie)

      const browser = browserFor(app)
      await browser.open('/api/auth/csrf')
      t.equal(browser.cookies.get('seen'), '')
      await browser.open('/api/auth/csrf')
      t.match(browser.cookies.get('seen'), cookieNames.csrfToken, 'it reads the CSRF cookie')
    }
  )
}

t.test('under another base path', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, { ...plain, basePath: '/login' })
  t.equal(app.postern.basePath, '/login')
  const browser = await roundTrip(t, app, '/login')
  t.equal((await browser.open('/api/auth/session')).status, 404)
  t.match(await browser.json('/login/providers'), {
    credentials: {
      signinUrl: `${origin}/login/signin/credentials`,
      callbackUrl: `${origin}/login/callback/credentials`
    }
  })
  const page = await browser.open('/login/signin')
  t.ok(page.html().querySelector('form[action="/login/callback/credentials"]'))
  t.ok(page.html().querySelector('link[href^="/login/assets/"]'))
})

t.test('the path of the URL is the default base path', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(postern, { ...plain, url: `${origin}/v4/auth/` })
  t.equal(app.postern.basePath, '/v4/auth')
  await roundTrip(t, app, '/v4/auth')
})

t.test('inside a scope with a prefix, the base path begins with it', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(
    async (scope) => {
      await scope.register(postern, plain)
      t.equal(scope.postern.basePath, '/team/api/auth')
      scope.get('/me', { onRequest: scope.requireSession }, async (request) => request.auth?.user)
    },
    { prefix: '/team' }
  )
  app.get('/outside', async (request) => ({ decorated: 'getSession' in request }))
  await app.ready()
  t.notOk(app.hasDecorator('postern'), 'nothing reaches the application around the scope')
  const browser = await roundTrip(t, app, '/team/api/auth')
  t.same(await browser.json('/outside'), { decorated: false })
  const response = await browser.open('/team/me')
  t.match(response.location, `${origin}/team/api/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Fteam%2Fme`)
})

t.test('inside a scope with a separate prefix and a base path', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(async (scope) => scope.register(postern, { ...plain, basePath: '/login' }), { prefix: '/a/b' })
  await app.ready()
  await roundTrip(t, app, '/a/b/login')
})

const cookies = (name: string) => ({
  sessionToken: { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure: true } as const }
})

t.test('twice, in two sibling scopes', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  for (const [name, key] of [
    ['staff', 'the secret of the staff, 32 characters or more'],
    ['guests', 'the secret of the guests, 32 characters or more']
  ] as const) {
    await app.register(
      async (scope) => {
        await scope.register(postern, { ...plain, secret: key, cookies: cookies(`__Secure-${name}`) })
        scope.get('/', async (request) => ({ name: (await request.getSession())?.user?.name ?? null }))
      },
      { prefix: `/${name}` }
    )
  }
  await app.ready()
  const browser = browserFor(app, '/staff/api/auth')
  await browser.submit('/staff/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
  t.same(await browser.json('/staff/'), { name: 'grace' })
  t.same(await browser.json('/guests/'), { name: null }, 'signed in at one is not signed in at the other')
  await roundTrip(t, app, '/guests/api/auth')
})

t.test('a guard of one sibling does not lose the cookie that the other one has renewed', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  let now = Date.now()
  const scopes: FastifyInstance[] = []
  // Both hooks run before those of the registrations.
  app.addHook('onRequest', async (request) => void (await scopes[0]?.postern.getSession(request)))
  app.addHook('onRequest', requireSession)
  const day = 24 * 60 * 60
  for (const [name, days] of [
    ['staff', 1],
    ['guests', 9]
  ] as const) {
    await app.register(
      async (scope) => {
        const own = { applicationId: name, cookies: cookies(`__Secure-${name}`), session: { updateAge: days * day } }
        await scope.register(postern, { ...plain, ...own, runtime: { now: () => now } })
        scope.get('/', (request, reply) => reply.send({ name: request.auth?.user?.name }))
        scopes.push(scope)
      },
      { prefix: `/${name}` }
    )
  }
  await app.ready()
  const browser = browserFor(app, '/staff/api/auth')
  for (const name of ['staff', 'guests'])
    await browser.submit(`/${name}/api/auth/callback/credentials`, { username: 'grace', password: 'lovelace' })
  now += 2 * day * 1000
  const response = await browser.open('/guests/')
  t.same(response.json(), { name: 'grace' })
  t.same(
    response.setCookies.map((cookie) => cookie.name),
    ['__Secure-staff']
  )
})

t.test(
  'a well-known URL at the root of the site: an earlier route of the application, or of another registration, stays',
  async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    const names = ['one', 'two']
    const findable = (id: string): Feature => ({
      id,
      setup: () => ({
        routes: names.map((name) => ({
          ...{ method: 'GET', path: `/.well-known/${name}`, access: 'anyone' },
          run: async () => text(id, 200)
        }))
      })
    })
    app.get('/.well-known/one', async () => 'application')
    for (const id of ['first', 'second'])
      await app.register(async (scope) => {
        await scope.register(postern, {
          ...{ ...plain, secret: `the secret of the ${id} one, 32 characters or more` },
          ...{ basePath: `/${id}`, cookies: cookies(`__Secure-${id}`), features: [findable(id)] }
        })
      })
    await app.ready()
    const read = async (name: string) => (await app.inject(`/.well-known/${name}`)).body
    t.same(await Promise.all(names.map(read)), ['application', 'first'])
  }
)

/** Starts an application and returns what it refuses to start with. */
async function getRefusal(register: (app: FastifyInstance) => unknown): Promise<ConfigError> {
  const app = Fastify()
  try {
    await register(app)
    await app.ready()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  } finally {
    await app.close()
  }
  throw new Error('expected a ConfigError')
}

t.test('a scope and its child cannot both register it, in any order', async (t) => {
  const inner = async (scope: FastifyInstance) => {
    await scope.register(postern, { ...plain, basePath: '/inner' })
  }
  const cases = {
    'the outer first': async (app: FastifyInstance) => {
      await app.register(postern, plain)
      await app.register(inner, { prefix: '/scope' })
    },
    'the inner first': async (app: FastifyInstance) => {
      await app.register(inner, { prefix: '/scope' })
      await app.register(postern, plain)
    },
    'two deep': async (app: FastifyInstance) => {
      await app.register(postern, plain)
      await app.register(async (scope) => scope.register(inner, { prefix: '/deep' }))
    },
    'twice in one scope': async (app: FastifyInstance) => {
      await app.register(postern, plain)
      await app.register(postern, { ...plain, basePath: '/other' })
    }
  }
  for (const [name, register] of Object.entries(cases)) {
    const { problems } = await getRefusal(register)
    t.match(problems, [{ option: 'register', message: /sibling scopes/ }], name)
  }
})

t.test('a prefix in its own options is an error that names basePath', async (t) => {
  const { problems } = await getRefusal((app) => app.register(postern, { ...plain, prefix: '/login' }))
  t.match(problems, [{ option: 'prefix', message: /use basePath/ }])
})

t.test('every path below the base path belongs to Postern, however the router treats slashes', async (t) => {
  const routers = [{}, { ignoreTrailingSlash: true }, { ignoreDuplicateSlashes: true }]
  for (const routerOptions of routers) {
    const app = Fastify({ routerOptions })
    t.teardown(() => app.close())
    await app.register(postern, plain)
    for (const path of ['', '/', '/nowhere', '/nowhere/'])
      t.match(await app.inject(`/api/auth${path}`), { statusCode: 400, body: /not supported/ }, path)
    t.match(await app.inject('/api/authority'), { statusCode: 404 })
    t.match(await app.inject('/api/auth/session'), { statusCode: 200, body: '{}' })
  }
})

t.test('decorators and parsers of the application are unchanged', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const seen: string[] = []
  app.setErrorHandler((error: Error, _request, reply) => reply.code(418).send({ own: error.message }))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ own: 'not found' }))
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, text, done) => done(null, { csv: text }))
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, { any: text }))
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
    done(null, { own: text })
  )
  app.decorateRequest('tenant', 'blue')
  app.decorate('clock', () => 7)
  app.decorateReply('toast', 'yes')
  app.addHook('onSend', async (request, _reply, payload) => {
    seen.push(request.url)
    return payload
  })
  await app.register(postern, plain)
  app.get('/fails', async () => Promise.reject(new Error('mine')))
  app.post('/echo', async (request) => ({ body: request.body, tenant: request.getDecorator('tenant') }))
  await app.ready()

  const browser = await roundTrip(t, app, '/api/auth')
  t.match(await browser.open('/fails'), { status: 418, body: '{"own":"mine"}' })
  t.match(await browser.open('/nowhere'), { status: 404, body: '{"own":"not found"}' })
  const echo = async (type: string) => (await browser.post('/echo', '{"a":1}', { 'content-type': type })).json()
  t.same(await echo('application/json'), { body: { own: '{"a":1}' }, tenant: 'blue' })
  t.same(await echo('text/csv'), { body: { csv: '{"a":1}' }, tenant: 'blue' })
  t.same(await echo('image/x'), { body: { any: '{"a":1}' }, tenant: 'blue' })
  t.ok(seen.includes('/api/auth/csrf'), 'its hooks see Postern’s routes')

  const own = await browser.post('/api/auth/signout', 'x', { 'content-type': 'text/csv' })
  t.match({ status: own.status, type: own.headers['content-type'] }, { status: 415, type: /^text\/plain/ })
  const unknown = await browser.open('/api/auth/nowhere')
  t.match(unknown, { status: 404, body: /Page not found/ })
  await signInByForm(browser)
  const data = JSON.stringify({ ...(await browser.json<object>('/api/auth/csrf')), data: 'x' })
  const json = await browser.post('/api/auth/session', data, { 'content-type': 'application/json' })
  t.match(json.json(), { user: { name: 'grace' } }, 'Postern’s routes read JSON their own way')
})

t.test('the exact redirect URI of each provider is logged at start', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  const issuer = createIssuer()
  const providers = [demoIssuer(issuer), { ...demoIssuer(issuer), id: 'second' }, people]
  await app.register(async (scope) => scope.register(postern, { ...plain, providers }), { prefix: '/team' })
  await app.ready()
  const reported = lines.map((line) => JSON.parse(line)).filter(({ redirectUri }) => redirectUri)
  t.match(reported, [
    { provider: 'demo', redirectUri: `${origin}/team/api/auth/callback/demo` },
    { provider: 'second', redirectUri: `${origin}/team/api/auth/callback/second` }
  ])
  t.ok(reported.every(({ msg, redirectUri }) => msg.includes(redirectUri)))
  t.equal(reported.length, 2)
})

t.test('in development, the log says for which provider there is no logo, and how to bring one', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  const common = demoIssuer(createIssuer())
  const style = { logo: '/pipedrive.svg' }
  const providers = [
    { ...common, id: 'linkedin' },
    { ...common, id: 'zoho' },
    { ...common, id: 'pipedrive', style }
  ]
  await app.register(postern, { ...plain, providers })
  await app.ready()
  const reported = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /no built-in logo/.test(msg))
  t.match(reported, [{ provider: 'zoho', msg: /style: \{ logo: / }])
  t.equal(reported.length, 1)
})

t.test('a route that does not ask pays nothing', async (t) => {
  let decoded = 0
  for (const strategy of ['jwt', 'database'] as const) {
    const jwt = {
      decode: () => {
        decoded += 1
        return null
      }
    }
    const started = await start(t, { session: { strategy }, ...(strategy === 'jwt' ? { jwt } : {}) })
    const { app, browser, store } = started
    let auth: unknown = 'unset'
    app.get('/plain', async (request) => {
      auth = request.auth
      return { ok: true }
    })
    await signInByMail(started, browser)
    store.forget()
    decoded = 0
    const response = await browser.open('/plain')
    t.match({ status: response.status, cookies: response.setCookies }, { status: 200, cookies: [] })
    t.same({ calls: store.count(), decoded, auth }, { calls: 0, decoded: 0, auth: null })
  }
})

t.test('the mail and the pages are those of the renderer that the application brings', async (t) => {
  const adapter = memoryAdapter()
  const renderer = {
    page: (page: { readonly name: string }) => `<!doctype html><title>own ${page.name}</title>`,
    mail: ({ url }: { readonly url: string | null }) => ({ subject: 'own', text: url ?? '', html: '' })
  }
  const started = await start(t, { adapter, renderer })
  t.match((await started.browser.open('/api/auth/signin')).body, 'own signin')
  await signInByMail(started, started.browser)
  t.equal(started.mailbox.last().subject, 'own')
  t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
})
