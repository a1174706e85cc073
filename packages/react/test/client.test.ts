import './page.ts'
import t from 'tap'
import { Client } from '../src/client.ts'
import { configure } from '../src/endpoint.ts'
import { getRendered, page, reset } from './page.ts'
import { ada, catchErrors, createServer, grace, settled } from './server.ts'

const base = 'https://app.test/api/auth'
const form = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body))

t.beforeEach(reset)

t.test('signing in asks what next-auth asks, in its order', async (t) => {
  const methods: readonly [way: string, route: string][] = [
    ['credentials', 'callback/credentials'],
    ['email', 'signin/email'],
    ['demo', 'signin/demo']
  ]
  for (const [method, route] of methods) {
    const server = createServer()
    await new Client(server.send).signIn(method, { username: 'ada', redirect: true, callbackUrl: '/next' })
    t.same(server.requested(), ['GET /api/auth/providers', 'GET /api/auth/csrf', `POST /api/auth/${route}`], method)
    const { body, headers } = server.requests[2] ?? { body: '', headers: new Headers() }
    t.equal(headers.get('content-type'), 'application/x-www-form-urlencoded')
    const expected = { username: 'ada', redirect: 'true', callbackUrl: '/next', csrfToken: 'token', json: 'true' }
    t.same(form(body), expected, method)
  }
})

t.test('without a callbackUrl the user returns to the page', async (t) => {
  const server = createServer()
  const client = new Client(server.send)
  await client.signIn('demo')
  await client.signOut()
  const posts = server.requests.filter(({ method }) => method === 'POST')
  t.same(
    posts.map(({ body }) => form(body)['callbackUrl']),
    [page.href, page.href]
  )
})

t.test('parameters of the authorization request go into the query', async (t) => {
  for (const parameters of [
    'prompt=login',
    { prompt: 'login' },
    [['prompt', 'login']],
    new URLSearchParams({ prompt: 'login' })
  ]) {
    const server = createServer()
    await new Client(server.send).signIn('demo', {}, parameters)
    t.equal(server.requested().at(-1), 'POST /api/auth/signin/demo?prompt=login')
  }
})

t.test('the browser follows the URL of the server', async (t) => {
  const cases: readonly [answer: object, address: string, reloads: number][] = [
    [{ url: 'https://issuer.test/authorize?x=1' }, 'https://issuer.test/authorize?x=1', 0],
    [{ url: 'https://app.test/other#part' }, 'https://app.test/other#part', 0],
    [{ url: `${page.href}#part` }, `${page.href}#part`, 1],
    [{}, '/next', 0]
  ]
  for (const [result, address, reloads] of cases) {
    reset()
    const server = createServer()
    server.results.set('signin', () => Response.json(result))
    t.equal(await new Client(server.send).signIn('demo', { callbackUrl: '/next', redirect: false }), undefined)
    t.same(page.visited, [address])
    t.equal(page.reloads, reloads, address)
  }
})

t.test('an unknown provider redirects to the sign-in page', async (t) => {
  for (const provider of [undefined, '', 'nobody', 'constructor', '__proto__']) {
    reset()
    const server = createServer()
    await new Client(server.send).signIn(provider, { callbackUrl: '/next' })
    t.same(server.requested(), ['GET /api/auth/providers'])
    t.same(page.visited, ['/api/auth/signin?callbackUrl=%2Fnext'], String(provider))
  }
})

t.test('if the providers cannot be read, the error page is shown', async (t) => {
  const errors = catchErrors(t)
  const server = createServer()
  server.results.set('providers', () => Response.json({ message: 'no' }, { status: 500 }))
  await new Client(server.send).signIn('demo')
  t.same(page.visited, ['/api/auth/error'])
  t.equal(errors.length, 1)
})

t.test('without a redirect, signIn returns the result', async (t) => {
  const refused = `${base}/signin?error=CredentialsSignin&ref=1`
  const unsent = `${base}/signin?error=EmailSignin`
  const sent = `${base}/verify-request?provider=email&type=email`
  const cases: readonly [way: string, route: string, answer: [url: string, status: number], result: object][] = [
    [
      'credentials',
      'callback',
      ['https://app.test/next', 200],
      { error: null, status: 200, ok: true, url: 'https://app.test/next' }
    ],
    [
      'credentials',
      'callback',
      [`${refused}&code=locked`, 401],
      { error: 'CredentialsSignin', code: 'locked', status: 401, ok: false, url: null }
    ],
    ['credentials', 'callback', [refused, 401], { error: 'CredentialsSignin', status: 401, ok: false, url: null }],
    ['email', 'signin', [sent, 200], { error: null, status: 200, ok: true, url: sent }],
    ['email', 'signin', [unsent, 200], { error: 'EmailSignin', status: 200, ok: true, url: null }]
  ]
  for (const [method, route, [url, status], result] of cases) {
    const server = createServer()
    server.results.set(route, () => Response.json({ url }, { status }))
    t.same(await new Client(server.send).signIn(method, { redirect: false }), result)
    t.same(page.visited, [], 'the page stays')
  }
})

t.test('the console names a url of the server that is not the address of the page', async (t) => {
  const warned: unknown[] = []
  const { warn } = console
  console.warn = (...line: unknown[]) => void warned.push(line)
  t.teardown(() => void Object.assign(console, { warn }))
  const signInAt = async (origin: string): Promise<void> => {
    const server = createServer()
    const demo = { id: 'demo', name: 'Demo', type: 'oauth', signinUrl: `${origin}/api/auth/signin/demo` }
    server.results.set('providers', () => Response.json({ demo }))
    await new Client(server.send).signIn('demo')
    reset()
  }
  await signInAt('https://app.test')
  t.same(warned, [])
  await signInAt('http://localhost:3000')
  const named = { page: 'https://app.test', url: 'http://localhost:3000' }
  t.same(warned, [['[postern][warn][URL_MISMATCH]', named]])
  configure({ baseUrl: 'https://api.app.test' })
  t.teardown(() => configure({ baseUrl: '' }))
  await signInAt('https://api.app.test')
  t.equal(warned.length, 1, 'an application of another origin has two addresses')
})

t.test('signOut sends the request of next-auth, and notifies the other tabs', async (t) => {
  const server = createServer(ada)
  t.equal(await new Client(server.send).signOut({ callbackUrl: '/bye' }), undefined)
  t.same(server.requested(), ['GET /api/auth/csrf', 'POST /api/auth/signout'])
  t.same(form(server.requests[1]?.body ?? ''), { callbackUrl: '/bye', csrfToken: 'token', json: 'true' })
  t.same(page.visited, ['https://app.test/after/signout'])
  t.match(getRendered(), { event: 'session', data: { trigger: 'signout' } })
})

t.test('signing out at the provider too is a field of the form', async (t) => {
  for (const [provider, sent] of [
    [true, 'true'],
    ['demo', 'demo'],
    [false, undefined]
  ] as const) {
    const server = createServer(ada)
    await new Client(server.send).signOut({ callbackUrl: '/bye', provider })
    t.equal(form(server.requests[1]?.body ?? '')['provider'], sent)
  }
})

t.test('without a redirect, signOut returns the URL', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  const seen: unknown[] = []
  client.onSession((session) => seen.push(session))
  server.session = null
  t.same(await client.signOut({ redirect: false }), { url: 'https://app.test/after/signout' })
  t.same(page.visited, [])
  t.same(seen, [null], 'what shows the session knows before signOut is done')
})

t.test('every useSession is updated after a sign-in without a redirect, and so are other tabs', async (t) => {
  const server = createServer()
  const client = new Client(server.send)
  await client.signIn('credentials', { redirect: false })
  t.equal(server.requested().includes('GET /api/auth/session'), false, 'without a subscriber nothing is read')
  const seen: unknown[] = []
  const stop = client.onSession((session) => seen.push(session))
  server.session = ada
  await client.signIn('credentials', { redirect: false })
  t.same(seen, [ada])
  t.match(getRendered(), { data: { trigger: 'getSession' }, user: String })
  stop()
  await client.getSession()
  t.same(seen, [ada])
})

t.test('a failed sign-in reads nothing', async (t) => {
  const server = createServer()
  server.results.set('callback', () =>
    Response.json({ url: `${base}/signin?error=CredentialsSignin` }, { status: 401 })
  )
  const client = new Client(server.send)
  client.onSession(() => t.fail('nothing was to be read'))
  await client.signIn('credentials', { redirect: false })
  t.equal(server.requested().includes('GET /api/auth/session'), false)
})

t.test('a response that is not JSON fails the sign-in', async (t) => {
  const server = createServer()
  server.results.set('callback', () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  server.results.set('signout', () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const client = new Client(server.send)
  await t.rejects(client.signIn('credentials', { redirect: false }))
  await t.rejects(client.signOut())
  t.same(page.visited, [])
  t.equal(getRendered(), null, 'a sign-out that did not happen is not broadcast')
})

t.test('an update is a POST with the token and the data', async (t) => {
  const server = createServer(ada)
  t.same(await new Client(server.send).update({ name: 'Augusta' }), ada)
  t.same(server.requested(), ['GET /api/auth/csrf', 'POST /api/auth/session'])
  t.same(JSON.parse(server.requests[1]?.body ?? ''), { csrfToken: 'token', data: { name: 'Augusta' } })
  t.equal(server.requests[1]?.headers.get('content-type'), 'application/json')
  await new Client(server.send).update(undefined)
  t.same(JSON.parse(server.requests[3]?.body ?? ''), { csrfToken: 'token' })
})

t.test('reading answers null for no one', async (t) => {
  const server = createServer()
  const client = new Client(server.send)
  t.equal(await client.getSession(), null)
  server.session = ada
  t.same(await client.getSession(), ada)
  t.equal(await client.getCsrfToken(), 'token')
  t.match(await client.getProviders(), { demo: { id: 'demo', type: 'oauth' } })
})

t.test('a failed read is nothing, a line on the console, and no request to the server', async (t) => {
  const failures: readonly (() => Response)[] = [
    () => Response.json({ message: 'the store does not respond' }, { status: 503 }),
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    () => new Response('not JSON'),
    () => {
      throw new TypeError('Failed to fetch')
    }
  ]
  for (const failure of failures) {
    const errors = catchErrors(t)
    const server = createServer()
    for (const route of ['session', 'csrf', 'providers']) server.results.set(route, failure)
    const client = new Client(server.send)
    t.equal(await client.getSession(), null)
    t.equal(await client.getCsrfToken(), undefined)
    t.equal(await client.getProviders(), null)
    t.same(server.requested(), ['GET /api/auth/session', 'GET /api/auth/csrf', 'GET /api/auth/providers'])
    t.match(errors, [
      ['[postern][error][CLIENT_FETCH_ERROR]', { url: '/api/auth/session', error: Error }],
      [/CLIENT_FETCH_ERROR/, { url: '/api/auth/csrf' }],
      [/CLIENT_FETCH_ERROR/, { url: '/api/auth/providers' }]
    ])
    t.equal(errors.length, 3)
    t.equal(getRendered(), null, 'a failure is not broadcast')
  }
})

t.test('reads at the same moment are one request', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  const sessions = await Promise.all([client.getSession(), client.getSession(), client.readSession()])
  t.same(sessions, [ada, ada, ada])
  t.equal(sessions[0], sessions[2], 'the same object')
  t.equal(server.requests.length, 1)
  await client.getSession()
  t.equal(server.requests.length, 2, 'a separate later one is a request')
})

t.test('a pending read does not answer a later call, and does not delay it', async (t) => {
  const server = createServer()
  const client = new Client(server.send)
  const seen: unknown[] = []
  client.onSession((session) => seen.push(session))
  const gate = server.hold()
  const early = client.getSession()
  server.session = ada
  await settled()
  const late = client.getSession()
  await settled()
  t.equal(gate.waiting(), 2)
  await gate.release(1)
  t.same(await late, ada)
  await gate.release()
  t.equal(await early, null)
  t.same(seen, [ada], 'the older response is not shown after the newer one')
})

t.test('signing in and out without a redirect do not wait for a pending read', async (t) => {
  const server = createServer()
  const client = new Client(server.send)
  const seen: unknown[] = []
  client.onSession((session) => seen.push(session))
  const gate = server.hold()
  const pending = client.getSession()
  server.session = ada
  const signingIn = client.signIn('credentials', { redirect: false })
  for (const route of ['providers', 'csrf', 'callback/credentials', 'session']) {
    await settled()
    t.equal(server.requested().at(-1)?.endsWith(route), true, route)
    await gate.release(1)
  }
  t.match(await signingIn, { ok: true })
  t.same(seen, [ada])
  await gate.release()
  t.equal(await pending, null)
  t.same(seen, [ada])
})

t.test('a read that started before a change is not shown after it', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  const seen: unknown[] = []
  client.onSession((session) => seen.push(session))
  const gate = server.hold()
  const early = client.getSession()
  client.show(grace)
  await gate.release()
  await early
  t.same(seen, [grace])
})

t.test('a read that fails lets the next one try', async (t) => {
  catchErrors(t)
  const server = createServer(ada)
  server.results.set('session', () => Response.json({}, { status: 503 }))
  const client = new Client(server.send)
  await t.rejects(client.readSession(), { message: 'expected 200, got 503' })
  server.results.clear()
  t.same(await client.readSession(), ada)
})

t.test('other tabs are notified who is signed in, once', async (t) => {
  const server = createServer(ada)
  const client = new Client(server.send)
  await client.getSession({ broadcast: false })
  t.equal(getRendered(), null)
  await client.getSession()
  const first = getRendered()
  t.match(first, { event: 'session', timestamp: Number, user: String })
  t.same(first?.data, { trigger: 'getSession' }, 'the message is the one of next-auth')
  t.ok(Math.abs((first?.timestamp ?? 0) - Date.now() / 1000) < 60, 'in seconds')
  await client.getSession()
  t.same(getRendered(), first, 'the same user is not a news')
  server.session = { ...ada, expires: '2031-01-01T00:00:00.000Z' }
  await client.getSession()
  t.same(getRendered(), first, 'nor is a session that ends later')
  server.session = grace
  await client.getSession()
  t.not(getRendered()?.user, first?.user)
  t.notMatch(JSON.stringify(getRendered()), /Grace|example/, 'nothing about the user is stored')
})

t.test('without storage nothing is broadcast, and everything else works', async (t) => {
  const get = (): never => {
    throw new Error('storage is denied')
  }
  t.intercept(globalThis, 'localStorage', { get, configurable: true })
  const client = new Client(createServer(ada).send)
  t.same(await client.getSession(), ada)
  t.same(await client.signOut({ redirect: false }), { url: 'https://app.test/after/signout' })
})

t.test('`configure` sets the URL of the routes', async (t) => {
  const cases: readonly [place: { basePath?: string; baseUrl?: string }, address: string][] = [
    [{ basePath: '/auth' }, '/auth/session'],
    [{ basePath: '/deep/er/auth/' }, '/deep/er/auth/session'],
    [{ basePath: 'auth' }, '/auth/session'],
    [{ basePath: '/' }, '/session'],
    [{ baseUrl: 'https://api.test' }, 'https://api.test/session'],
    [{ baseUrl: 'https://api.test/', basePath: '/auth' }, 'https://api.test/auth/session']
  ]
  for (const [location, address] of cases) {
    configure(location)
    const server = createServer()
    await new Client(server.send).getSession()
    t.equal(server.requests[0]?.url, address)
  }
})
