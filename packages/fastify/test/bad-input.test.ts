import { createPostern } from '@postern/core'
import { type BrowserResponse, cpuTime, type HeaderChanges, type Method } from '@postern/testkit'
import { isLong, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  cookieNames,
  lastMethodCookie,
  origin,
  people,
  type Started,
  secret,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from './start.ts'

const turns = turnsOf(['jwt', 'database'] as const, t)

const base = '/api/auth'
const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** The framework reads no body of the others; one test sends it anyway. */
const methodsWithBody = methods.filter((method) => method !== 'GET' && method !== 'HEAD')
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

/** Every path of the action table, with each provider in the place of `:provider`; and some that no row fits. */
function everyPath(): readonly string[] {
  const { routes } = createPostern({ url: origin, secret, providers: [people] })
  const named = ['demo', 'email', 'credentials', 'nobody', '__proto__']
  const paths = routes.flatMap(({ path }) => {
    if (path.includes(':provider')) return named.map((id) => path.replace(':provider', id))
    return [path.replace(':hash', '0123456789abcdef')]
  })
  return [...new Set(paths), '', '/', '/unknown', '/signin/', '/toString', '/__proto__']
}

const paths = everyPath()

/** The statuses that responses to bad input may have; the two 500 are named where they are expected. */
const documented = new Set([200, 302, 303, 400, 401, 403, 404, 413, 415])

function isDocumented500(method: Method, path: string, { body }: BrowserResponse): boolean {
  const isCallback = (method === 'GET' || method === 'HEAD') && path.startsWith('/callback/credentials')
  if (isCallback)
    return body === (method === 'HEAD' ? '' : 'Error: Callback for provider type credentials not supported')
  return method === 'GET' && path.startsWith('/error') && body.includes('Server error')
}

interface Bad {
  readonly name: string
  readonly query?: string
  readonly headers?: HeaderChanges
  readonly body?: string
}

/**
 * Of the routes and methods, one in eleven is sent a bad request, in turn: every one has some; in the long run, all of them.
 * A multiple of the number of methods would select the same method each time.
 */
const share = isLong ? 1 : 11
let turn = 0

/** Sends one bad request to the routes by every method, and holds each answer to the same rules. */
async function sweep(t: Test, { browser }: Started, { name, query = '', headers = {}, body }: Bad): Promise<void> {
  const wrong: string[] = []
  for (const path of paths) {
    for (const method of body === undefined ? methods : methodsWithBody) {
      if (turn++ % share !== 0) continue
      const signIn = cpuTime()
      const sent = body === undefined ? { headers } : { headers, body }
      const response = await browser.request(method, base + path + query, sent)
      const message = `${name}: ${method} ${path} → ${response.status}`
      if (cpuTime() - signIn > 1000) wrong.push(`${message}: late`)
      if (!documented.has(response.status) && !isDocumented500(method, path, response)) wrong.push(message)
      if (response.location !== null && !isOurs(response.location)) wrong.push(`${message}: ${response.location}`)
      if (/ at .*\.js:\d+|node_modules|TypeError/.test(response.body)) wrong.push(`${message}: a stack in the response`)
      if (response.setCookies.some((cookie) => cookie.name === cookieNames.sessionToken && cookie.value !== ''))
        wrong.push(`${message}: a session`)
    }
  }
  t.same(wrong, [], name)
}

function isOurs(location: string): boolean {
  return [origin, 'https://issuer.test'].includes(new URL(location, origin).origin)
}

const many = (count: number, pair: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => pair(index)).join('&')

const queries: readonly Bad[] = [
  { name: 'no percent-encoding', query: '?callbackUrl=%&error=%zz&token=%E0%A4%A&email=%&code=%&state=%' },
  {
    name: 'every name twice',
    query:
      '?callbackUrl=/a&callbackUrl=/b&error=a&error=b&token=a&token=b&email=a&email=b&state=a&state=b&code=a&code=b'
  },
  { name: 'objects and lists', query: '?callbackUrl[]=a&error[x]=y&token[$ne]=&email[0]=a&provider[]=email&ref[]=x' },
  {
    name: 'names of Object.prototype',
    query: '?__proto__=x&constructor=y&hasOwnProperty=z&toString=1&__proto__[polluted]=1'
  },
  {
    name: 'NUL and control characters',
    query: '?callbackUrl=%00&error=%00%0d%0aSet-Cookie:x&email=a%00@b.test&token=%0a&ref=%0d%0a'
  },
  { name: 'lone surrogates', query: '?callbackUrl=%ED%A0%80&error=%ED%A0%80&email=%ED%A0%80' },
  { name: 'a callbackUrl of 100 kB', query: `?callbackUrl=/${'x'.repeat(100_000)}` },
  { name: 'an error of 100 kB', query: `?error=${'x'.repeat(100_000)}&reason=${'y'.repeat(1000)}` },
  { name: '1001 fields', query: `?${many(1001, (index) => `f${index}=1`)}` },
  { name: '5000 times one field', query: `?${many(5000, () => 'a=1')}` },
  {
    name: 'markup',
    query: '?error=%3Cscript%3Ealert(1)%3C/script%3E&callbackUrl=%22%3E%3Cscript%3E&ref=%3Cb%3E&provider=%3Ci%3E'
  },
  { name: 'hostile addresses', query: '?callbackUrl=javascript:alert(1)&url=//evil.test&redirect_uri=//evil.test' },
  { name: 'nothing but marks', query: '???&&&===&=&;;' },
  { name: 'an identity of another user (A25)', query: '?userId=1&id=1&sub=1&role=admin&emailVerified=true' }
]

const bodies: readonly Bad[] = [
  {
    name: 'a form without percent-encoding',
    headers: { 'content-type': form },
    body: 'csrfToken=%&email=%zz&callbackUrl=%'
  },
  { name: 'a form of 1001 fields', headers: { 'content-type': form }, body: many(1001, (index) => `f${index}=1`) },
  {
    name: 'a form of names of Object.prototype',
    headers: { 'content-type': form },
    body: '__proto__=x&constructor=y&__proto__[a]=1&toString=1'
  },
  { name: 'a form of NUL', headers: { 'content-type': form }, body: 'email=a%00b&username=%00&csrfToken=%00' },
  {
    name: 'a form of lists',
    headers: { 'content-type': form },
    body: 'email=a&email=b&username[]=x&csrfToken=a&csrfToken=b&json=true&json=true'
  },
  { name: 'no JSON', headers: { 'content-type': json }, body: '{"csrfToken":' },
  { name: 'JSON that is not an object', headers: { 'content-type': json }, body: '[1,2,3]' },
  { name: 'JSON null', headers: { 'content-type': json }, body: 'null' },
  { name: 'a JSON text', headers: { 'content-type': json }, body: '"text"' },
  {
    name: 'JSON of __proto__',
    headers: { 'content-type': json },
    body: '{"__proto__":{"csrfToken":"x","json":"true"},"constructor":{"prototype":{"json":"true"}}}'
  },
  {
    name: 'JSON of other types',
    headers: { 'content-type': json },
    body: '{"csrfToken":{},"email":["a"],"username":7,"json":true,"callbackUrl":{"toString":"x"},"code":1,"token":null}'
  },
  {
    name: 'JSON of lone surrogates',
    headers: { 'content-type': json },
    body: '{"csrfToken":"\\ud800","email":"\\ud800@b.test","callbackUrl":"/\\udfff","username":"\\ud800"}'
  },
  {
    name: 'JSON a thousand deep',
    headers: { 'content-type': json },
    body: `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  },
  {
    name: 'JSON of 1001 fields',
    headers: { 'content-type': json },
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 1])))
  },
  { name: 'an empty form', headers: { 'content-type': form }, body: '' },
  { name: 'an empty JSON', headers: { 'content-type': json }, body: '' },
  { name: 'a byte order mark', headers: { 'content-type': json }, body: '\ufeff{"csrfToken":"x"}' }
]

/** Each fix of the framework missed another of these (A59–A61). */
const types = [
  'text/plain',
  'text/html',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  `${json} `,
  ` ${json}`,
  `${json} ;`,
  `${json}; charset=utf-8`,
  `${json}\t`,
  `${json}garbage`,
  `${json} garbage`,
  `${json}, text/plain`,
  'APPLICATION/JSON',
  'application/json5',
  'application/problem+json',
  `${form}; x`,
  `${form};charset=utf-16`,
  `${form}\tx`,
  'application',
  '/',
  ';',
  '',
  'application/x-www-form-urlencoded, application/json',
  'x'.repeat(5000),
  '__proto__/constructor'
]

const cookies = [
  '=',
  ';;;',
  'a',
  '=;=;=',
  `${cookieNames.sessionToken}`,
  `${cookieNames.sessionToken}=%`,
  `${cookieNames.sessionToken}=%E0%A4%A`,
  `${cookieNames.sessionToken}=${'x'.repeat(20_000)}`,
  `${cookieNames.sessionToken}=a.b.c.d.e; ${cookieNames.sessionToken}=x`,
  Array.from({ length: 200 }, (_, index) => `${cookieNames.sessionToken}.${index}=x`).join('; '),
  `${cookieNames.sessionToken}.0=x; ${cookieNames.sessionToken}.2=y; ${cookieNames.sessionToken}.-1=z; ${cookieNames.sessionToken}.99999999999999999999=z`,
  `${cookieNames.csrfToken}=|; ${cookieNames.csrfToken}=${'0'.repeat(64)}|${'0'.repeat(64)}`,
  `${cookieNames.callbackUrl}=%00; ${cookieNames.callbackUrl}=http://[`,
  `${cookieNames.callbackUrl}=https%3A%2F%2Fevil.test`,
  `${cookieNames.state}=x; ${cookieNames.pkceCodeVerifier}=y; ${cookieNames.nonce}=z; ${cookieNames.emailRequest}=w`,
  `${cookieNames.state}=eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJwMmMiOjEwMDAwMDAwfQ.x.x.x.x`,
  `${cookieNames.sessionToken}=eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1ciLCJwMmMiOjEwMDAwMDAwfQ.x.x.x.x`,
  '__proto__=x; constructor=y; toString=z; hasOwnProperty=1',
  '"quoted"="value"; a="b;c"',
  `\u00e4=\u00f6; ${cookieNames.sessionToken}=\u00fc`
]

for (const [name, cases] of Object.entries({ queries, bodies }))
  t.test(name, async (t) => {
    const started = await start(t, { rateLimit: false })
    for (const bad of cases) await sweep(t, started, bad)
  })

t.test('a body where none belongs', async (t) => {
  const { browser } = await start(t)
  for (const path of paths.filter(() => turn++ % 2 === 0)) {
    for (const method of ['GET', 'HEAD'] as const) {
      const bare = await browser.request(method, base + path)
      const options = { headers: { 'content-type': json }, body: '{"csrfToken":' }
      const response = await browser.request(method, base + path, options)
      t.equal(response.status, bare.status, `${method} ${path}`)
    }
  }
})

t.test('content types', async (t) => {
  const started = await start(t, { rateLimit: false })
  for (const type of types) {
    await sweep(t, started, {
      name: JSON.stringify(type.slice(0, 40)),
      headers: { 'content-type': type },
      body: '{"email":{"a":1}}'
    })
  }
})

for (const { value: strategy, test } of turns()) {
  test(`${strategy}: cookies`, async (t) => {
    const started = await start(t, { rateLimit: false, session: { strategy } })
    for (const cookie of cookies) {
      await sweep(t, started, { name: JSON.stringify(cookie.slice(0, 60)), headers: { cookie } })
      const response = await started.browser.request('GET', '/me', { headers: { cookie } })
      t.equal(response.status, 401)
    }
  })
}

t.test('headers', async (t) => {
  const started = await start(t, { rateLimit: false })
  const headers = [
    { origin: 'null' },
    { origin: 'x'.repeat(5000) },
    { 'sec-fetch-site': '__proto__' },
    { 'x-auth-return-redirect': '' },
    { authorization: 'Bearer %' },
    { authorization: `Bearer ${'x'.repeat(60_000)}` },
    { accept: '\u00ff' },
    { 'content-length': '0' },
    { 'accept-encoding': 'x', 'accept-language': ';;;', referer: '%' },
    { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'javascript', forwarded: 'host=evil.test' }
  ]
  for (const one of headers) await sweep(t, started, { name: JSON.stringify(one).slice(0, 60), headers: one })
})

t.test('bodies beyond 100 kB are 413, whatever they hold; up to it they are read', async (t) => {
  const started = await start(t, { rateLimit: false })
  const { browser } = started
  for (const type of [form, json]) {
    const wrap = (size: number) => {
      const emptyBody = type === form ? 'a=' : '{"a":""}'
      const text = 'x'.repeat(size - emptyBody.length)
      return type === form ? `a=${text}` : `{"a":"${text}"}`
    }
    for (const path of paths) {
      const response = await browser.post(base + path, wrap(100_001), { 'content-type': type })
      t.equal(response.status, 413, `${type} ${path}`)
      t.equal(response.headers['cache-control'], 'private, no-cache, no-store')
      t.match(response.headers['content-type'], /^text\/plain/)
    }
    const max = await browser.post('/api/auth/signout', wrap(100_000), { 'content-type': type })
    t.equal(max.location, `${origin}/api/auth/signout?csrf=true`)
  }
})

t.test('more fields than any form of Postern are 413; a thousand are read', async (t) => {
  const { browser } = await start(t)
  const fields = (count: number): [string, string][] => Array.from({ length: count }, (_, index) => [`f${index}`, '1'])
  const sent = async (count: number) => [
    (await browser.post('/api/auth/signout', `${new URLSearchParams(fields(count))}`)).status,
    (
      await browser.post('/api/auth/signout', JSON.stringify(Object.fromEntries(fields(count))), {
        'content-type': json
      })
    ).status,
    (await browser.open(`/api/auth/signin?${new URLSearchParams(fields(count))}`)).status
  ]
  t.same(await sent(1000), [302, 302, 200])
  t.same(await sent(1001), [413, 413, 413])
})

t.test('what is not a body of Postern is reported', async (t) => {
  const { browser } = await start(t)
  const cases = [
    ['text/plain', 'x', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    [json, '{', 400],
    [json, '[]', 400],
    [json, 'null', 400]
  ] as const
  for (const [type, body, status] of cases) {
    const response = await browser.post('/api/auth/callback/credentials', body, { 'content-type': type })
    t.equal(response.status, status, type)
    t.match(response.body, /^Error: /)
    t.equal(response.headers['cache-control'], 'private, no-cache, no-store')
  }
})

t.test('addresses with percent-encoding that is none are 400', async (t) => {
  const { app } = await start(t)
  for (const path of ['/%', '/%zz', '/signin/%E0%A4%A', '/callback/%', '/assets/%c0%ae']) {
    for (const method of methods) {
      const response = await app.inject({ method, url: base + path, headers: { host: 'app.test' } })
      t.ok([400, 404].includes(response.statusCode), `${method} ${path}: ${response.statusCode}`)
    }
  }
})

t.test('long, encoded and dotted paths are 400 or 404', async (t) => {
  const { app } = await start(t)
  const names = [
    'x'.repeat(101),
    'x'.repeat(60_000),
    '%2e%2e%2f%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'demo%00',
    'demo%2f',
    'demo;x',
    'Demo',
    'demo%20',
    '%64emo/x',
    '..',
    '.'
  ]
  for (const name of names) {
    for (const path of [`/signin/${name}`, `/callback/${name}`, `/assets/${name}`, `/${name}`]) {
      const response = await app.inject({ url: base + path, headers: { host: 'app.test' } })
      t.ok(
        [400, 404].includes(response.statusCode) || name === '..' || name === '.',
        `${path.slice(0, 40)}: ${response.statusCode}`
      )
      t.not(response.statusCode, 500)
    }
  }
  const encoded = await app.inject({ url: `${base}/signin/%64emo`, headers: { host: 'app.test' } })
  t.equal(encoded.statusCode, 200, 'the router decodes, and so do we')
})

t.test('after all of it the next visitor is answered', async (t) => {
  const started = await start(t, { rateLimit: false })
  for (const bad of [...queries, ...bodies].slice(0, 6)) await sweep(t, started, bad)
  t.equal((await signInByForm(started.newBrowser())).location, origin)
  t.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

t.test('every cookie has the attributes of its row, wherever it is set (R03)', async (t) => {
  const lasting = { httpOnly: true, secure: true, sameSite: 'Lax', domain: null, path: '/' }
  const table: Readonly<Record<string, object>> = {
    [cookieNames.sessionToken]: { ...lasting, maxAge: 30 * 24 * 60 * 60 },
    [cookieNames.csrfToken]: { ...lasting, maxAge: null, expires: null },
    [cookieNames.callbackUrl]: { ...lasting, maxAge: null, expires: null },
    [cookieNames.state]: { ...lasting, maxAge: 900 },
    [cookieNames.pkceCodeVerifier]: { ...lasting, maxAge: 900 },
    [cookieNames.nonce]: { ...lasting, maxAge: 900 },
    [cookieNames.emailRequest]: { ...lasting, path: '/api/auth', maxAge: 86_400 },
    '__Secure-postern.flash': { ...lasting, path: '/api/auth', maxAge: 60 },
    '__Secure-postern.step-up': { ...lasting, path: '/', maxAge: 600 },
    [cookieNames.device]: { ...lasting, path: '/api/auth', maxAge: 180 * 24 * 60 * 60 },
    [lastMethodCookie]: { ...lasting, path: '/api/auth', maxAge: 365 * 24 * 60 * 60 }
  }
  for (const strategy of ['jwt', 'database'] as const) {
    const started = await start(t, { session: { strategy } })
    const { browser, clock, app } = started
    const responses: BrowserResponse[] = []
    const note = async (response: Promise<BrowserResponse>) => responses.push(await response)
    app.addHook('onSend', async (_request, reply, payload) => {
      for (const text of [reply.getHeader('set-cookie') ?? []].flat()) seen.push(String(text))
      return payload
    })
    const seen: string[] = []
    await note(browser.open('/api/auth/signin?callbackUrl=/me'))
    await note(signInAtIssuer(started, browser))
    await note(browser.submit('/api/auth/signout', {}))
    await note(signInByMail(started, browser))
    await note(signInByForm(browser))
    clock.advance(2 * 24 * 60 * 60)
    await note(browser.open('/'))
    await note(browser.submit('/api/auth/session', { data: 'x' }, { json: true }))
    for (const path of paths) await note(browser.open(base + path))

    const set = responses.flatMap(({ setCookies }) => setCookies)
    for (const cookie of set) {
      const row = table[cookie.name]
      t.ok(row, cookie.name)
      const isCleared = cookie.value === ''
      const { maxAge: _, expires: __, ...attributes } = { maxAge: 0, expires: null, ...row }
      t.match(
        cookie,
        isCleared ? { ...attributes, maxAge: 0 } : { ...row },
        `${cookie.name} ${isCleared ? 'cleared' : 'set'}`
      )
    }
    t.ok(seen.length > 0)
    const rows = new Set([...seen.map((text) => text.split('=', 1)[0]), ...set.map(({ name }) => name)])
    t.same([...rows].toSorted(), Object.keys(table).toSorted(), 'every row was seen, and no other')
  }
})

const hostileHosts: readonly HeaderChanges[] = [
  { host: 'evil.test' },
  { host: 'app.test.evil.test' },
  { host: 'app.test@evil.test' },
  { host: 'evil.test@app.test' },
  { host: 'app.test?evil.test' },
  { host: 'app.test:evil' },
  { host: 'app.test/' },
  { host: '' },
  { host: '[' },
  { host: 'APP.TEST.' },
  { host: 'app.test, evil.test' },
  { host: 'evil.test', origin: 'https://evil.test' }
]

t.test('trustHost lists the hosts; any other is 400, and links use the entry, never the header', async (t) => {
  const options = { url: undefined, trustHost: ['app.test', 'www.app.test:8443'], server: { trustProxy: true } }
  const { app, mailbox } = await start(t, options)
  const ask = (headers: HeaderChanges, url: string = '/api/auth/providers') =>
    app.inject({ url, headers: { 'x-forwarded-proto': 'https', ...headers } as Record<string, string> })
  for (const headers of hostileHosts) {
    for (const url of paths.filter(() => turn++ % share === 0)) {
      const response = await ask(headers, base + url)
      t.equal(response.statusCode, 400, `${JSON.stringify(headers)} ${url}`)
      t.notMatch(response.body, /evil/)
      t.notOk(response.headers['set-cookie'])
    }
  }
  t.equal((await ask({ host: 'app.test', 'x-forwarded-host': 'evil.test' })).statusCode, 400)
  for (const [host, location] of [
    ['app.test', origin],
    ['APP.test', origin],
    ['app.test:443', origin],
    ['www.app.test:8443', 'https://www.app.test:8443']
  ] as const) {
    const response = await ask({ host })
    t.match(response.json(), { demo: { callbackUrl: `${location}/api/auth/callback/demo` } }, host)
  }
  const page = await ask({ host: 'APP.TEST' }, '/api/auth/csrf')
  const cookie = String(page.headers['set-cookie']).split(';')[0] ?? ''
  const payload = JSON.stringify({ ...page.json<object>(), email: 'ada@example.com' })
  const headers = { host: 'APP.TEST', 'x-forwarded-proto': 'https', cookie, 'content-type': json }
  await app.inject({ method: 'POST', url: '/api/auth/signin/email', headers, payload })
  t.ok(mailbox.last().url.startsWith(`${origin}/`))
})
