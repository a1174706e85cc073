import type { Browser, BrowserResponse } from '@postern/testkit'
import { byIssuer, plain, type Side, type TestOptions } from './pair.ts'

/** Something that a browser does at both. */
export interface Step {
  readonly title: string
  readonly overrides?: TestOptions
  readonly act: (browser: Browser, side: Side) => Promise<BrowserResponse>
}

const get =
  (path: string) =>
  (browser: Browser): Promise<BrowserResponse> =>
    browser.request('GET', `/api/auth${path}`)

const post =
  (path: string, fields: Record<string, string> = {}) =>
  (browser: Browser): Promise<BrowserResponse> =>
    browser.submit(`/api/auth${path}`, fields)

const badly =
  (path: string) =>
  (browser: Browser): Promise<BrowserResponse> =>
    browser.post(`/api/auth${path}`, 'csrfToken=wrong')

const signedIn =
  (act: Step['act']): Step['act'] =>
  async (browser, side) => {
    await byIssuer(side, browser)
    return act(browser, side)
  }

const json = { json: 'true' }
const no = { authorize: () => null }
const failing = {
  authorize: () => {
    throw new Error('not today')
  }
}

const throwing = {
  signIn: () => {
    throw new Error('not you')
  }
}

const pages = {
  signIn: '/login',
  signOut: '/logout?why=you',
  error: '/oops?from=auth',
  verifyRequest: '/mail',
  newUser: '/hello?a=b'
}
const withPages = { overrides: { pages } }

const anonymous: readonly Step[] = [
  { title: 'GET /providers', act: get('/providers') },
  { title: 'POST /providers', act: post('/providers') },
  { title: 'GET /csrf', act: get('/csrf') },
  { title: 'GET /session', act: get('/session') },
  { title: 'GET /session with a callbackUrl', act: get('/session?callbackUrl=%2Fx') },
  { title: 'GET /signin', act: get('/signin') },
  { title: 'GET /signin with a callbackUrl', act: get('/signin?callbackUrl=%2Fthere%3Fa%3Db') },
  { title: 'GET /signin with a callbackUrl elsewhere', act: get('/signin?callbackUrl=https%3A%2F%2Fevil.test%2F') },
  { title: 'GET /signin with a callbackUrl that is not a URL', act: get('/signin?callbackUrl=..%2F%2Fx%3A') },
  { title: 'GET /signin with a callbackUrl of a script', act: get('/signin?callbackUrl=javascript%3Aalert(1)') },
  { title: 'GET /signin/demo', act: get('/signin/demo') },
  { title: 'GET /signin/unknown', act: get('/signin/unknown') },
  { title: 'GET /signin?error=OAuthSignin', act: get('/signin?error=OAuthSignin') },
  { title: 'POST /signin without a provider', act: post('/signin') },
  { title: 'POST /signin/demo', act: post('/signin/demo', { callbackUrl: '/there' }) },
  { title: 'POST /signin/demo for JSON', act: post('/signin/demo', json) },
  { title: 'POST /signin/demo without a token', act: badly('/signin/demo') },
  { title: 'POST /signin/unknown', act: post('/signin/unknown') },
  { title: 'POST /signin/people', act: post('/signin/people') },
  { title: 'POST /signin/email', act: post('/signin/email', { email: ' Ada@Example.com ' }) },
  { title: 'POST /signin/email for JSON', act: post('/signin/email', { email: 'ada@example.com', ...json }) },
  { title: 'POST /signin/email with no address', act: post('/signin/email', { email: 'nobody' }) },
  { title: 'POST /signin/email without an address', act: post('/signin/email') },
  { title: 'GET /callback/unknown', act: get('/callback/unknown') },
  { title: 'GET /callback/people', act: get('/callback/people') },
  { title: 'GET /callback/demo without an attempt', act: get('/callback/demo?code=x&state=y') },
  { title: 'GET /callback/email without a token', act: get('/callback/email?email=ada%40example.com') },
  { title: 'GET /callback/email with a token of no one', act: get('/callback/email?email=ada%40example.com&token=x') },
  { title: 'POST /callback/people', act: post('/callback/people', { username: 'ada', callbackUrl: '/there' }) },
  { title: 'POST /callback/people for JSON', act: post('/callback/people', { username: 'ada', ...json }) },
  { title: 'POST /callback/people without a token', act: badly('/callback/people') },
  { title: 'GET /signout', act: get('/signout') },
  { title: 'POST /signout', act: post('/signout', { callbackUrl: '/bye' }) },
  { title: 'POST /signout for JSON', act: post('/signout', json) },
  { title: 'POST /signout without a token', act: badly('/signout') },
  { title: 'GET /verify-request', act: get('/verify-request?provider=email&type=email') },
  { title: 'GET /error', act: get('/error') },
  ...[
    'AccessDenied',
    'accessdenied',
    'Verification',
    'Configuration',
    'Unheard',
    'Signin',
    'OAuthSignin',
    'OAuthCallback'
  ]
    .concat(['OAuthCreateAccount', 'EmailCreateAccount', 'Callback', 'OAuthAccountNotLinked', 'EmailSignin'])
    .concat(['CredentialsSignin', 'SessionRequired'])
    .map((code) => ({ title: `GET /error?error=${code}`, act: get(`/error?error=${code}`) })),
  { title: 'POST /session without a token', act: badly('/session') },
  { title: 'POST /session of no one', act: post('/session') },
  { title: 'GET /unheard', act: get('/unheard') },
  { title: 'GET without an action', act: get('/') },
  { title: 'POST /csrf', act: post('/csrf') },
  { title: 'PUT /session', act: (browser) => browser.request('PUT', '/api/auth/session') },
  { title: 'HEAD /session', act: (browser) => browser.request('HEAD', '/api/auth/session') },
  { title: 'POST /_log', act: (browser) => browser.post('/api/auth/_log', 'level=error&code=CLIENT_FETCH_ERROR') },
  {
    title: 'a visitor who cancels at the provider',
    act: async (browser) => {
      const { origin, searchParams } = new URL((await browser.submit('/api/auth/signin/demo', {})).location ?? '')
      const response = new URLSearchParams({
        error: 'access_denied',
        state: searchParams.get('state') ?? '',
        iss: origin
      })
      return browser.request('GET', `/api/auth/callback/demo?${response}`)
    }
  }
]

const refusing: readonly Step[] = [
  { title: 'credentials that are wrong', overrides: no, act: post('/callback/people') },
  { title: 'credentials that are wrong, for JSON', overrides: no, act: post('/callback/people', json) },
  { title: 'authorize throws', overrides: failing, act: post('/callback/people') },
  { title: 'authorize throws, for JSON', overrides: failing, act: post('/callback/people', json) },
  { title: 'signIn refuses a form', overrides: { signIn: () => false }, act: post('/callback/people') },
  { title: 'signIn refuses a form, for JSON', overrides: { signIn: () => false }, act: post('/callback/people', json) },
  {
    title: 'signIn refuses a mail',
    overrides: { signIn: () => false },
    act: post('/signin/email', { email: 'ada@example.com' })
  },
  {
    title: 'signIn refuses the provider',
    overrides: { signIn: () => false },
    act: (browser, side) => byIssuer(side, browser)
  },
  { title: 'signIn throws at a form', overrides: throwing, act: post('/callback/people') },
  { title: 'signIn throws at a mail', overrides: throwing, act: post('/signin/email', { email: 'ada@example.com' }) },
  { title: 'signIn throws at the provider', overrides: throwing, act: (browser, side) => byIssuer(side, browser) },
  { title: 'signIn sends elsewhere', overrides: { signIn: () => '/elsewhere' }, act: post('/callback/people') },
  {
    title: 'signIn sends far away',
    overrides: { signIn: () => 'https://far.test/away' },
    act: (browser, side) => byIssuer(side, browser)
  }
]

const knownUser: readonly Step[] = [
  { title: 'sign-in at the provider', act: (browser, side) => byIssuer(side, browser) },
  { title: 'GET /session of a user', act: signedIn(get('/session')) },
  {
    title: 'POST /session of a user',
    act: signedIn((browser) => browser.submit('/api/auth/session', { data: 'x' }, { json: true }))
  },
  { title: 'POST /session of a user without data', act: signedIn(post('/session')) },
  { title: 'GET /signin of a user', act: signedIn(get('/signin')) },
  { title: 'GET /signout of a user', act: signedIn(get('/signout')) },
  { title: 'POST /signout of a user', act: signedIn(post('/signout', { callbackUrl: '/bye' })) },
  { title: 'sign-in at the provider again', act: signedIn((browser, side) => byIssuer(side, browser)) },
  { title: 'POST /callback/people of a user', act: signedIn(post('/callback/people')) },
  {
    title: 'GET /session with a cookie that is nothing',
    act: (browser) => {
      browser.cookies.set('__Secure-next-auth.session-token', 'nothing', { secure: true })
      return get('/session')(browser)
    }
  },
  {
    title: 'a provider whose address belongs to a user',
    act: async (browser, side) => {
      await side.adapter.createUser?.({ email: 'ada@example.com', emailVerified: null, name: 'Another' })
      return byIssuer(side, browser)
    }
  },
  {
    title: 'the account of another user',
    act: async (browser, side) => {
      await byIssuer(side, browser)
      browser.cookies.clear()
      await browser.submit('/api/auth/signin/email', { email: 'grace@example.com' })
      await browser.open(side.links.at(-1) ?? '')
      return byIssuer(side, browser)
    }
  },
  {
    title: 'the link of another user while signed in',
    act: async (browser, side) => {
      await byIssuer(side, browser)
      await browser.submit('/api/auth/signin/email', { email: 'grace@example.com' })
      await browser.open(side.links.at(-1) ?? '')
      return get('/session')(browser)
    }
  },
  {
    title: 'a link that was mailed',
    act: async (browser, { links }) => {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      return browser.open(links.at(-1) ?? '')
    }
  },
  {
    title: 'a link that was used',
    act: async (browser, { links }) => {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      await browser.open(links.at(-1) ?? '')
      return browser.open(links.at(-1) ?? '')
    }
  }
]

const ownPages: readonly Step[] = [
  ...['/signin', '/signin?error=OAuthCallback', '/signin?callbackUrl=%2Fthere', '/signin/demo', '/signout', '/error'],
  ...[
    '/error?error=AccessDenied',
    '/error?error=OAuthSignin',
    '/error?error=Unheard',
    '/verify-request?provider=email&type=email'
  ]
].map((path): Step => ({ title: `GET ${path} with own pages`, ...withPages, act: get(path) }))

const throughPages: readonly Step[] = [
  {
    title: 'POST /signin/email with own pages',
    ...withPages,
    act: post('/signin/email', { email: 'ada@example.com' })
  },
  { title: 'credentials that are wrong, with own pages', overrides: { pages, ...no }, act: post('/callback/people') },
  { title: 'signIn refuses, with own pages', overrides: { pages, signIn: () => false }, act: post('/callback/people') },
  { title: 'a new user, with own pages', ...withPages, act: (browser, side) => byIssuer(side, browser) },
  { title: 'bad token at sign-out, with own pages', ...withPages, act: badly('/signout') }
]

export const steps: readonly Step[] = [...anonymous, ...refusing, ...knownUser, ...ownPages, ...throughPages]

interface SetCookie {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

function getCookie(header: string): SetCookie {
  const [pair = '', ...attributes] = header.split('; ')
  const entries = attributes.map((attribute): [string, unknown] => {
    const [name = '', value = true] = attribute.split('=')
    return [name.toLowerCase(), value]
  })
  const { 'max-age': maxAge, expires, ...rest } = Object.fromEntries(entries)
  const seconds =
    maxAge === undefined
      ? expires === undefined
        ? null
        : (Date.parse(String(expires)) - Date.now()) / 1000
      : Number(maxAge)
  const lasts =
    seconds === null ? 'the browser session' : seconds <= 0 ? 'no more' : `${Math.round(seconds / 100) * 100} s`
  return { name: pair.split('=')[0] ?? '', attributes: { ...rest, lasts } }
}

const attempt = ['state', 'code_challenge', 'nonce']

/** An address, but for what is different with every attempt. */
function target(address: string): unknown {
  const { origin, pathname, searchParams } = new URL(address)
  for (const name of attempt) if (searchParams.has(name)) searchParams.set(name, `<${name}>`)
  return { location: origin + pathname, query: plain(Object.fromEntries(searchParams)) }
}

function getBody({ headers, body }: BrowserResponse): unknown {
  const type = String(headers['content-type'] ?? '')
  if (type.startsWith('text/html')) return 'a page'
  if (!type.startsWith('application/json') || body === '') return body
  const read: unknown = JSON.parse(body)
  const url = typeof read === 'object' && read !== null && 'url' in read ? read.url : null
  return typeof url === 'string' ? target(url) : plain(read)
}

/** What of a response a client can distinguish; addresses are absolute, as a browser makes them. */
export function seen(response: BrowserResponse): unknown {
  const cookies = [response.headers['set-cookie'] ?? []].flat().map(getCookie)
  const location = response.location === null ? null : new URL(response.location, response.url).href
  return {
    status: response.status,
    ...(location ? Object(target(location)) : { body: getBody(response) }),
    cookies: Object.fromEntries(
      cookies.map(({ name, attributes }) => [name.replace(/^__(Host|Secure)-/, '$1 '), attributes]).sort()
    )
  }
}
