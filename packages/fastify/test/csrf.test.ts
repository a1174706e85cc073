import type { JwtCallbackInput } from '@postern/core'
import t from 'tap'
import { cookieNames, getSession, origin, signInAtIssuer, signInByForm, start } from './start.ts'

const evil = 'https://evil.test'
const listed = 'https://www.app.test'

type Verdict = 'passes' | 'refused'

/** The origin headers of a request, and whether a correct token is accepted with them. */
const origins: readonly (readonly [site: string | null, origin: string | null, verdict: Verdict])[] = [
  ['same-origin', origin, 'passes'],
  ['same-origin', null, 'passes'],
  ['same-origin', 'null', 'passes'],
  ['none', null, 'passes'],
  ['same-site', 'https://other.app.test', 'refused'],
  ['same-site', null, 'refused'],
  ['cross-site', evil, 'refused'],
  ['cross-site', null, 'refused'],
  ['cross-site', 'null', 'refused'],
  ['cross-site', origin, 'refused'],
  ['same-origin, cross-site', origin, 'refused'],
  ['SAME-ORIGIN', origin, 'refused'],
  ['', origin, 'refused'],
  [null, origin, 'passes'],
  [null, evil, 'refused'],
  [null, 'null', 'refused'],
  [null, `${origin}.evil.test`, 'refused'],
  [null, 'http://app.test', 'refused'],
  [null, `${origin}:8443`, 'refused'],
  [null, '', 'refused'],
  [null, null, 'passes']
]

const refusals = [
  ['/signin/demo', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/email', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/credentials', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signin/nobody', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/callback/credentials', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/callback/email', /^https:\/\/app\.test\/api\/auth\/signin\?csrf=true$/],
  ['/signout', /^https:\/\/app\.test\/api\/auth\/signout\?csrf=true$/]
] as const

for (const [site, from, verdict] of origins) {
  t.test(`Sec-Fetch-Site ${site}, Origin ${from}: a right token ${verdict}`, async (t) => {
    const { browser } = await start(t)
    const headers = { 'sec-fetch-site': site, origin: from }
    const fields = { username: 'grace', password: 'lovelace' }
    const response = await browser.submit('/api/auth/callback/credentials', fields, { headers })
    t.equal(response.location, verdict === 'passes' ? origin : `${origin}/api/auth/signin?csrf=true`)
    t.equal((await getSession(browser)).user !== undefined, verdict === 'passes')
  })

  t.test(`Sec-Fetch-Site ${site}, Origin ${from}: a wrong token is refused`, async (t) => {
    const { browser, store } = await start(t)
    await browser.open('/api/auth/csrf')
    for (const csrfToken of ['0'.repeat(64), '']) {
      const fields = { username: 'grace', password: 'lovelace', csrfToken }
      const headers = { 'sec-fetch-site': site, origin: from }
      const response = await browser.submit('/api/auth/callback/credentials', fields, { headers })
      t.equal(response.location, `${origin}/api/auth/signin?csrf=true`)
    }
    t.equal(store.count(), 0)
  })
}

t.test('allowed origins may post if the browser only sends Origin', async (t) => {
  const { browser } = await start(t, { allowedOrigins: [listed] })
  const fields = { username: 'grace', password: 'lovelace' }
  const post = (headers: Readonly<Record<string, string | null>>) =>
    browser.submit('/api/auth/callback/credentials', fields, { headers })
  t.equal((await post({ 'sec-fetch-site': null, origin: listed })).location, origin)
  t.match((await post({ 'sec-fetch-site': null, origin: evil })).location, /csrf=true/)
  t.match((await post({ 'sec-fetch-site': 'cross-site', origin: evil })).location, /csrf=true/)
})

t.test('csrf-1: every form that changes something needs the token of the browser’s own cookie', async (t) => {
  for (const [path, location] of refusals) {
    const { browser, newBrowser, issuer, mailbox, store } = await start(t)
    const other = await newBrowser().json<{ csrfToken: string }>('/api/auth/csrf')
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const fields = { email: 'ada@example.com', username: 'grace', password: 'lovelace' }
    const wrong = [
      other.csrfToken,
      csrfToken.slice(1),
      `${csrfToken}0`,
      csrfToken.toUpperCase().replace(/\d/g, 'A'),
      ''
    ]
    for (const token of wrong) {
      const response = await browser.submit(`/api/auth${path}`, { ...fields, csrfToken: token })
      t.match(
        { status: response.status, location: response.location },
        { status: 302, location },
        `${path} ${token.length}`
      )
    }
    const without = await browser.post(`/api/auth${path}`, `${new URLSearchParams(fields)}`)
    t.match(without.location, location)
    const inQuery = await browser.post(`/api/auth${path}?csrfToken=${csrfToken}`, `${new URLSearchParams(fields)}`)
    t.match(inQuery.location, location, 'a token in the query does not count')
    const twice = await browser.post(
      `/api/auth${path}`,
      `csrfToken=${csrfToken}&csrfToken=${csrfToken}&email=ada@example.com`
    )
    t.match(twice.location, location, 'nor one that comes twice')
    const listed = await browser.post(`/api/auth${path}`, JSON.stringify({ ...fields, csrfToken: [csrfToken] }), {
      'content-type': 'application/json'
    })
    t.match(listed.location, location, 'nor a list')
    browser.cookies.clear()
    const bare = await browser.submit(`/api/auth${path}`, { ...fields, csrfToken })
    t.match(bare.location, location, 'nor one without its cookie')
    t.same(
      { mails: mailbox.mails.length, requests: issuer.requests.length, calls: store.count() },
      { mails: 0, requests: 0, calls: 0 }
    )
  }
})

t.test('a pair of token and hash that we did not make is not a token', async (t) => {
  const { browser } = await start(t)
  const token = 'a'.repeat(64)
  for (const value of [
    `${token}|${token}`,
    `${token}|`,
    `|${token}`,
    token,
    `${token}|${token}|${token}`,
    '|',
    '%',
    '__proto__'
  ]) {
    browser.cookies.clear()
    browser.cookies.set(cookieNames.csrfToken, value, { secure: true })
    const response = await browser.submit('/api/auth/signout', { csrfToken: token })
    t.equal(response.location, `${origin}/api/auth/signout?csrf=true`, value.slice(0, 10))
  }
})

t.test('the cookie is the one that next-auth v4 makes, and v4’s own counts', async (t) => {
  const { browser } = await start(t, { secret: 'a secret of the tests, 32 characters or more' })
  const { createHash } = await import('node:crypto')
  const token = '0123456789abcdef'.repeat(4)
  const hash = createHash('sha256').update(`${token}a secret of the tests, 32 characters or more`).digest('hex')
  browser.cookies.set(cookieNames.csrfToken, `${token}%7C${hash}`, { secure: true })
  t.same(await browser.json('/api/auth/csrf'), { csrfToken: token })
  t.equal((await browser.submit('/api/auth/signout', { csrfToken: token })).location, origin)
})

t.test('a token outlives the change of a secret, as long as the old one is read', async (t) => {
  const old = 'the secret of last year, 32 characters or more'
  const before = await start(t, { secret: old })
  const { csrfToken } = await before.browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const cookie = before.browser.cookies.get(cookieNames.csrfToken) ?? ''
  for (const [secrets, location] of [
    [['a new secret, which has 32 characters or more', old], origin],
    [['a new secret, which has 32 characters or more'], `${origin}/api/auth/signout?csrf=true`]
  ] as const) {
    const { browser } = await start(t, { secret: secrets })
    browser.cookies.set(cookieNames.csrfToken, cookie, { secure: true })
    t.equal((await browser.submit('/api/auth/signout', { csrfToken })).location, location)
  }
})

t.test('a token that was known before a user signed in or out does not work after it (A52)', async (t) => {
  const { browser } = await start(t)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace', csrfToken })
  const stale = await browser.submit('/api/auth/signout', { csrfToken })
  t.equal(stale.location, `${origin}/api/auth/signout?csrf=true`)
  const fresh = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  t.equal((await browser.submit('/api/auth/signout', fresh)).location, origin)
  t.match((await browser.submit('/api/auth/signout', fresh)).location, /csrf=true/)
})

t.test('a client that follows redirects itself gets the URL', async (t) => {
  const { browser } = await start(t)
  const signIn = await browser.submit('/api/auth/signin/demo', { csrfToken: 'wrong', json: 'true' })
  t.match(
    { status: signIn.status, body: signIn.json() },
    { status: 200, body: { url: `${origin}/api/auth/signin?csrf=true` } }
  )
  const headers = { 'x-auth-return-redirect': '1' }
  const signOut = await browser.submit('/api/auth/signout', { csrfToken: 'wrong' }, { headers })
  t.match(signOut.json(), { url: `${origin}/api/auth/signout?csrf=true` })
})

t.test('POST /session without the token is 400 and changes nothing', async (t) => {
  const seen: unknown[] = []
  const callbacks = {
    jwt: ({ token, trigger }: JwtCallbackInput) => {
      if (trigger === 'update') seen.push(trigger)
      return token
    }
  }
  const { browser } = await start(t, { session: { strategy: 'jwt' }, callbacks })
  await signInByForm(browser)
  for (const csrfToken of ['', '0'.repeat(64)]) {
    const response = await browser.submit('/api/auth/session', { csrfToken, data: 'x' }, { json: true })
    t.same({ status: response.status, body: response.json() }, { status: 400, body: {} })
  }
  t.same(seen, [])
})

t.test('what is checked by something else needs no token: an OAuth callback, the map of providers', async (t) => {
  const started = await start(t)
  const { browser, issuer } = started
  const response = await browser.submit('/api/auth/signin/demo', {})
  const callback = new URL(await issuer.authorize(response.location ?? ''))
  const posted = await browser.post('/api/auth/callback/demo', `${callback.searchParams}`, { origin: issuer.issuer })
  t.equal(posted.location, origin)
  t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
  t.equal((await browser.post('/api/auth/providers', '', { origin: evil, 'sec-fetch-site': 'cross-site' })).status, 200)
})

t.test('a form_post from another site brings no cookies, and is requested again by GET', async (t) => {
  const { browser, issuer } = await start(t)
  const response = await browser.submit('/api/auth/signin/demo', { callbackUrl: '/me' })
  const callback = new URL(await issuer.authorize(response.location ?? ''))
  const headers = { origin: issuer.issuer, 'sec-fetch-site': 'cross-site' }
  const posted = await browser.post('/api/auth/callback/demo', `${callback.searchParams}`, headers)
  t.equal(posted.status, 303)
  t.equal(new URL(posted.location ?? '').pathname, '/api/auth/callback/demo')
  const done = await browser.follow(posted)
  t.equal(done.location, `${origin}/me`)
  t.notOk(
    browser.cookies.all().some(({ sameSite }) => sameSite !== 'Lax'),
    'no cookie is SameSite=None'
  )
})

t.test('csrf-1: a foreign callback signs no one in: its attempt belongs to another browser (A09, A53)', async (t) => {
  const started = await start(t)
  const attacker = started.newBrowser()
  const response = await attacker.submit('/api/auth/signin/demo', {})
  const callback = await started.issuer.authorize(response.location ?? '', {
    sub: 'mallory',
    email: 'mallory@example.com'
  })
  const requests = started.issuer.requests.length
  const page = await started.browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.match({ status: page.status, body: page.body }, { status: 400, body: /<title>Start again<\/title>/ })
  t.equal(started.issuer.requests.length, requests, 'the code is not exchanged')
  t.same(await getSession(started.browser), {})
  await signInAtIssuer(started, started.browser)
  const later = await started.browser.open(callback, { headers: { 'sec-fetch-site': 'cross-site' } })
  t.equal(later.status, 400, 'nor in a separate browser that has attempts')
  t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
})

t.test('the log says why a form was refused', async (t) => {
  const { browser, newBrowser, log } = await start(t)
  const getMessages = (): readonly unknown[] =>
    log
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ code }) => code === 'CSRF_TOKEN_INVALID')
      .map(({ auth }) => auth.message)
  const fields = { username: 'grace', password: 'lovelace' }
  const path = '/api/auth/callback/credentials'
  await signInByForm(newBrowser())
  t.same(getMessages(), [])
  await newBrowser().post(path, 'csrfToken=0', { origin })
  t.match(getMessages(), [/has no CSRF cookie; do browsers open the application at https:\/\/app\.test/])
  await browser.open('/api/auth/csrf')
  await browser.submit(path, { ...fields, csrfToken: '0'.repeat(64) })
  t.match(getMessages(), [/is not that of the cookie/])
  await browser.submit(path, fields, {
    headers: { 'sec-fetch-site': 'cross-site', origin: `${evil}/${'x'.repeat(300)}` }
  })
  const [message, ...others] = getMessages()
  await browser.submit(path, fields, { headers: { 'sec-fetch-site': null, origin: 'null' } })
  t.match(getMessages(), [/^the form was sent with Origin: null.*Referrer-Policy: no-referrer.*strict-origin/])
  t.match(message, /^the form was sent from https:\/\/evil\.test\/x+, and the application is at https:\/\/app\.test;/)
  t.ok(String(message).length < 400, 'a client does not choose how long it is')
  t.same(others, [])
})

t.test(
  'a page at another address than url is named once: providers return to url, and passkeys are refused',
  async (t) => {
    const { browser, log } = await start(t)
    const warnings = () => log.filter((line) => line.includes('URL_MISMATCH'))
    const vite = 'http://localhost:5173'
    const post = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      const body = new URLSearchParams({ csrfToken, username: 'nobody' }).toString()
      const type = 'application/x-www-form-urlencoded'
      return (await browser.post('/api/auth/callback/credentials', body, { 'content-type': type, ...headers })).status
    }
    for (const headers of [
      { origin },
      { origin, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin' }
    ])
      await post(headers)
    t.same(warnings(), [])
    for (let count = 0; count < 2; count++) await post({ origin: vite, 'sec-fetch-site': 'same-origin' })
    t.equal(warnings().length, 1)
    t.match(warnings()[0], `browsers open the application at ${vite}, but url is ${origin}`)
  }
)
