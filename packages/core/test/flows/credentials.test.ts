import t from 'tap'
import { SignInError } from '../../src/errors/auth-error.ts'
import type { JwtCallbackInput } from '../../src/hooks/hooks.ts'
import credentials from '../../src/providers/credentials.ts'
import { getSession, type Line, origin, parameter, secret, sessionCookie, start } from './start.ts'

const callback = '/api/auth/callback/credentials'
const right = { username: 'grace', password: 'lovelace' }

t.test('a visitor signs in through the form, is known, signs out', async (t) => {
  const { browser } = start()
  const signedIn = await browser.submit(callback, { ...right, callbackUrl: '/me' })
  t.match(signedIn, { status: 302, location: `${origin}/me` })
  t.match(await getSession(browser), {
    user: { name: 'grace', email: 'grace@example.com' },
    expires: '2030-01-31T00:00:00.000Z'
  })
  const out = await browser.submit('/api/auth/signout', { callbackUrl: '/bye' })
  t.match(out, { status: 302, location: `${origin}/bye` })
  t.same(await getSession(browser), {})
  t.equal(browser.cookies.get(sessionCookie), null)
})

t.test('the form of the sign-in page works as it is', async (t) => {
  const { browser } = start()
  const page = await browser.open('/api/auth/signin?callbackUrl=/me')
  t.equal(page.status, 200)
  t.match(await browser.fill(page, callback, right), { status: 302, location: `${origin}/me` })
})

t.test('wrong credentials: a browser returns to the form, a JSON client gets 401', async (t) => {
  const { browser } = start()
  const wrong = { ...right, password: 'wrong' }
  const refused = await browser.submit(callback, wrong)
  t.equal(refused.status, 302)
  t.equal(parameter(refused, 'error'), 'CredentialsSignin')
  t.match(refused.location, /^https:\/\/app\.test\/api\/auth\/signin\?/)
  const response = await browser.submit(callback, { ...wrong, json: 'true' })
  t.equal(response.status, 401)
  t.match(response.json<{ url: string }>().url, /\/api\/auth\/signin\?error=CredentialsSignin/)
  const byHeader = await browser.submit(callback, wrong, { json: true, headers: { 'x-auth-return-redirect': '1' } })
  t.equal(byHeader.status, 401)
  t.same(await getSession(browser), {})
})

t.test('JSON is as good as a form', async (t) => {
  const { browser } = start()
  const { status, json } = await browser.submit(callback, { ...right, json: 'true' }, { json: true })
  t.match([status, json()], [200, { url: origin }])
  t.match(await getSession(browser), { user: { name: 'grace' } })
})

t.test('a script may write the field json as a boolean', async (t) => {
  const { browser } = start()
  const { csrfToken } = (await browser.open('/api/auth/csrf')).json<{ csrfToken: string }>()
  const body = (value: boolean) => JSON.stringify({ ...right, csrfToken, json: value })
  const headers = { 'content-type': 'application/json', accept: 'text/html' }
  t.equal((await browser.post(callback, body(false), headers)).status, 302)
  const response = await browser.post(callback, body(true), headers)
  t.match([response.status, response.json()], [200, { url: origin }])
})

t.test('authorize receives the fields as strings, and the request', async (t) => {
  const seen: unknown[] = []
  const form = credentials({
    credentials: { username: {}, password: {} },
    authorize: (fields, { method, body, query }) => {
      seen.push([fields, method, body['extra'], query['a']])
      return null
    }
  })
  const { browser } = start({ providers: [form] })
  await browser.submit(`${callback}?a=b`, { username: 'ada', extra: 'more' })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const fields = `"username":["a","b"],"password":{"a":1},"isAdmin":true`
  const body = `{"csrfToken":"${csrfToken}",${fields}}`
  await browser.post(callback, body, { 'content-type': 'application/json' })
  t.match(seen, [
    [{ username: 'ada', password: '', extra: 'more' }, 'POST', 'more', 'b'],
    [{ username: '', password: '' }, 'POST', undefined, undefined]
  ])
  t.notMatch(seen, [[], [{ isAdmin: true }]])
})

const people: readonly (readonly [title: string, answer: unknown, then: object])[] = [
  ['a number as id', { id: 7, name: 'Ada' }, { user: { name: 'Ada' } }],
  ['an address in upper case', { id: '1', email: 'Ada@Example.com' }, { user: { email: 'ada@example.com' } }],
  ['only an id', { id: '1' }, { user: {} }],
  ['nobody', null, {}],
  ['nothing', undefined, {}],
  ['false', false, {}],
  ['true', true, {}],
  ['no id', { name: 'Ada' }, {}],
  ['an empty id', { id: '', name: 'Ada' }, {}],
  ['an id that is not a number', { id: Number.NaN }, {}],
  ['an id with half a character', { id: 'ada\ud800' }, {}],
  ['an id with NUL', { id: 'ada\0' }, {}],
  ['a text', 'ada', {}]
]

for (const [title, result, then] of people) {
  t.test(`authorize answers ${title}: ${'user' in then ? 'signed in' : 'refused'}`, async (t) => {
    const form = credentials({ credentials: {}, authorize: async () => result as null })
    const { browser } = start({ providers: [form] })
    const response = await browser.submit(callback, {})
    t.equal(parameter(response, 'error'), 'user' in then ? null : 'CredentialsSignin')
    const session = await getSession(browser)
    if ('user' in then) t.match(session, then)
    else t.same(session, {})
  })
}

const unreachable = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' })
const system = Object.assign(new Error('open /etc/users'), { code: 'ENOENT' })
const thrown: readonly (readonly [title: string, error: unknown, code: string, errors?: 'message' | 'code'])[] = [
  ['a message', new Error('Too young'), 'Too young'],
  ['a message that visitors must not see', new Error('Too young'), 'CredentialsSignin', 'code'],
  ['a code', new SignInError('TooYoung'), 'TooYoung'],
  ['an error of the system', system, 'Callback'],
  ['an outage', unreachable, 'StoreUnavailable'],
  ['a mistake', new TypeError('undefined is not a function'), 'Callback'],
  ['no error at all', 'Too young', 'Callback']
]

for (const [title, error, code, errors = 'message'] of thrown) {
  t.test(`authorize throws ${title}: the visitor sees ${code}`, async (t) => {
    const form = credentials({ credentials: {}, authorize: () => Promise.reject(error) })
    const { browser, log } = start({ providers: [form], errors })
    const response = await browser.submit(callback, { json: 'true' })
    t.equal(response.status, { StoreUnavailable: 503, Callback: 500 }[code] ?? 401)
    t.equal(new URL(response.json<{ url: string }>().url).searchParams.get('error'), code)
    t.same(await getSession(browser), {})
    t.match(log, [{ level: code === 'StoreUnavailable' || code === 'Callback' ? 'error' : 'warn' }])
    t.equal(log.length, 1)
  })
}

t.test('log-1: a password is in no log and in no URL, however short it is', async (t) => {
  const fields = { username: {}, password: { type: 'password' } }
  for (const password of ['x1', 'p4ss!', 'lovelace']) {
    const authorize = () => Promise.reject(new Error(`no entry for (grace, ${password})`))
    const { browser, log } = start({ providers: [credentials({ credentials: fields, authorize })] })
    const refused = await browser.submit(callback, { username: 'grace', password })
    t.equal(parameter(refused, 'error'), 'no entry for (grace, [hidden])')
    t.notMatch(JSON.stringify(log), `grace, ${password}`)
    t.equal(log.length, 1)
  }
})

t.test('in production, the first message in a URL is reported, once and without the message', async (t) => {
  const messages = ['Verification', 'Ada is too young', 'Ada is too young']
  const authorize = () => Promise.reject(new Error(messages.shift()))
  const providers = [credentials({ credentials: {}, authorize })]
  const warnings = (log: readonly Line[]): readonly Line[] => log.filter(({ code }) => code === 'CONFIGURATION')
  const { browser, log } = start({ providers, environment: { NODE_ENV: 'production' } })
  await browser.submit(callback, {})
  t.same(warnings(log), [], 'a known code is not a message')
  for (let count = 0; count < 2; count++)
    t.equal(parameter(await browser.submit(callback, {}), 'error'), 'Ada is too young')
  t.match(warnings(log), [{ level: 'warn', metadata: /providers\.credentials\.authorize.*errors: 'code'/ }])
  t.equal(warnings(log).length, 1)
  t.notMatch(warnings(log), [{ metadata: /Ada/ }])

  messages.push('Too young', 'Too young')
  const development = start({ providers })
  await development.browser.submit(callback, {})
  t.same(warnings(development.log), [])
  const codes = start({ providers, environment: { NODE_ENV: 'production' }, errors: 'code' })
  await codes.browser.submit(callback, {})
  t.same(warnings(codes.log), [])
})

t.test('the session has the fields that authorize returned, and no others, as in next-auth v4', async (t) => {
  const users = [{ id: '1', name: 'Ada' }, { id: '1', name: null, image: '/a.png' }, { id: '1' }]
  const tokens: unknown[] = []
  for (const user of users) {
    const providers = [credentials({ credentials: {}, authorize: () => user })]
    const jwt = ({ token }: JwtCallbackInput) => {
      tokens.push(Object.keys(token).sort())
      return token
    }
    const { browser } = start({ providers, callbacks: { jwt } })
    await browser.submit(callback, {})
    const { id: _, ...fields } = user
    t.same((await getSession(browser)).user, fields)
  }
  t.same(tokens[0], ['name', 'sub'])
})

t.test('a CSRF token of any configured size works', async (t) => {
  for (const csrfTokenBytes of [16, 33, 256]) {
    const { browser } = start({ constants: { csrfTokenBytes } })
    t.match(await browser.submit(callback, right), { status: 302, location: origin }, `${csrfTokenBytes}`)
    t.match(await getSession(browser), { user: { name: 'grace' } })
  }
})

t.test('HEAD of the callback has the status of GET', async (t) => {
  const { browser } = start()
  t.match(await browser.request('HEAD', callback), { status: 400, body: '', setCookies: [] })
  t.match(await browser.request('HEAD', '/api/auth/callback/demo?code=a&state=b'), { status: 200, setCookies: [] })
})

t.test('the signIn callback runs, and refuses with 403', async (t) => {
  const seen: unknown[] = []
  const { browser } = start({
    callbacks: {
      signIn: (question) => {
        seen.push(question)
        return question.user.name !== 'eve'
      }
    }
  })
  const refused = await browser.submit(callback, { ...right, username: 'eve', json: 'true' })
  t.equal(refused.status, 403)
  t.match(refused.json<{ url: string }>().url, /\/api\/auth\/error\?error=AccessDenied/)
  t.same(await getSession(browser), {})
  const page = await browser.open(refused.json<{ url: string }>().url)
  t.equal(page.status, 403)
  await browser.submit(callback, right)
  t.match(await getSession(browser), { user: { name: 'grace' } })
  const account = { provider: 'credentials', type: 'credentials', providerAccountId: 'id-grace' }
  t.match(seen[1], { user: { id: 'id-grace', email: 'grace@example.com' }, account, credentials: right })
})

t.test('the signIn callback sends the visitor elsewhere, and no user is signed in', async (t) => {
  const { browser } = start({ callbacks: { signIn: () => '/pending?a=b' } })
  t.match(await browser.submit(callback, right), { status: 302, location: `${origin}/pending?a=b` })
  t.same(await getSession(browser), {})
})

t.test('cookie-1: every sign-in makes a new token and a new anti-forgery token', async (t) => {
  const { browser } = start()
  const before = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  browser.cookies.set(sessionCookie, 'planted', { secure: true })
  await browser.submit(callback, { ...right, ...before })
  const first = browser.cookies.get(sessionCookie)
  t.not(first, 'planted')
  const after = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  t.not(after.csrfToken, before.csrfToken)
  t.match(
    await browser.submit('/api/auth/signout', before),
    { location: /signout\?csrf=true$/ },
    'the old one works no more'
  )
  await browser.submit(callback, right)
  t.not(browser.cookies.get(sessionCookie), first)
})

const forged: readonly (readonly [title: string, fields: Record<string, string>, headers: Record<string, string>])[] = [
  ['no token', { csrfToken: '' }, {}],
  ['another token', { csrfToken: 'ab'.repeat(32) }, {}],
  ['another site', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
  ['a page of a sibling host', {}, { 'sec-fetch-site': 'same-site', origin: 'https://other.app.test' }]
]

for (const [title, fields, headers] of forged) {
  t.test(`a form from ${title} signs no one in, changes nothing and signs no one out`, async (t) => {
    const { browser } = start()
    const token = fields['csrfToken'] === undefined ? await browser.json<{ csrfToken: string }>('/api/auth/csrf') : {}
    const post = (path: string, more: Record<string, string> = {}) =>
      browser.submit(path, { ...token, ...fields, ...more }, { headers })
    t.match(await post(callback, right), { status: 302, location: `${origin}/api/auth/signin?csrf=true` })
    t.match((await post(callback, { ...right, json: 'true' })).json(), { url: `${origin}/api/auth/signin?csrf=true` })
    t.match(await post('/api/auth/signin/demo'), { status: 302, location: `${origin}/api/auth/signin?csrf=true` })
    t.same(await getSession(browser), {})
    await browser.submit(callback, right)
    const held = browser.cookies.get(sessionCookie)
    const own = fields['csrfToken'] === undefined ? await browser.json<{ csrfToken: string }>('/api/auth/csrf') : {}
    t.match(await browser.submit('/api/auth/signout', { ...fields, ...own }, { headers }), {
      status: 302,
      location: `${origin}/api/auth/signout?csrf=true`
    })
    const updated = await browser.submit('/api/auth/session', { ...fields, ...own, data: 'x' }, { headers })
    t.equal(updated.status, 400)
    t.same(updated.json(), {})
    t.equal(browser.cookies.get(sessionCookie), held)
  })
}

t.test('the token of the session before is not read where nothing comes of it', async (t) => {
  let count = 0
  const { browser } = start({
    constants: { callbackTimeoutMilliseconds: 100 },
    jwt: {
      encode: () => 'encrypted elsewhere',
      decode: () => {
        count++
        return new Promise<null>(() => undefined)
      }
    }
  })
  await browser.submit(callback, right)
  const { location } = await browser.submit(callback, right)
  t.equal(location, origin, 'who cannot be read can sign in again')
  t.equal(count, 0)
})

t.test('the token counts in the body only, and once', async (t) => {
  const { browser } = start()
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const form = new URLSearchParams(right)
  for (const [path, body] of [
    [`${callback}?csrfToken=${csrfToken}`, `${form}`],
    [callback, `${form}&csrfToken=${csrfToken}&csrfToken=${csrfToken}`],
    [callback, `${form}&csrfToken[]=${csrfToken}`]
  ] as const) {
    t.match(await browser.post(path, body), { status: 302, location: `${origin}/api/auth/signin?csrf=true` })
  }
  t.match(await browser.post(callback, `${form}&csrfToken=${csrfToken}`), { status: 302, location: origin })
})

t.test('a body of another type, or too long, is refused before anything else', async (t) => {
  const { browser } = start()
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const body = `${new URLSearchParams({ ...right, csrfToken })}`
  t.equal((await browser.post(callback, body, { 'content-type': 'text/plain' })).status, 415)
  t.equal((await browser.post(callback, '{', { 'content-type': 'application/json' })).status, 400)
  t.equal((await browser.post(callback, `${body}&a=${'a'.repeat(100_000)}`)).status, 413)
  t.same(await getSession(browser), {})
})

t.test('the callback of a form is not a page, and cannot be started', async (t) => {
  const { browser } = start()
  const opened = await browser.open(callback)
  t.equal(opened.status, 400)
  t.equal(opened.body, 'Error: Callback for provider type credentials not supported')
  t.match(await browser.submit('/api/auth/signin/credentials', {}), {
    status: 302,
    location: `${origin}/api/auth/signin`
  })
})

t.test('a listener is called; one that throws has no effect', async (t) => {
  const reported: unknown[] = []
  const { browser, log } = start({
    events: {
      signIn: (payload) => void reported.push(payload),
      signOut: () => Promise.reject(new Error('mistake'))
    }
  })
  await browser.submit(callback, right)
  t.match(reported, [{ user: { id: 'id-grace' }, account: { provider: 'credentials', userId: 'id-grace' } }])
  t.match(await browser.submit('/api/auth/signout', {}), { status: 302, location: origin })
  t.same(await getSession(browser), {})
  t.match(log, [{ level: 'error', code: 'SIGN_OUT_EVENT_ERROR' }])
})

t.test('neither password nor secret is in the log', async (t) => {
  const { browser, log } = start()
  await browser.submit(callback, { username: 'ada', password: 'canary-password' })
  t.ok(log.length > 0)
  t.notMatch(JSON.stringify(log), /canary|tests, 32/)
  t.notMatch(JSON.stringify(log), new RegExp(secret))
})
