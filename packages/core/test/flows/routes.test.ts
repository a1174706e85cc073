import { createBrowser, fromFetch, type Method } from '@postern/testkit'
import t from 'tap'
import { routes } from '../../src/actions/routes.ts'
import { errorCodes, isSignInCode, knownCode } from '../../src/errors/error-codes.ts'
import { createPostern } from '../../src/postern.ts'
import { shown, texts } from '../texts.ts'
import { origin, parameter, people, secret, sessionCookie, start } from './start.ts'

const base = `${origin}/api/auth`
const methods: readonly Method[] = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

t.test('the routes are those of next-auth v4, and the newer ones', async (t) => {
  const { auth } = start()
  t.same(auth.routes.map(({ method, path }) => `${method} ${path}`).sort(), [
    'GET /assets/:hash',
    'GET /callback/:provider',
    'GET /csrf',
    'GET /error',
    'GET /providers',
    'GET /session',
    'GET /signin',
    'GET /signin/:provider',
    'GET /signout',
    'GET /verify',
    'GET /verify-request',
    'GET /verify/:id',
    'GET /welcome',
    'POST /_log',
    'POST /backchannel-logout/:provider',
    'POST /callback/:provider',
    'POST /providers',
    'POST /session',
    'POST /signin',
    'POST /signin/:provider',
    'POST /signout',
    'POST /verify/:id'
  ])
  t.same(auth.redirectUris, { demo: `${base}/callback/demo` })
})

const nowhere = [
  '/',
  '//',
  '/unknown',
  '/csrf/x',
  '/session/x',
  '/signin/demo/x',
  '/signin//',
  '//signin',
  '/SIGNIN',
  '/csrf;x',
  '/csrf%2f',
  '/%63srf',
  '/callback',
  '/callback/',
  '/assets',
  '/signout/demo',
  '/__proto__',
  '/constructor',
  '/signin/demo/../..//x'
]

t.test('an unknown action, or an unsupported method, is 400 with an error', async (t) => {
  const { browser } = start()
  for (const path of nowhere) {
    const response = await browser.request('GET', `/api/auth${path}`)
    t.ok([400, 404].includes(response.status), `${path}: ${response.status}`)
    t.same(response.setCookies, [])
  }
  for (const method of methods) {
    const response = await browser.request(method, '/api/auth/unknown')
    t.equal(response.status, 400)
    if (method !== 'HEAD') t.equal(response.body, `Error: This action with HTTP ${method} is not supported`)
  }
  for (const [method, path] of [
    ['POST', 'csrf'],
    ['POST', 'error'],
    ['GET', '_log'],
    ['PUT', 'session'],
    ['DELETE', 'session'],
    ['POST', 'verify-request'],
    ['GET', 'backchannel-logout/demo']
  ] as const) {
    t.equal((await browser.request(method, `/api/auth/${path}`)).status, 400, `${method} ${path}`)
  }
})

t.test('a URL outside the base path is 404, and has no effect', async (t) => {
  const { browser } = start()
  for (const path of ['/', '/api/auth', '/api/authors/csrf', '/csrf', '/api/auth/../csrf', '/API/auth/csrf']) {
    t.equal((await browser.request('GET', path)).status, 404, path)
  }
})

t.test('an unknown provider', async (t) => {
  const { browser } = start()
  for (const id of ['unknown', '__proto__', 'constructor', 'DEMO', 'demo%00', '%', 'demo,credentials']) {
    t.equal((await browser.open(`/api/auth/signin/${id}`)).status, 404, id)
    t.equal((await browser.open(`/api/auth/callback/${id}`)).status, 404, id)
    t.equal((await browser.post(`/api/auth/callback/${id}`, '')).status, 404, id)
    t.match(await browser.submit(`/api/auth/signin/${id}`, {}), { status: 302, location: `${base}/signin` }, id)
  }
})

t.test('a wrong address is the error page for browsers', async (t) => {
  const { browser } = start()
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const wrong = ['/unknown', '/signin/unknown', '/callback/unknown', '/_log', '/csrf/x'] as const
  for (const path of wrong) {
    const shown = await browser.request('GET', `/api/auth${path}`, { headers: { accept } })
    t.match(shown, { status: 404, setCookies: [], headers: { 'content-type': /^text\/html/ } }, path)
    t.ok(shown.html().querySelector(`a[href="${base}/signin"]`), `${path}: a way out`)
    for (const headers of [{}, { accept: '*/*' }, { accept, 'x-auth-return-redirect': '1' }]) {
      const told = await browser.request('GET', `/api/auth${path}`, { headers })
      t.match(told.headers['content-type'], /^text\/plain/, `${path}: ${JSON.stringify(headers)}`)
    }
  }
  const own = start({ pages: { error: '/oops' } })
  const told = await own.browser.request('GET', '/api/auth/unknown', { headers: { accept } })
  t.match(told, { status: 400, body: /^Error: / }, 'the application has its own error page')
})

t.test('the list of providers', async (t) => {
  const { browser } = start()
  const expected = {
    demo: {
      id: 'demo',
      name: 'Demo',
      type: 'oidc',
      signinUrl: `${base}/signin/demo`,
      callbackUrl: `${base}/callback/demo`
    },
    credentials: {
      id: 'credentials',
      name: 'Credentials',
      type: 'credentials',
      signinUrl: `${base}/signin/credentials`,
      callbackUrl: `${base}/callback/credentials`
    }
  }
  t.same(await browser.json('/api/auth/providers'), expected)
  t.same((await browser.post('/api/auth/providers', '')).json(), expected)
})

t.test('the anti-forgery token stays with the browser', async (t) => {
  const { browser, newBrowser } = start()
  const read = async (visitor = browser) => (await visitor.json<{ csrfToken: string }>('/api/auth/csrf')).csrfToken
  const token = await read()
  t.match(token, /^[\da-f]{64}$/)
  t.equal(await read(), token)
  t.not(await read(newBrowser()), token)
  t.match(browser.cookies.all(), [
    { name: '__Host-next-auth.csrf-token', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', expires: null }
  ])
})

for (const [code, { screen, status }] of Object.entries(errorCodes)) {
  t.test(`the error page of ${code}`, async (t) => {
    const { browser } = start()
    for (const text of [code, code.toUpperCase()]) {
      const response = await browser.open(`/api/auth/error?error=${text}`)
      if (screen === 'signin') t.match(response, { status: 302, location: `${base}/signin?error=${code}` })
      else t.equal(response.status, status)
    }
    const known = knownCode(code)
    t.equal(known !== null && isSignInCode(known), screen === 'signin')
  })
}

t.test('page-1: a code that no one knows is an error like any other, and its words stay off the page', async (t) => {
  const { browser } = start()
  const hostile = [
    '<script>alert(1)</script>',
    '"onmouseover="alert(1)',
    'Your account is locked, call 555',
    '\u0000',
    '%',
    "'><img src=x>"
  ]
  for (const text of hostile) {
    for (const path of [
      `error?error=${encodeURIComponent(text)}`,
      `signin?error=${encodeURIComponent(text)}`,
      `error?error[]=${encodeURIComponent(text)}`
    ]) {
      const page = await browser.open(`/api/auth/${path}`)
      t.equal(page.status, 200)
      t.notMatch(page.body, /alert\(1\)|locked|<img|onmouseover/, shown(path))
    }
  }
  t.equal((await browser.open('/api/auth/error')).status, 200)
  t.equal((await browser.open('/api/auth/error?error=Configuration&error=AccessDenied')).status, 200)
})

t.test('custom pages get the parameters that they need', async (t) => {
  const { browser } = start({
    pages: { signIn: '/login?a=b', signOut: '/bye', error: 'https://www.app.test/oops', verifyRequest: '/mailed' }
  })
  const signIn = await browser.open('/api/auth/signin?callbackUrl=/me&error=OAuthCallback&reason=cancelled')
  t.match(signIn.location, /^https:\/\/app\.test\/login\?/)
  t.match(
    ['a', 'callbackUrl', 'error', 'reason'].map((name) => parameter(signIn, name)),
    ['b', `${origin}/me`, 'OAuthCallback', 'cancelled']
  )
  t.equal((await browser.open('/api/auth/signout')).location, `${origin}/bye`)
  t.equal((await browser.open('/api/auth/verify-request?provider=x')).location, `${origin}/mailed`)
  t.equal(
    (await browser.open('/api/auth/error?error=AccessDenied')).location,
    'https://www.app.test/oops?error=AccessDenied'
  )
  t.equal((await browser.open('/api/auth/error')).location, 'https://www.app.test/oops?error=undefined')
  t.match((await browser.open('/api/auth/error?error=Signin')).location, /\/signin\?error=Signin$/)
})

t.test('custom pages get the reference that is in the log, and nothing else under its name', async (t) => {
  const { browser, log } = start({ pages: { signIn: '/login', error: '/oops' } })
  const refused = await browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'wrong' })
  const ref = parameter(refused, 'ref')
  t.match(log, [{ metadata: { ref } }])
  t.type(ref, 'string')
  const login = await browser.follow(refused)
  t.match([new URL(login.location ?? '').pathname, parameter(login, 'ref')], ['/login', ref])
  for (const error of ['AccessDenied', 'Signin'])
    t.equal(parameter(await browser.open(`/api/auth/error?error=${error}&ref=${ref}`), 'ref'), ref, error)
  for (const text of ['', 'call 555', '<b>', `${ref}&ref=${ref}`])
    t.equal(parameter(await browser.open(`/api/auth/signin?error=Signin&ref=${text}`), 'ref'), null, text)
})

t.test('one slash at the end of a path is accepted', async (t) => {
  const { browser } = start()
  for (const path of ['signin', 'signin/demo', 'signout', 'csrf', 'session', 'providers', 'error', 'verify-request']) {
    const [without, withSlash] = [await browser.open(`/api/auth/${path}`), await browser.open(`/api/auth/${path}/`)]
    t.same([withSlash.status, withSlash.headers['content-type']], [200, without.headers['content-type']], path)
    t.not((await browser.open(`/api/auth/${path}//`)).status, 200, path)
  }
  t.match(await browser.submit('/api/auth/signin/demo/', {}), { status: 302, location: /^https:\/\/issuer\.test/ })
  const fields = { username: 'ada', password: 'lovelace', callbackUrl: '/me' }
  t.match(await browser.submit('/api/auth/callback/credentials/', fields), { location: `${origin}/me` })
  t.match(await browser.submit('/api/auth/signout/', {}), { status: 302, location: `${origin}/me` })
})

t.test('page-1: pages say how they are to be treated', async (t) => {
  const { browser } = start()
  for (const path of ['signin', 'signout', 'error', 'verify-request']) {
    const { status, headers } = await browser.open(`/api/auth/${path}`)
    t.equal(status, 200)
    t.match(headers, {
      'cache-control': 'private, no-cache, no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': path === 'error' ? 'no-referrer' : 'strict-origin'
    })
    t.match(headers['content-security-policy'], /^default-src 'none';.*base-uri 'none'; frame-ancestors 'none'/)
    t.notMatch(headers['content-security-policy'], /unsafe|\*/)
  }
})

t.test('the client’s log is off unless switched on, and then takes little', async (t) => {
  const off = start()
  t.equal((await off.browser.post('/api/auth/_log', 'level=error&code=a')).status, 404)
  const { browser, log } = start({ clientLog: true })
  t.equal(
    (await browser.post('/api/auth/_log', `level=error&code=CLIENT_FETCH_ERROR&message=${'a'.repeat(5000)}%0d%0aX`))
      .status,
    200
  )
  await browser.post('/api/auth/_log', 'level=fatal&code=a')
  await browser.post('/api/auth/_log', 'level[]=error')
  t.match(log, [{ level: 'error', code: 'CLIENT_FETCH_ERROR', metadata: { client: true, message: /^a{500}$/ } }])
  t.equal(log.length, 1)
})

t.test('no welcome page unless wanted; with it, it greets', async (t) => {
  t.equal((await start().browser.open('/api/auth/welcome')).status, 404)
  const { browser } = start({ pages: { newUser: true } })
  t.match((await browser.open('/api/auth/welcome?callbackUrl=//evil.test')).body, /href="https:\/\/app\.test"/)
})

t.test('another base path, and a host without a port', async (t) => {
  const auth = createPostern(
    { url: 'https://app.test:8443', basePath: '/login', secret: `${secret} of another`, providers: [people] },
    {}
  )
  const browser = createBrowser({ origin: 'https://app.test:8443', send: fromFetch(auth.fetch), basePath: '/login' })
  await browser.submit('/login/callback/credentials', { username: 'ada', password: 'lovelace', callbackUrl: '/me' })
  t.match(await browser.json('/login/session'), { user: { name: 'ada' } })
  t.equal((await browser.open('/api/auth/session')).status, 404)
})

t.test('no header sets the origin of the application', async (t) => {
  const { browser, auth } = start()
  const headers = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.test',
    'x-original-url': '/evil'
  }
  const sent = await browser.submit('/api/auth/signin/demo', {}, { headers })
  t.equal(new URL(sent.location ?? '').searchParams.get('redirect_uri'), `${base}/callback/demo`)
  t.ok(sent.setCookies.every(({ secure }) => secure))
  const response = await auth.fetch(new Request('http://evil.test/api/auth/providers', { headers }))
  t.notMatch(await response.text(), /evil/)
})

t.test('limits count by the client that the server of a web request states', async (t) => {
  const keys: string[] = []
  const limiter = { consume: async (key: string) => keys.push(key) * 0, refund: async () => undefined }
  const { auth } = start({ rateLimit: { limiter } })
  const countedFor = async (
    ...connection: Parameters<typeof auth.fetch> extends [unknown, ...infer Rest] ? Rest : []
  ) => {
    const browser = createBrowser({ origin, send: fromFetch((request) => auth.fetch(request, ...connection)) })
    const from = keys.length
    await browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'wrong' })
    return keys.slice(from)
  }
  const [first, second] = [await countedFor({ client: '192.0.2.1' }), await countedFor({ client: '192.0.2.2' })]
  t.ok(first.length > 0)
  t.notSame(first, second)
  t.same(await countedFor({ client: '192.0.2.1' }), first)
  const unknown = await countedFor()
  t.notSame(unknown, first)
  // A Worker that is `{ fetch: auth.fetch }` passes its environment, which may have any type.
  const environment: object = { client: { name: 'a binding' } }
  t.same(await countedFor(environment), unknown)
})

t.test('any method on any route with any input is answered in time, with a status that means something', async (t) => {
  const { browser } = start()
  const pieces = [
    'a',
    '/',
    '..',
    '%',
    '%00',
    '%2f',
    '%E0%A4%A',
    '?',
    '&',
    '=',
    '#',
    '[',
    ']',
    ';',
    ' ',
    '"',
    '<',
    '{',
    '}',
    '\\',
    'ä',
    '😀',
    '__proto__',
    'callbackUrl=//evil.test',
    'error=',
    'code=a',
    'state=b',
    'csrfToken=',
    'json=true',
    'token=a',
    'email=a@b.test'
  ]
  const junk = texts(7, 3000, pieces, 8)
  const types = [
    'application/x-www-form-urlencoded',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'multipart/form-data; boundary=a',
    '',
    'application/JSON ;'
  ]
  const paths = routes.flatMap(({ action }) => [
    `/${action}`,
    `/${action}/demo`,
    `/${action}/credentials`,
    `/${action}/x`
  ])
  const known = [200, 302, 303, 400, 401, 403, 404, 413, 415]
  for (const [index, text] of junk.entries()) {
    const method = methods[index % methods.length] ?? 'GET'
    const path = `/api/auth${paths[index % paths.length] ?? ''}?${text.replaceAll('#', '')}`
    const headers = {
      'content-type': types[index % types.length] || null,
      cookie: null,
      'x-auth-return-redirect': index % 5 === 0 ? '1' : null
    }
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: junk[(index * 7) % junk.length] ?? '' }
    if (index % 3 === 0) browser.cookies.set(sessionCookie, encodeURIComponent(text), { secure: true })
    const { status, location } = await browser.request(method, path, { headers, ...body })
    if (!known.includes(status)) t.fail(`${status} ${method} ${shown(path)}`)
    if (location !== null && new URL(location).origin !== origin)
      t.fail(`${method} ${shown(path)} leads to ${shown(location)}`)
  }
})
