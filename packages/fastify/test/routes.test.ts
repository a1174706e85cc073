import type { BrowserResponse } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { fromAfar, getSession, mails, origin, people, signInAtIssuer, signInByMail, start } from './start.ts'

const base = '/api/auth'
const neverStored = 'private, no-cache, no-store'

type Kind = 'page' | 'json' | 'redirect' | 'text'

function getKind({ headers, location }: BrowserResponse): Kind | string {
  const type = String(headers['content-type'])
  if (location !== null) return 'redirect'
  if (type === 'text/html; charset=utf-8') return 'page'
  return type === 'application/json; charset=utf-8' ? 'json' : type === 'text/plain; charset=utf-8' ? 'text' : type
}

interface Row {
  readonly path: string
  readonly status: number
  readonly kind: Kind
  readonly location?: RegExp
  readonly body?: RegExp
}

/** What a visitor without cookies gets. */
const gets: readonly Row[] = [
  { path: '/signin', status: 200, kind: 'page', body: /<title>Sign in<\/title>/ },
  { path: '/signin?error=CredentialsSignin&callbackUrl=/me', status: 200, kind: 'page', body: /Sign in failed\./ },
  { path: '/signin/demo', status: 200, kind: 'page', body: /<title>Sign in<\/title>/ },
  { path: '/signin/email', status: 200, kind: 'page', body: /<title>Sign in<\/title>/ },
  { path: '/signin/credentials', status: 200, kind: 'page', body: /<title>Sign in<\/title>/ },
  { path: '/signin/nobody', status: 404, kind: 'page', body: /<h1[^>]*>Page not found<\/h1>/ },
  { path: '/callback/demo', status: 400, kind: 'page', body: /<title>Start again<\/title>/ },
  { path: '/callback/email', status: 302, kind: 'redirect', location: /\/api\/auth\/error\?error=Verification&ref=/ },
  {
    path: '/callback/credentials',
    status: 400,
    kind: 'text',
    body: /^Error: Callback for provider type credentials not supported$/
  },
  { path: '/callback/nobody', status: 404, kind: 'page', body: /<h1[^>]*>Page not found<\/h1>/ },
  { path: '/signout', status: 200, kind: 'page', body: /<title>Sign out<\/title>/ },
  { path: '/session', status: 200, kind: 'json', body: /^\{\}$/ },
  { path: '/providers', status: 200, kind: 'json', body: /^\{"demo":/ },
  { path: '/csrf', status: 200, kind: 'json', body: /^\{"csrfToken":"[0-9a-f]{64}"\}$/ },
  { path: '/verify-request', status: 200, kind: 'page', body: /<title>Check your email<\/title>/ },
  {
    path: '/verify-request?provider=email&type=email',
    status: 200,
    kind: 'page',
    body: /<title>Check your email<\/title>/
  },
  { path: '/error', status: 200, kind: 'page', body: /<title>Error<\/title>/ },
  { path: '/error?error=Configuration', status: 500, kind: 'page', body: /Server error/ },
  { path: '/error?error=accessdenied', status: 403, kind: 'page', body: /Access denied/ },
  {
    path: '/error?error=OAuthSignin',
    status: 302,
    kind: 'redirect',
    location: /\/api\/auth\/signin\?error=OAuthSignin$/
  },
  { path: '/assets/unknown', status: 404, kind: 'text', body: /^Error: there is no such file$/ }
]

/** Submits a form of Postern’s pages with its token and these fields. */
const posts: readonly (Row & { readonly fields?: Readonly<Record<string, string>> })[] = [
  { path: '/signin/demo', status: 302, kind: 'redirect', location: /^https:\/\/issuer\.test\/authorize\?/ },
  {
    path: '/signin/email',
    fields: { email: 'ada@example.com' },
    status: 302,
    kind: 'redirect',
    location: /\/api\/auth\/verify-request\?provider=email&type=email$/
  },
  { path: '/signin/credentials', status: 302, kind: 'redirect', location: /\/api\/auth\/signin$/ },
  { path: '/signin/nobody', status: 302, kind: 'redirect', location: /\/api\/auth\/signin$/ },
  { path: '/callback/demo', status: 303, kind: 'redirect', location: /\/api\/auth\/callback\/demo\?/ },
  { path: '/callback/email', status: 302, kind: 'redirect', location: /\/api\/auth\/error\?error=Verification&ref=/ },
  {
    path: '/callback/credentials',
    fields: { username: 'grace', password: 'lovelace', callbackUrl: '/me' },
    status: 302,
    kind: 'redirect',
    location: /^https:\/\/app\.test\/me$/
  },
  {
    path: '/callback/credentials',
    fields: { username: 'grace', password: 'wrong' },
    status: 302,
    kind: 'redirect',
    location: /\/api\/auth\/signin\?error=CredentialsSignin&ref=/
  },
  { path: '/callback/nobody', status: 404, kind: 'page', body: /<h1[^>]*>Page not found<\/h1>/ },
  {
    path: '/signout',
    fields: { callbackUrl: '/bye' },
    status: 302,
    kind: 'redirect',
    location: /^https:\/\/app\.test\/bye$/
  },
  { path: '/session', status: 200, kind: 'json', body: /^\{\}$/ },
  { path: '/providers', status: 200, kind: 'json', body: /^\{"demo":/ },
  { path: '/_log', status: 404, kind: 'text', body: /^Error: the client log is switched off$/ }
]

function checkHeaders(t: Test, response: BrowserResponse): void {
  t.equal(response.headers['cache-control'], neverStored)
  if (response.location === null) t.equal(response.headers['x-content-type-options'], 'nosniff')
}

t.test('GET of each path has its status and kind of content, and HEAD has those of GET', async (t) => {
  const { newBrowser } = await start(t)
  for (const { path, status, kind, location, body } of gets) {
    const response = await newBrowser().open(base + path)
    t.same({ status: response.status, kind: getKind(response) }, { status, kind }, path)
    checkHeaders(t, response)
    if (location) t.match(response.location, location)
    if (body) t.match(response.body, body)

    const head = await newBrowser().request('HEAD', base + path, { headers: { accept: 'text/html' } })
    t.same({ body: head.body, cookies: head.setCookies }, { body: '', cookies: [] }, `HEAD ${path}`)
    t.equal(head.headers['cache-control'], neverStored)
    if (path.startsWith('/callback/') && path !== '/callback/credentials') continue
    t.same(
      [head.status, head.headers['content-type'], head.headers['content-length']],
      // No length that GET may not have.
      [status, response.headers['content-type'], undefined],
      `HEAD ${path}`
    )
  }
})

t.test('POST to each path has its status and kind of content', async (t) => {
  const { newBrowser } = await start(t)
  for (const { path, fields = {}, status, kind, location, body } of posts) {
    const response = await newBrowser().submit(base + path, fields)
    t.same({ status: response.status, kind: getKind(response) }, { status, kind }, path)
    checkHeaders(t, response)
    if (location) t.match(response.location, location)
    if (body) t.match(response.body, body)
  }
})

t.test('redirects become {url} for a client that follows them itself', async (t) => {
  const { newBrowser } = await start(t)
  const methods = [
    ['json=true, a form', { json: 'true' }, {}],
    ['X-Auth-Return-Redirect', {}, { 'x-auth-return-redirect': '1' }]
  ] as const
  for (const [name, fields, headers] of methods) {
    const cases = [
      ['/signin/demo', {}, 200, /^https:\/\/issuer\.test\/authorize\?/],
      ['/signin/email', { email: 'ada@example.com' }, 200, /\/api\/auth\/verify-request\?/],
      ['/signin/nobody', {}, 200, /\/api\/auth\/signin$/],
      ['/callback/demo', {}, 200, /\/api\/auth\/callback\/demo\?/],
      ['/callback/credentials', { username: 'grace', password: 'lovelace' }, 200, /^https:\/\/app\.test$/],
      ['/callback/credentials', { username: 'grace', password: 'wrong' }, 401, /\/signin\?error=CredentialsSignin/],
      ['/signout', {}, 200, /^https:\/\/app\.test$/],
      ['/signin/demo', { csrfToken: 'wrong' }, 200, /\/api\/auth\/signin\?csrf=true$/],
      ['/signout', { csrfToken: 'wrong' }, 200, /\/api\/auth\/signout\?csrf=true$/]
    ] as const
    for (const [path, more, status, url] of cases) {
      const response = await newBrowser().submit(base + path, { ...fields, ...more }, { headers })
      t.same({ status: response.status, kind: getKind(response) }, { status, kind: 'json' }, `${name}: ${path}`)
      t.match(response.json(), { url })
      t.same(Object.keys(response.json<object>()), ['url'])
      t.equal(response.headers['cache-control'], neverStored)
    }
  }
})

t.test('json=true in a JSON body counts too, and json in the query does not', async (t) => {
  const { browser } = await start(t)
  const sent = await browser.submit('/api/auth/signin/demo', { json: 'true' }, { json: true })
  t.match(sent.json(), { url: /^https:\/\/issuer\.test/ })
  t.equal((await browser.submit('/api/auth/signin/demo?json=true', {})).status, 302)
})

for (const { value: strategy, test } of turnsOf(['jwt', 'database'] as const, t)()) {
  test(`${strategy}: HEAD changes nothing, however old the session is`, async (t) => {
    const started = await start(t, { session: { strategy }, pages: { newUser: true } })
    const { browser, store, clock } = started
    await signInByMail(started, browser)
    clock.advance(2 * 24 * 60 * 60)
    store.forget()
    for (const { path } of [...gets, { path: '/welcome' }]) {
      const response = await browser.request('HEAD', base + path)
      t.same({ body: response.body, cookies: response.setCookies }, { body: '', cookies: [] }, path)
    }
    const reads = /^(get|list)/
    t.same(
      store.calls.filter(({ method }) => !reads.test(method)),
      [],
      'nothing was written'
    )
    t.match(await getSession(browser), { user: { email: 'ada@example.com' } })
  })
}

t.test('HEAD of a callback consumes neither an attempt nor a link', async (t) => {
  const started = await start(t)
  const { browser, issuer, mailbox, newBrowser } = started
  const response = await browser.submit('/api/auth/signin/demo', {})
  const callback = await issuer.authorize(response.location ?? '')
  t.equal((await browser.request('HEAD', callback)).status, 200)
  t.equal((await browser.open(callback, { headers: fromAfar })).location, origin)

  const other = newBrowser()
  await other.submit('/api/auth/signin/email', { email: 'bob@example.com' })
  t.equal((await other.request('HEAD', mailbox.last().url)).status, 200)
  t.equal((await other.open(mailbox.last().url)).location, origin)
})

t.test('GET of the sign-in of one provider starts nothing', async (t) => {
  const { browser, issuer, mailbox, store } = await start(t)
  for (const id of ['demo', 'email', 'credentials']) {
    await browser.open(`/api/auth/signin/${id}?email=ada@example.com&callbackUrl=/me`)
  }
  t.same(
    { requests: issuer.requests, mails: mailbox.mails, calls: store.calls },
    { requests: [], mails: [], calls: [] }
  )
})

t.test('custom pages replace the built-in ones', async (t) => {
  const pages = { signIn: '/in', newUser: '/hello' }
  const started = await start(t, { pages })
  const { browser, newBrowser } = started
  t.equal((await browser.open('/api/auth/signin')).location, `${origin}/in?callbackUrl=https%3A%2F%2Fapp.test`)
  const first = await signInAtIssuer(started, browser, undefined, { callbackUrl: '/me' })
  t.equal(first.location, `${origin}/hello?callbackUrl=https%3A%2F%2Fapp.test%2Fme`)
  t.equal((await signInAtIssuer(started, newBrowser(), undefined, { callbackUrl: '/me' })).location, `${origin}/me`)
})

t.test('newUser: true greets new users on a page of Postern', async (t) => {
  const started = await start(t, { pages: { newUser: true } })
  const { browser } = started
  const first = await signInAtIssuer(started, browser, undefined, { callbackUrl: '/me' })
  t.equal(first.location, `${origin}/api/auth/welcome?callbackUrl=https%3A%2F%2Fapp.test%2Fme`)
  const page = await browser.follow(first)
  t.match({ status: page.status, body: page.body }, { status: 200, body: /Welcome, Ada Lovelace/ })
  t.ok(page.html().querySelector('a[href="https://app.test/me"]'))
})

t.test('files of the pages never change, and may be kept', async (t) => {
  const { browser } = await start(t)
  const page = await browser.open('/api/auth/signin')
  const [sheet] = page.html().querySelectorAll('link[rel=stylesheet]')
  const path = sheet?.getAttribute('href') ?? ''
  const file = await browser.open(path)
  t.match({ status: file.status, type: file.headers['content-type'] }, { status: 200, type: /^text\/css/ })
  t.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.same(file.setCookies, [])
  const head = await browser.request('HEAD', path)
  t.same([head.status, head.body, head.headers['content-type']], [200, '', file.headers['content-type']])
})

t.test('without an adapter there are the routes that need none', async (t) => {
  const { browser } = await start(t, { store: 'none', providers: [people] })
  t.same(Object.keys(await browser.json<object>('/api/auth/providers')), ['credentials'])
  t.equal((await browser.open('/api/auth/signin/email')).status, 404)
})

t.test('each email provider has its own routes', async (t) => {
  const providers = [mails(), { ...mails(), id: 'letters', name: 'Letters' }]
  const { browser, mailbox } = await start(t, { providers })
  const response = await browser.submit('/api/auth/signin/letters', { email: 'ada@example.com' })
  t.match(response.location, /\/verify-request\?provider=letters&type=email$/)
  t.match(mailbox.last().url, /\/api\/auth\/callback\/letters\?callbackUrl=/)
  t.equal((await browser.open(mailbox.last().url)).location, origin)
})
