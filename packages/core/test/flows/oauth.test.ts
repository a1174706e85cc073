import { type Browser, type BrowserResponse, createIssuer, type IssuerRequest } from '@postern/testkit'
import t from 'tap'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import {
  begin,
  checkCookies,
  comeBack,
  demoProvider,
  getSession,
  origin,
  parameter,
  requested,
  sessionCookie,
  signIn,
  start
} from './start.ts'

const callback = `${origin}/api/auth/callback/demo`
const held = (browser: Browser): readonly string[] => checkCookies.filter((name) => browser.cookies.get(name) !== null)

t.test('a visitor signs in at the provider, is known, signs out', async (t) => {
  const started = start()
  const { browser, issuer } = started
  const back = await signIn(started, browser, { callbackUrl: '/me?a=b' })
  t.match(back, { status: 302, location: `${origin}/me?a=b` })
  t.match(await getSession(browser), {
    user: { name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://issuer.test/ada.png' }
  })
  t.same(requested(issuer), ['/.well-known/openid-configuration', '/token', '/jwks'])
  t.same(held(browser), [], 'nothing is left of the attempt')
  await browser.submit('/api/auth/signout', {})
  t.same(await getSession(browser), {})
  await signIn(started, browser)
  t.same(requested(issuer).slice(3), ['/token'], 'metadata and keys are kept')
})

t.test('oauth-1: the request carries state, PKCE and nonce, fresh each time, and the registered address', async (t) => {
  const { newBrowser } = start()
  const requests = await Promise.all(
    Array.from(
      { length: 20 },
      async () => new URL(await begin(newBrowser(), { callbackUrl: 'https://evil.test' })).searchParams
    )
  )
  for (const request of requests) {
    t.equal(request.get('redirect_uri'), callback)
    t.equal(request.get('response_type'), 'code')
    t.equal(request.get('code_challenge_method'), 'S256')
    for (const name of ['state', 'nonce', 'code_challenge']) t.match(request.get(name), /^[\w-]{43}$/)
  }
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.equal(new Set(requests.map((request) => request.get(name))).size, 20, name)
  }
})

t.test('oauth-1: the cookies of an attempt are encrypted, HttpOnly, Lax, and end after 15 minutes', async (t) => {
  const { browser } = start()
  const sent = await browser.submit('/api/auth/signin/demo', {})
  const set = sent.setCookies.filter(({ name }) => checkCookies.includes(name))
  t.equal(set.length, 3)
  for (const cookie of set) {
    t.match(cookie, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 900, domain: null })
    t.notMatch(cookie.value, new RegExp(new URL(sent.location ?? '').searchParams.get('state') ?? 'none'))
  }
})

t.test('the client may choose how to sign in, but not the client id or the redirect URI', async (t) => {
  const { browser } = start()
  const path =
    '/api/auth/signin/demo?prompt=login&login_hint=ada&redirect_uri=https://evil.test&state=fixed&client_id=evil'
  const { searchParams } = new URL(await begin(browser, {}, path))
  t.match(Object.fromEntries(searchParams), {
    prompt: 'login',
    login_hint: 'ada',
    redirect_uri: callback,
    client_id: 'client'
  })
  t.not(searchParams.get('state'), 'fixed')
})

t.test('claims that the ID Token lacks are requested at userinfo', async (t) => {
  const started = start({ issuerOptions: { claimsInIdToken: false } })
  await signIn(started, started.browser)
  t.match(await getSession(started.browser), { user: { name: 'Ada Lovelace', email: 'ada@example.com' } })
  t.same(requested(started.issuer).slice(1), ['/token', '/jwks', '/userinfo'])
})

t.test('a provider without OpenID Connect: the profile is userinfo’s', async (t) => {
  const issuer = createIssuer()
  const provider: Partial<OAuthConfig> = {
    type: 'oauth',
    issuer: undefined,
    idToken: false,
    authorization: { url: `${issuer.issuer}/authorize`, params: { scope: 'openid profile' } },
    token: `${issuer.issuer}/token`,
    userinfo: `${issuer.issuer}/userinfo`,
    profile: ({ sub, name }: { sub: string; name: string }) => ({ id: sub, name: `${name}!` })
  }
  const started = start({ provider })
  await signIn(started, started.browser)
  t.match(await getSession(started.browser), { user: { name: 'Ada Lovelace!' } })
  t.same(requested(started.issuer), ['/token', '/userinfo'])
})

t.test('a response that names an issuer no one knows of is taken, with one line in the log', async (t) => {
  const issuer = createIssuer()
  const plain: Partial<OAuthConfig> = {
    type: 'oauth',
    idToken: false,
    authorization: `${issuer.issuer}/authorize?scope=openid`,
    token: `${issuer.issuer}/token`,
    userinfo: `${issuer.issuer}/userinfo`,
    profile: ({ sub }: { sub: string }) => ({ id: sub, name: sub })
  }
  const unknown = start({ provider: { ...plain, issuer: undefined } })
  const response = await unknown.issuer.authorize(await begin(unknown.browser))
  t.ok(new URL(response).searchParams.has('iss'))
  t.equal((await comeBack(unknown.browser, response)).location, origin)
  t.same(
    unknown.log.map(({ level, code }) => [level, code]),
    [['warn', 'OAUTH_ISSUER_UNKNOWN']]
  )
  const known = start({ provider: plain })
  known.issuer.faults.callbackIssWrong = true
  t.equal(parameter(await signIn(known, known.browser), 'error'), 'OAuthCallback', 'one that is known is compared')
})

t.test('the callbacks and listeners receive the provider’s response', async (t) => {
  const reported: Record<string, unknown> = {}
  const started = start({
    callbacks: {
      signIn: (question) => {
        reported['signIn'] = question
        return true
      },
      jwt: ({ token, ...rest }) => {
        if (rest.account) reported['jwt'] = rest
        return rest.profile ? { ...token, locale: 'en' } : token
      },
      session: ({ session, token }) => ({ ...session, locale: token?.['locale'] })
    },
    events: {
      signIn: (payload) => {
        reported['event'] = payload
      }
    }
  })
  await signIn(started, started.browser)
  const account = {
    provider: 'demo',
    type: 'oidc',
    providerAccountId: 'ada',
    token_type: /^bearer$/i,
    expires_at: 1893459600,
    id_token: /^ey/
  }
  t.match(reported['signIn'], {
    user: { id: 'ada', email: 'ada@example.com' },
    account,
    profile: { sub: 'ada', email_verified: true }
  })
  t.match(reported['jwt'], {
    user: { id: 'ada' },
    account,
    profile: { sub: 'ada' },
    trigger: 'signIn',
    isNewUser: false
  })
  t.match(reported['event'], { user: { id: 'ada' }, account, isNewUser: false })
  t.match(await getSession(started.browser), { locale: 'en' })
  t.notMatch(JSON.stringify(await getSession(started.browser)), /token/, 'tokens stay on the server')
})

t.test('five tabs at once: each one returns to its callbackUrl', async (t) => {
  const { browser, issuer } = start()
  const urls: string[] = []
  for (let tab = 0; tab < 5; tab++) urls.push(await begin(browser, { callbackUrl: `/tab/${tab}` }))
  for (const tab of [3, 0, 4, 1, 2]) {
    const back = await comeBack(browser, await issuer.authorize(urls[tab] ?? ''))
    t.equal(back.location, `${origin}/tab/${tab}`)
  }
  t.same(held(browser), [])
})

t.test('the sixth tab drops the oldest', async (t) => {
  const { browser, issuer } = start()
  const urls: string[] = []
  for (let tab = 0; tab < 6; tab++) urls.push(await begin(browser, { callbackUrl: `/tab/${tab}` }))
  const dropped = await comeBack(browser, await issuer.authorize(urls[0] ?? ''))
  t.equal(dropped.status, 400, 'a page that offers to start again')
  t.equal(browser.cookies.get(sessionCookie), null)
  for (const tab of [1, 2, 3, 4, 5]) {
    t.equal((await comeBack(browser, await issuer.authorize(urls[tab] ?? ''))).location, `${origin}/tab/${tab}`)
  }
})

t.test('an attempt ends after 15 minutes, and the page offers to start again', async (t) => {
  const { browser, issuer, clock } = start()
  const first = await begin(browser, { callbackUrl: '/me' })
  const second = await begin(browser, { callbackUrl: '/me' })
  clock.advance(899)
  t.equal((await comeBack(browser, await issuer.authorize(first))).location, `${origin}/me`)
  await browser.submit('/api/auth/signout', {})
  clock.advance(1)
  const lost = await comeBack(browser, await issuer.authorize(second))
  t.equal(lost.status, 400)
  t.equal(browser.cookies.get(sessionCookie), null)
  const restarted = await browser.fill(lost, '/api/auth/signin/demo')
  t.match(restarted.location, /^https:\/\/issuer\.test\/authorize\?/)
  await comeBack(browser, await issuer.authorize(restarted.location ?? ''))
  t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
})

t.test('a custom sign-in page receives the error of an expired attempt', async (t) => {
  const { browser, issuer, clock } = start({ pages: { signIn: '/login' } })
  const url = await begin(browser)
  clock.advance(900)
  const lost = await comeBack(browser, await issuer.authorize(url))
  t.match([parameter(lost, 'error'), parameter(lost, 'reason')], ['OAuthCallback', 'expired'])
  const page = await browser.follow(lost)
  t.match(page.location, /^https:\/\/app\.test\/login\?/)
  t.match([parameter(page, 'error'), parameter(page, 'reason')], ['OAuthCallback', 'expired'])
})

t.test('oauth-1: a callback works once: replayed, it sends no request and signs no one in', async (t) => {
  const { browser, issuer } = start()
  const response = await issuer.authorize(await begin(browser))
  await comeBack(browser, response)
  await browser.submit('/api/auth/signout', {})
  const since = issuer.requests.length
  const replayed = await comeBack(browser, response)
  t.equal(replayed.status, 400)
  t.same(requested(issuer, since), [])
  t.same(await getSession(browser), {})
})

t.test('a replay with the cookies of before the first use is refused by the provider’s code alone', async (t) => {
  const { browser, issuer } = start()
  const response = await issuer.authorize(await begin(browser))
  const copy = browser.cookies.clone()
  await comeBack(browser, response)
  browser.cookies.clear()
  for (const { name, value, ...attributes } of copy.all()) browser.cookies.set(name, value, attributes)
  t.equal(parameter(await comeBack(browser, response), 'error'), 'OAuthCallback')
  t.same(await getSession(browser), {})
})

t.test('oauth-1: a response in a browser that did not ask: no token request, no session', async (t) => {
  const { browser, newBrowser, issuer } = start()
  const response = await issuer.authorize(await begin(browser))
  const victim = newBrowser()
  const since = issuer.requests.length
  t.equal((await comeBack(victim, response)).status, 400)
  await begin(victim)
  t.equal((await comeBack(victim, response)).status, 400, 'not even in one that asked for something else')
  t.same(requested(issuer, since), [])
  t.same(await getSession(victim), {})
  t.equal((await comeBack(browser, response)).location, origin, 'the one that asked is not disturbed')
})

t.test(
  'oauth-1: a response of another issuer, or of none although one was promised, is refused (RFC 9207)',
  async (t) => {
    for (const faults of [{ callbackIssWrong: true }, { callbackIssMissing: true }]) {
      const { browser, issuer } = start()
      Object.assign(issuer.faults, faults)
      const response = await issuer.authorize(await begin(browser))
      const since = issuer.requests.length
      t.equal(parameter(await comeBack(browser, response), 'error'), 'OAuthCallback')
      t.same(requested(issuer, since), [])
      t.same(await getSession(browser), {})
    }
  }
)

t.test('oauth-1: a code in a victim’s own attempt is refused: it belongs to another PKCE verifier', async (t) => {
  const { browser, newBrowser, issuer } = start()
  const attacker = newBrowser()
  const stolen = new URL(await issuer.authorize(await begin(attacker))).searchParams.get('code') ?? ''
  const response = new URL(await issuer.authorize(await begin(browser)))
  response.searchParams.set('code', stolen)
  t.equal(parameter(await comeBack(browser, response.href), 'error'), 'OAuthCallback')
  t.same(await getSession(browser), {})
})

type Changes = readonly (readonly [title: string, change: (response: URL) => void, code: string | null])[]

/** Responses without an attempt, or with an ambiguous one. */
const nameless: Changes = [
  ['no state', ({ searchParams }) => searchParams.delete('state'), null],
  ['an empty state', ({ searchParams }) => searchParams.set('state', ''), null],
  ['another state', ({ searchParams }) => searchParams.set('state', 'another'), null],
  [
    'the state twice',
    ({ searchParams }) => searchParams.append('state', searchParams.get('state') ?? ''),
    'OAuthCallback'
  ]
]

/** Responses to an attempt that the provider cannot have sent. */
const strange: Changes = [
  ['the code twice', ({ searchParams }) => searchParams.append('code', 'another'), 'OAuthCallback'],
  ['the issuer twice', ({ searchParams }) => searchParams.append('iss', 'https://issuer.test'), 'OAuthCallback'],
  ['an access token', ({ searchParams }) => searchParams.set('access_token', 'a'), 'OAuthCallback'],
  ['an ID Token', ({ searchParams }) => searchParams.set('id_token', 'a.b.c'), 'OAuthCallback'],
  ['a response object', ({ searchParams }) => searchParams.set('response', 'a.b.c'), 'OAuthCallback']
]

for (const [title, change, code, isSpent] of [
  ...nameless.map((one) => [...one, false] as const),
  ...strange.map((one) => [...one, true] as const)
]) {
  const attempt = `the attempt is ${isSpent ? '' : 'not '}spent`
  t.test(`a response with ${title}: no token request, no sign-in, and ${attempt}`, async (t) => {
    const { browser, issuer } = start()
    const response = await issuer.authorize(await begin(browser))
    const changed = new URL(response)
    change(changed)
    const since = issuer.requests.length
    const refused = await comeBack(browser, changed.href)
    t.equal(code === null ? refused.status : parameter(refused, 'error'), code ?? 400)
    t.same(requested(issuer, since), [])
    t.same(await getSession(browser), {})
    t.equal(held(browser).length, isSpent ? 0 : 3)
    const again = await comeBack(browser, response)
    t.equal(isSpent ? again.status : again.location, isSpent ? 400 : origin)
  })
}

t.test('an answer without a code or with an empty one is refused, and spends the attempt', async (t) => {
  for (const change of [
    (response: URL) => response.searchParams.delete('code'),
    (response: URL) => response.searchParams.set('code', '')
  ]) {
    const { browser, issuer } = start()
    const response = new URL(await issuer.authorize(await begin(browser)))
    change(response)
    const since = issuer.requests.length
    t.equal(parameter(await comeBack(browser, response.href), 'error'), 'OAuthCallback')
    t.same(requested(issuer, since), [])
    t.same(held(browser), [])
  }
})

t.test(
  'oauth-1: mix-up: the response of one provider at the callback of another is refused, every pair, either way',
  async (t) => {
    const issuers = ['a', 'b', 'c'].map((id) => createIssuer({ issuer: `https://${id}.test` }))
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const issuer = issuers.find((candidate) => url.startsWith(`${candidate.issuer}/`))
      return issuer ? issuer.fetch(url, init) : Promise.reject(new TypeError('fetch failed'))
    }
    const providers = issuers.map((issuer, index) => demoProvider(issuer, { id: 'abc'.charAt(index) }))
    const { newBrowser } = start({ providers, runtime: { fetch } })
    for (const [from, one] of issuers.entries()) {
      for (const [to, other] of issuers.entries()) {
        if (from === to) continue
        for (const sendsIss of [true, false]) {
          const browser = newBrowser()
          const url = await begin(browser, {}, `/api/auth/signin/${'abc'.charAt(from)}`)
          await begin(browser, {}, `/api/auth/signin/${'abc'.charAt(to)}`)
          const response = new URL(await one.authorize(url))
          response.pathname = `/api/auth/callback/${'abc'.charAt(to)}`
          if (sendsIss) response.searchParams.set('iss', other.issuer)
          const since = other.requests.length
          t.equal(parameter(await comeBack(browser, response.href), 'error'), 'OAuthCallback')
          t.notOk(requested(other, since).includes('/token'), 'no code is sent to a server that did not issue it')
          t.same(await getSession(browser), {})
        }
      }
    }
  }
)

t.test('two providers at once, in either order', async (t) => {
  const issuers = ['a', 'b'].map((id) => createIssuer({ issuer: `https://${id}.test`, person: { sub: id, name: id } }))
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    issuers.find(({ issuer }) => url.startsWith(issuer))?.fetch(url, init) ??
    Promise.reject(new TypeError('fetch failed'))
  const { browser } = start({
    providers: issuers.map((issuer, index) => demoProvider(issuer, { id: 'ab'.charAt(index) })),
    runtime: { fetch }
  })
  const urls = [await begin(browser, {}, '/api/auth/signin/a'), await begin(browser, {}, '/api/auth/signin/b')]
  for (const index of [1, 0]) {
    t.equal((await comeBack(browser, (await issuers[index]?.authorize(urls[index] ?? '')) ?? '')).location, origin)
    t.match(await getSession(browser), { user: { name: 'ab'.charAt(index) } })
  }
})

t.test('form_post: a POST from another site brings no cookies and is sent round once', async (t) => {
  const { browser, issuer } = start()
  const response = new URL(await issuer.authorize(await begin(browser, { callbackUrl: '/me' })))
  const crossSite = { 'sec-fetch-site': 'cross-site', origin: issuer.issuer }
  const posted = await browser.post(response.pathname, `${response.searchParams}&extra=1`, crossSite)
  t.equal(posted.status, 303)
  t.match(posted.location, /^https:\/\/app\.test\/api\/auth\/callback\/demo\?/)
  t.equal(parameter(posted, 'extra'), null, 'only protocol parameters are sent')
  t.same(posted.setCookies, [])
  const back = await comeBack(browser, posted.location ?? '')
  t.match(back, { status: 302, location: `${origin}/me` })
  t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
})

t.test('form_post: a POST that brings the cookies is answered at once; one for no one ends at a page', async (t) => {
  const { browser, issuer, newBrowser } = start()
  const response = new URL(await issuer.authorize(await begin(browser)))
  t.match(await browser.post(response.pathname, `${response.searchParams}`), { status: 302, location: origin })
  const stranger = newBrowser()
  const posted = await stranger.post(response.pathname, `${response.searchParams}`)
  t.equal(posted.status, 303)
  t.equal((await comeBack(stranger, posted.location ?? '')).status, 400, 'and not sent round again')
  t.equal(parameter(await stranger.post(response.pathname, 'access_token=a&state=b'), 'error'), 'OAuthCallback')
})

t.test('form_post: a POST that brings some of the cookies goes on as a GET, which brings all of them', async (t) => {
  const { browser, issuer, newBrowser } = start()
  const response = new URL(await issuer.authorize(await begin(browser)))
  for (const missing of checkCookies) {
    const partial = newBrowser()
    for (const { name, value, ...attributes } of browser.cookies.all())
      if (name !== missing) partial.cookies.set(name, value, attributes)
    const posted = await partial.post(response.pathname, `${response.searchParams}`)
    t.equal(posted.status, 303, missing)
    t.same(posted.setCookies, [])
    t.equal((await comeBack(partial, posted.location ?? '')).status, 400, 'nobody signs in with a part of them')
  }
  t.match(await comeBack(browser, response.href), { status: 302, location: origin })
})

t.test('another application has replaced one of the cookies: the user starts again, and signs in', async (t) => {
  const started = start()
  const { browser, issuer } = started
  for (const replaced of checkCookies) {
    const url = await begin(browser)
    browser.cookies.set(replaced, 'of-next-auth', { secure: true })
    const back = await comeBack(browser, await issuer.authorize(url))
    t.equal(back.status, 400, replaced)
    t.equal((await signIn(started, browser)).location, origin)
  }
})

t.test(
  'tabs with long callback URLs: the cookies take 5000 characters at most, and the newest tab signs in',
  async (t) => {
    const started = start()
    const { browser, issuer } = started
    const long = (tab: number): string => `/${tab}${'a'.repeat(1500)}`
    const urls: string[] = []
    for (let tab = 0; tab < 5; tab++) urls.push(await begin(browser, { callbackUrl: long(tab) }))
    const lengths = checkCookies.map((name) => browser.cookies.get(name)?.length ?? 0)
    t.ok(
      lengths.every((length) => length > 0),
      `${lengths}`
    )
    t.ok(lengths[0] && lengths.reduce((sum, length) => sum + length) <= 5000, `${lengths}`)
    t.equal((await comeBack(browser, await issuer.authorize(urls[0] ?? ''))).status, 400, 'the oldest one is dropped')
    t.equal((await comeBack(browser, await issuer.authorize(urls[4] ?? ''))).location, `${origin}${long(4)}`)
  }
)

t.test('a visitor who cancels at the provider is reported', async (t) => {
  const started = start()
  const { browser, issuer, log } = started
  issuer.faults.callbackError = 'access_denied'
  const cancelled = await signIn(started, browser)
  t.match([parameter(cancelled, 'error'), parameter(cancelled, 'reason')], ['OAuthCallback', 'cancelled'])
  t.same(requested(issuer), ['/.well-known/openid-configuration'])
  t.same(held(browser), [])
  t.match(log, [{ level: 'warn', code: 'OAUTH_CALLBACK_ERROR' }])
  t.equal((await browser.follow(cancelled)).status, 200)
  issuer.faults.callbackError = null
  t.equal((await signIn(started, browser)).location, origin)
})

t.test('the log entry of a failure has the metadata of next-auth: the error and the provider', async (t) => {
  const { browser, issuer, log } = start()
  issuer.faults.discoveryIssuerMismatch = true
  await browser.submit('/api/auth/signin/demo', {})
  t.equal(log.length, 1)
  const { level, code, metadata } = log[0] ?? {}
  t.same([level, code], ['error', 'SIGNIN_OAUTH_ERROR'])
  const { error, providerId, errorCode, message } = Object(metadata)
  t.same([providerId, errorCode], ['demo', 'OAuthSignin'])
  t.ok(error instanceof Error)
  t.equal(error.message, message)
  t.match(error.stack, /AuthError: .*\n {4}at /)
  t.ok(error.cause instanceof Error)
  t.match(JSON.parse(JSON.stringify(error)), { name: 'AuthError', message, cause: { message: String } })
})

t.test('page-1: an error with markup in it stays out of page and address', async (t) => {
  const { browser, issuer } = start()
  issuer.faults.callbackError = '<script>alert(1)</script>'
  const response = new URL(await issuer.authorize(await begin(browser)))
  response.searchParams.set('error_description', '"><img src=x onerror=alert(1)>\r\nX: y')
  response.searchParams.set('error_uri', 'javascript:alert(1)')
  const refused = await comeBack(browser, response.href)
  t.equal(parameter(refused, 'error'), 'OAuthCallback')
  t.notMatch(refused.location, /script|onerror/)
  t.notMatch((await browser.follow(refused)).body, /alert\(1\)|onerror/)
})

t.test('the provider cannot be reached: OAuthSignin, and it works again after five seconds', async (t) => {
  const started = start()
  const { browser, issuer, clock } = started
  for (const fault of [{ unreachable: true }, { discoveryStatus: 500 }, { discoveryIssuerMismatch: true }]) {
    Object.assign(issuer.faults, fault)
    const refused = await browser.submit('/api/auth/signin/demo', {})
    t.equal(parameter(refused, 'error'), 'OAuthSignin')
    t.equal(parameter(refused, 'reason'), 'unreachable' in fault ? 'unavailable' : null)
    t.same(held(browser), [], 'no attempt was started')
    Object.assign(issuer.faults, { unreachable: false, discoveryStatus: null, discoveryIssuerMismatch: false })
    clock.advance(5)
  }
  t.equal((await signIn(started, browser)).location, origin)
})

t.test('a document names the configured issuer, or the one of its URL, and no third', async (t) => {
  const server = 'https://issuer.test/realms'
  const other = createIssuer({ issuer: `${server}/b` })
  const beginWith = (provider: Partial<OAuthConfig>): Promise<BrowserResponse> => {
    const runtime = {
      fetch: (url: string, init: RequestInit) => other.fetch(url.replace('/well-known-of-c', '/b'), init)
    }
    return start({ provider, runtime }).browser.submit('/api/auth/signin/demo', {})
  }
  const atB = `${server}/b/.well-known/openid-configuration`
  const atC = `${server}/well-known-of-c/.well-known/openid-configuration`
  for (const [issuer, wellKnown] of [
    [`${server}/b`, atB],
    [`${server}/b`, atC],
    [server, atB],
    [undefined, atC]
  ] as const) {
    t.ok((await beginWith({ issuer, wellKnown })).location?.startsWith(`${other.issuer}/authorize`), wellKnown)
  }
  t.equal(parameter(await beginWith({ issuer: `${server}/a`, wellKnown: atC }), 'error'), 'OAuthSignin')
})

t.test('metadata is kept for an hour, and an old document is used for one more', async (t) => {
  const started = start()
  const { browser, issuer, clock } = started
  const discoveries = (): number => requested(issuer).filter((path) => path.startsWith('/.well-known')).length
  await signIn(started, browser)
  clock.advance(3599)
  await begin(browser)
  t.equal(discoveries(), 1)
  issuer.faults.discoveryStatus = 503
  clock.advance(1)
  await begin(browser)
  await begin(browser)
  t.equal(discoveries(), 2, 'asked once in a minute')
  clock.advance(3600)
  t.equal(parameter(await browser.submit('/api/auth/signin/demo', {}), 'error'), 'OAuthSignin')
  issuer.faults.discoveryStatus = null
  clock.advance(5)
  t.equal((await signIn(started, browser)).location, origin)
})

t.test('a newer document applies after the older one’s hour', async (t) => {
  const { browser, issuer, clock } = start()
  const target = async (): Promise<string> =>
    (await browser.submit('/api/auth/signin/demo', {})).location?.split('?')[0] ?? ''
  const older = await target()
  const authorization_endpoint = `${issuer.issuer}/authorize-anew`
  issuer.faults.respond = ({ url }) =>
    url.includes('.well-known') ? Response.json({ ...issuer.metadata, authorization_endpoint }) : null
  clock.advance(3599)
  t.equal(await target(), older)
  clock.advance(1)
  t.equal(await target(), authorization_endpoint)
})

t.test('a clock that was set back does not make a metadata document last longer', async (t) => {
  const started = start()
  const { browser, issuer, clock } = started
  await signIn(started, browser)
  clock.advance(-86_400)
  const before = requested(issuer).length
  t.equal((await signIn(started, browser)).location, origin)
  t.ok(
    requested(issuer)
      .slice(before)
      .some((path) => path.startsWith('/.well-known')),
    'it is requested again'
  )
})

t.test('the provider rotates its keys between two sign-ins', async (t) => {
  const started = start()
  await signIn(started, started.browser)
  started.issuer.rotateKeys()
  t.equal((await signIn(started, started.browser)).location, origin)
})

t.test('secrets in every spelling prove the client', async (t) => {
  for (const clientSecret of ['a:b', 'a%b', 'a+b c', 'ä😀', "!'()*~"]) {
    for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post']) {
      const started = start({ issuerOptions: { clientSecret }, provider: { client: { token_endpoint_auth_method } } })
      t.equal(
        (await signIn(started, started.browser)).location,
        origin,
        `${token_endpoint_auth_method} ${encodeURIComponent(clientSecret)}`
      )
    }
  }
  const open = start({ issuerOptions: { clientSecret: null } })
  t.equal((await signIn(open, open.browser)).location, origin, 'a public client has none')
})

t.test('a profile must have an id', async (t) => {
  for (const id of ['', 'ada\ud800', '\udc00ada', 'ada\0', null, undefined, Number.NaN, {}, [], true]) {
    const started = start({ provider: { profile: () => ({ id: id as string }) } })
    t.equal(parameter(await signIn(started, started.browser), 'error'), 'OAuthCallback')
    t.same(await getSession(started.browser), {})
  }
  const started = start({ provider: { profile: () => ({ id: 7, email: 'ADA@Example.com' }) } })
  await signIn(started, started.browser)
  t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
})

t.test('log-1: neither codes, tokens, verifiers nor secrets are in the log or in a response', async (t) => {
  const started = start({ issuerOptions: { clientSecret: 'canary-client-secret' } })
  const { browser, issuer, log } = started
  const results: string[] = []
  for (const fault of [
    { badSignature: true },
    {
      respond: ({ url, body }: IssuerRequest) => {
        const [code, verifier] = ['code', 'code_verifier'].map((name) => new URLSearchParams(body).get(name))
        const repeated = `wrong: ${code}, ${verifier}, canary-client-secret`
        return url.endsWith('/token')
          ? Response.json({ error: 'invalid_grant', error_description: repeated }, { status: 400 })
          : null
      }
    },
    { callbackIssWrong: true }
  ]) {
    Object.assign(issuer.faults, fault)
    const refused = await signIn(started, browser)
    results.push(refused.body, JSON.stringify(refused.headers), (await browser.follow(refused)).body)
  }
  const sent = issuer.requests
    .flatMap(({ body }) => [...new URLSearchParams(body)])
    .filter(([name]) => ['code', 'code_verifier'].includes(name))
  t.ok(sent.length >= 4)
  const text = JSON.stringify([log, results])
  for (const [name, value] of [...sent, ['client_secret', 'canary-client-secret']])
    t.notOk(text.includes(value ?? ''), String(name))
  t.notMatch(text, /canary|eyJhbGciOiJFUzI1NiI/)
  t.ok(log.length >= 3)
})
