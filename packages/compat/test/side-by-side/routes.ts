import type { Browser, BrowserResponse } from '@postern/testkit'
import { byIssuer, plain, type Side, type Wishes } from './pair.ts'

/** Something that a browser does at both. */
export interface Step {
  readonly what: string
  readonly wishes?: Wishes
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
const withPages = { wishes: { pages } }

const anonymous: readonly Step[] = [
  { what: 'GET /providers', act: get('/providers') },
  { what: 'POST /providers', act: post('/providers') },
  { what: 'GET /csrf', act: get('/csrf') },
  { what: 'GET /session', act: get('/session') },
  { what: 'GET /session with a callbackUrl', act: get('/session?callbackUrl=%2Fx') },
  { what: 'GET /signin', act: get('/signin') },
  { what: 'GET /signin with a callbackUrl', act: get('/signin?callbackUrl=%2Fthere%3Fa%3Db') },
  { what: 'GET /signin with a callbackUrl elsewhere', act: get('/signin?callbackUrl=https%3A%2F%2Fevil.test%2F') },
  { what: 'GET /signin with a callbackUrl that is no URL', act: get('/signin?callbackUrl=..%2F%2Fx%3A') },
  { what: 'GET /signin with a callbackUrl of a script', act: get('/signin?callbackUrl=javascript%3Aalert(1)') },
  { what: 'GET /signin/demo', act: get('/signin/demo') },
  { what: 'GET /signin/unknown', act: get('/signin/unknown') },
  { what: 'GET /signin?error=OAuthSignin', act: get('/signin?error=OAuthSignin') },
  { what: 'POST /signin without a provider', act: post('/signin') },
  { what: 'POST /signin/demo', act: post('/signin/demo', { callbackUrl: '/there' }) },
  { what: 'POST /signin/demo for JSON', act: post('/signin/demo', json) },
  { what: 'POST /signin/demo without a token', act: badly('/signin/demo') },
  { what: 'POST /signin/unknown', act: post('/signin/unknown') },
  { what: 'POST /signin/people', act: post('/signin/people') },
  { what: 'POST /signin/email', act: post('/signin/email', { email: ' Ada@Example.com ' }) },
  { what: 'POST /signin/email for JSON', act: post('/signin/email', { email: 'ada@example.com', ...json }) },
  { what: 'POST /signin/email with no address', act: post('/signin/email', { email: 'nobody' }) },
  { what: 'POST /signin/email without an address', act: post('/signin/email') },
  { what: 'GET /callback/unknown', act: get('/callback/unknown') },
  { what: 'GET /callback/people', act: get('/callback/people') },
  { what: 'GET /callback/demo without an attempt', act: get('/callback/demo?code=x&state=y') },
  { what: 'GET /callback/email without a token', act: get('/callback/email?email=ada%40example.com') },
  { what: 'GET /callback/email with a token of nobody', act: get('/callback/email?email=ada%40example.com&token=x') },
  { what: 'POST /callback/people', act: post('/callback/people', { username: 'ada', callbackUrl: '/there' }) },
  { what: 'POST /callback/people for JSON', act: post('/callback/people', { username: 'ada', ...json }) },
  { what: 'POST /callback/people without a token', act: badly('/callback/people') },
  { what: 'GET /signout', act: get('/signout') },
  { what: 'POST /signout', act: post('/signout', { callbackUrl: '/bye' }) },
  { what: 'POST /signout for JSON', act: post('/signout', json) },
  { what: 'POST /signout without a token', act: badly('/signout') },
  { what: 'GET /verify-request', act: get('/verify-request?provider=email&type=email') },
  { what: 'GET /error', act: get('/error') },
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
    .map((code) => ({ what: `GET /error?error=${code}`, act: get(`/error?error=${code}`) })),
  { what: 'POST /session without a token', act: badly('/session') },
  { what: 'POST /session of nobody', act: post('/session') },
  { what: 'GET /unheard', act: get('/unheard') },
  { what: 'GET without an action', act: get('/') },
  { what: 'POST /csrf', act: post('/csrf') },
  { what: 'PUT /session', act: (browser) => browser.request('PUT', '/api/auth/session') },
  { what: 'HEAD /session', act: (browser) => browser.request('HEAD', '/api/auth/session') },
  { what: 'POST /_log', act: (browser) => browser.post('/api/auth/_log', 'level=error&code=CLIENT_FETCH_ERROR') },
  {
    what: 'a visitor who cancels at the provider',
    act: async (browser) => {
      const { origin, searchParams } = new URL((await browser.submit('/api/auth/signin/demo', {})).location ?? '')
      const answer = new URLSearchParams({
        error: 'access_denied',
        state: searchParams.get('state') ?? '',
        iss: origin
      })
      return browser.request('GET', `/api/auth/callback/demo?${answer}`)
    }
  }
]

const refusing: readonly Step[] = [
  { what: 'credentials that are wrong', wishes: no, act: post('/callback/people') },
  { what: 'credentials that are wrong, for JSON', wishes: no, act: post('/callback/people', json) },
  { what: 'authorize throws', wishes: failing, act: post('/callback/people') },
  { what: 'authorize throws, for JSON', wishes: failing, act: post('/callback/people', json) },
  { what: 'signIn refuses a form', wishes: { signIn: () => false }, act: post('/callback/people') },
  { what: 'signIn refuses a form, for JSON', wishes: { signIn: () => false }, act: post('/callback/people', json) },
  {
    what: 'signIn refuses a mail',
    wishes: { signIn: () => false },
    act: post('/signin/email', { email: 'ada@example.com' })
  },
  {
    what: 'signIn refuses the provider',
    wishes: { signIn: () => false },
    act: (browser, side) => byIssuer(side, browser)
  },
  { what: 'signIn throws at a form', wishes: throwing, act: post('/callback/people') },
  { what: 'signIn throws at a mail', wishes: throwing, act: post('/signin/email', { email: 'ada@example.com' }) },
  { what: 'signIn throws at the provider', wishes: throwing, act: (browser, side) => byIssuer(side, browser) },
  { what: 'signIn sends elsewhere', wishes: { signIn: () => '/elsewhere' }, act: post('/callback/people') },
  {
    what: 'signIn sends far away',
    wishes: { signIn: () => 'https://far.test/away' },
    act: (browser, side) => byIssuer(side, browser)
  }
]

const knownUser: readonly Step[] = [
  { what: 'sign-in at the provider', act: (browser, side) => byIssuer(side, browser) },
  { what: 'GET /session of somebody', act: signedIn(get('/session')) },
  {
    what: 'POST /session of somebody',
    act: signedIn((browser) => browser.submit('/api/auth/session', { data: 'x' }, { json: true }))
  },
  { what: 'POST /session of somebody without data', act: signedIn(post('/session')) },
  { what: 'GET /signin of somebody', act: signedIn(get('/signin')) },
  { what: 'GET /signout of somebody', act: signedIn(get('/signout')) },
  { what: 'POST /signout of somebody', act: signedIn(post('/signout', { callbackUrl: '/bye' })) },
  { what: 'sign-in at the provider once more', act: signedIn((browser, side) => byIssuer(side, browser)) },
  { what: 'POST /callback/people of somebody', act: signedIn(post('/callback/people')) },
  {
    what: 'GET /session with a cookie that is nothing',
    act: (browser) => {
      browser.cookies.set('__Secure-next-auth.session-token', 'nothing', { secure: true })
      return get('/session')(browser)
    }
  },
  {
    what: 'a provider whose address belongs to somebody',
    act: async (browser, side) => {
      await side.adapter.createUser?.({ email: 'ada@example.com', emailVerified: null, name: 'Another' })
      return byIssuer(side, browser)
    }
  },
  {
    what: 'the account of somebody else',
    act: async (browser, side) => {
      await byIssuer(side, browser)
      browser.cookies.clear()
      await browser.submit('/api/auth/signin/email', { email: 'grace@example.com' })
      await browser.open(side.links.at(-1) ?? '')
      return byIssuer(side, browser)
    }
  },
  {
    what: 'the link of somebody else while signed in',
    act: async (browser, side) => {
      await byIssuer(side, browser)
      await browser.submit('/api/auth/signin/email', { email: 'grace@example.com' })
      await browser.open(side.links.at(-1) ?? '')
      return get('/session')(browser)
    }
  },
  {
    what: 'a link that was mailed',
    act: async (browser, { links }) => {
      await browser.submit('/api/auth/signin/email', { email: 'ada@example.com' })
      return browser.open(links.at(-1) ?? '')
    }
  },
  {
    what: 'a link that was used',
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
].map((path): Step => ({ what: `GET ${path} with own pages`, ...withPages, act: get(path) }))

const throughPages: readonly Step[] = [
  { what: 'POST /signin/email with own pages', ...withPages, act: post('/signin/email', { email: 'ada@example.com' }) },
  { what: 'credentials that are wrong, with own pages', wishes: { pages, ...no }, act: post('/callback/people') },
  { what: 'signIn refuses, with own pages', wishes: { pages, signIn: () => false }, act: post('/callback/people') },
  { what: 'a new user, with own pages', ...withPages, act: (browser, side) => byIssuer(side, browser) },
  { what: 'bad token at sign-out, with own pages', ...withPages, act: badly('/signout') }
]

export const steps: readonly Step[] = [...anonymous, ...refusing, ...knownUser, ...ownPages, ...throughPages]

interface SetCookie {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

function cookieOf(header: string): SetCookie {
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

function bodyOf({ headers, body }: BrowserResponse): unknown {
  const type = String(headers['content-type'] ?? '')
  if (type.startsWith('text/html')) return 'a page'
  if (!type.startsWith('application/json') || body === '') return body
  const read: unknown = JSON.parse(body)
  const url = typeof read === 'object' && read !== null && 'url' in read ? read.url : null
  return typeof url === 'string' ? target(url) : plain(read)
}

/** What of an answer a client can tell apart; addresses are absolute, as a browser makes them. */
export function seen(answer: BrowserResponse): unknown {
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map(cookieOf)
  const location = answer.location === null ? null : new URL(answer.location, answer.url).href
  return {
    status: answer.status,
    ...(location ? Object(target(location)) : { body: bodyOf(answer) }),
    cookies: Object.fromEntries(
      cookies.map(({ name, attributes }) => [name.replace(/^__(Host|Secure)-/, '$1 '), attributes]).sort()
    )
  }
}
