import type { OAuthConfig } from '@postern/core'
import type { Browser } from '@postern/testkit'
import t, { type Test } from 'tap'
import { cookieNames, fromAfar, getSession, origin, signInByMail, start } from '../start.ts'
import { accountsOf, address, begin, idIn, idOf, mallory, signIn, startAccounts, vera } from './setup.ts'

const scope = 'openid email profile'
const jwt = { strategy: 'jwt' } as const
const asJson = { 'content-type': 'application/json' }

/** Sends sign-ins to one application. @returns The authorization request, or `null` if there is none. */
async function startRequests(t: Test, demo: Partial<OAuthConfig> = {}) {
  const { browser } = await start(t, { instances: 1, rateLimit: false, demo, session: jwt })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  return async (query: string, body = '', headers = {}): Promise<URLSearchParams | null> => {
    const sent = body.startsWith('{')
      ? body.replace('{', `{"csrfToken":"${csrfToken}",`)
      : `csrfToken=${csrfToken}${body}`
    const { location, status } = await browser.post(`/api/auth/signin/demo${query}`, sent, headers)
    if (status >= 500) throw new Error(`${status} for ${query}`)
    return location?.startsWith('https://issuer.test/authorize?') ? new URL(location).searchParams : null
  }
}

t.test('an allowed parameter comes twice, as an array, or in the body', async (t) => {
  const request = await startRequests(t)
  for (const [query, body, headers] of [
    ['?login_hint=a&login_hint=b', '', {}],
    ['?login_hint[]=a&login_hint[]=b', '', {}],
    ['?login_hint[0]=a', '', {}],
    ['?login_hint=a&LOGIN_HINT=b&Login_hint=c', '', {}],
    ['', '&login_hint=a&login_hint=b', {}],
    ['', '{"login_hint":["a","b"],"prompt":{"a":1}}', asJson],
    ['?prompt=none&prompt=login', '&prompt=consent', {}]
  ] as const) {
    const sent = await request(query, body, headers)
    const names = [...(sent?.keys() ?? [])]
    t.equal(new Set(names).size, names.length, `${query} ${body}: each parameter once (RFC 6749 §3.1)`)
    t.notOk(names.some((name) => /[[\]A-Z]/.test(name)))
  }
})

t.test('the value of an allowed parameter contains further parameters', async (t) => {
  const request = await startRequests(t)
  for (const value of [
    'a&scope=admin',
    'a%26scope%3Dadmin',
    'a#scope=admin',
    'a;scope=admin',
    'a\r\nscope: admin',
    'a\u0000&redirect_uri=https://evil.test',
    'a?client_id=evil',
    '%252526scope=admin',
    '\ud83d\ude00&scope=admin'
  ]) {
    const sent = await request(`?${new URLSearchParams({ login_hint: value })}`)
    t.equal(sent?.get('scope') ?? scope, scope, JSON.stringify(value))
    t.equal(sent?.get('client_id') ?? 'client', 'client')
    t.equal(sent?.get('redirect_uri') ?? `${origin}/api/auth/callback/demo`, `${origin}/api/auth/callback/demo`)
    if (sent?.has('login_hint')) t.equal(sent.get('login_hint'), value)
  }
})

t.test('an allowed parameter is very long, or is no UTF-8', async (t) => {
  const request = await startRequests(t)
  for (const query of [
    `?login_hint=${'a'.repeat(12_000)}`,
    '?login_hint=%ff%fe',
    '?login_hint=%',
    '?%=%&=&&',
    '?login_hint=%ed%a0%80'
  ]) {
    const sent = await request(query)
    t.equal(sent?.get('scope') ?? scope, scope, query.slice(0, 30))
  }
})

/** Spellings of the name of a parameter. */
const getSpellings = (name: string): readonly string[] => [
  name.toUpperCase(),
  ` ${name}`,
  `${name} `,
  `${name}\u0000`,
  `${name}[]`,
  `${name}[0]`,
  `${name}.`,
  `\ufeff${name}`,
  encodeURIComponent(encodeURIComponent(name)).replace(/^./, '%25$&'),
  `${name.slice(0, -1)}\uff41`,
  `__proto__[${name}]`,
  `constructor.${name}`
]

t.test('a configured parameter is replaced under another spelling of its name', async (t) => {
  for (const [name, value] of [
    ['hd', 'example.com'],
    ['acr_values', 'mfa'],
    ['max_age', '0']
  ] as const) {
    const request = await startRequests(t, {
      authorization: { params: { scope, [name]: value } },
      allowedAuthorizationParams: [name]
    })
    const reference = (await request(''))?.size
    for (const spelling of [name, ...getSpellings(name)]) {
      const sent = await request(`?${new URLSearchParams({ [spelling]: 'evil' })}`)
      t.same(sent?.getAll(name), [value], JSON.stringify(spelling))
      t.equal(sent?.size, reference, `${JSON.stringify(spelling)} adds nothing`)
    }
  }
})

t.test('a parameter that is configured as empty, or by a number, is replaced', async (t) => {
  for (const configured of ['', '0', ' ']) {
    const request = await startRequests(t, {
      authorization: { params: { scope, hd: configured } },
      allowedAuthorizationParams: ['hd', 'prompt']
    })
    const sent = await request('?hd=evil.test')
    t.notMatch(sent?.getAll('hd').join(), 'evil', JSON.stringify(configured))
  }
})

t.test('the scope is replaced, shortened or extended with separators that a provider may split at', async (t) => {
  const demo = { authorization: { params: { scope } }, allowedAuthorizationParams: ['scope'] }
  const request = await startRequests(t, demo)
  for (const value of [
    'a\tb',
    'a\nb',
    'a\u00a0b',
    'a\u0000b',
    'a,b',
    '-email',
    '!email',
    'email:none',
    '"',
    '\\',
    '\u{1f600}',
    ''
  ]) {
    const sent = await request(`?${new URLSearchParams({ scope: value })}`)
    const tokens = sent?.get('scope')?.split(' ') ?? []
    for (const token of scope.split(' ')) t.ok(sent === null || tokens.includes(token), JSON.stringify(value))
    t.equal(new Set(tokens).size, tokens.length)
  }
  const fixed = await startRequests(t, { authorization: { params: { scope } } })
  for (const spelling of ['scope', ...getSpellings('scope')]) {
    const sent = await fixed(
      `?${new URLSearchParams({ [spelling]: 'admin' })}`,
      `&${new URLSearchParams({ [spelling]: 'admin' })}`
    )
    t.equal(sent?.get('scope'), scope, JSON.stringify(spelling))
    t.notMatch(String(sent), 'admin', JSON.stringify(spelling))
  }
})

t.test('the sign-in page carries parameters of its query into its forms', async (t) => {
  const { browser } = await start(t, { instances: 1 })
  const evil = new URLSearchParams({
    login_hint: 'evil',
    prompt: 'none',
    scope: 'evil',
    link: 'true',
    csrfToken: 'evil',
    provider: 'evil'
  })
  const page = await browser.open(`/api/auth/signin?${evil}`)
  t.equal(page.status, 200)
  for (const element of page.html().querySelectorAll('form, input, a, button'))
    for (const value of Object.values(element.attributes)) t.notMatch(value, 'evil')
})

/** What a callback contains that no provider sends, and what must not be taken from it. */
const oddCallbacks: Readonly<Record<string, (url: URL) => void>> = {
  'the code twice': (url) => url.searchParams.append('code', 'x'),
  'the code twice, the other first': (url) => {
    url.search = `?code=x&${url.searchParams}`
  },
  'the code as an array': (url) => {
    url.searchParams.set('code[]', url.searchParams.get('code') ?? '')
    url.searchParams.delete('code')
  },
  'the state twice': (url) => url.searchParams.append('state', 'x'),
  'the state cut off': (url) => url.searchParams.set('state', (url.searchParams.get('state') ?? '').slice(0, -1)),
  'the state longer': (url) => url.searchParams.append('state', `${url.searchParams.get('state')}=`),
  'the state in another case': (url) =>
    url.searchParams.set('state', (url.searchParams.get('state') ?? '').toUpperCase().concat('A')),
  'the state empty': (url) => url.searchParams.set('state', ''),
  'no state': (url) => url.searchParams.delete('state'),
  'the state in a parameter STATE': (url) => {
    url.searchParams.set('STATE', url.searchParams.get('state') ?? '')
    url.searchParams.delete('state')
  },
  'the issuer twice': (url) => url.searchParams.append('iss', 'https://evil.test'),
  'the issuer twice, both right': (url) => url.searchParams.append('iss', url.searchParams.get('iss') ?? ''),
  'another issuer': (url) => url.searchParams.set('iss', 'https://evil.test'),
  'the issuer with a slash': (url) => url.searchParams.set('iss', 'https://issuer.test/'),
  'the issuer in another case': (url) => url.searchParams.set('iss', 'https://ISSUER.test'),
  'the issuer with a port': (url) => url.searchParams.set('iss', 'https://issuer.test:443'),
  'the issuer empty': (url) => url.searchParams.set('iss', ''),
  'the issuer as an array': (url) => {
    url.searchParams.delete('iss')
    url.searchParams.set('iss[]', 'https://issuer.test')
  },
  'no issuer': (url) => url.searchParams.delete('iss'),
  'a code and an error': (url) => url.searchParams.set('error', 'access_denied'),
  'another provider': (url) => {
    url.pathname = url.pathname.replace('demo', 'loose')
  }
}

for (const [what, change] of Object.entries(oddCallbacks)) {
  t.test(`a callback is changed: ${what}`, async (t) => {
    const started = await startAccounts(t, { session: jwt })
    const { browser, issuer } = started
    const { callback } = await begin(started, browser, vera)
    const url = new URL(callback)
    change(url)
    const tokens = () => issuer.requests.filter((request) => request.method === 'POST').length
    const { status } = await browser.open(url.href, { headers: fromAfar })
    t.ok(status < 500, `${status}`)
    t.equal(await idIn(browser), null)
    t.equal(tokens(), 0, 'no code is sent to the provider')
  })
}

t.test('an ID Token or a token is put into a callback', async (t) => {
  const started = await startAccounts(t, { session: jwt })
  const { browser, issuer, clock } = started
  const { callback } = await begin(started, browser, vera)
  const now = Math.floor(clock.now() / 1000)
  const idToken = await issuer.sign({
    iss: issuer.issuer,
    aud: issuer.clientId,
    sub: 'mallory',
    iat: now,
    exp: now + 300
  })
  const url = new URL(callback)
  for (const [name, value] of Object.entries({
    id_token: idToken,
    access_token: 'x',
    token_type: 'bearer',
    sub: 'mallory',
    email: address
  }))
    url.searchParams.set(name, value)
  await browser.open(url.href, { headers: fromAfar })
  t.equal(await idOf(started, 'mallory'), null, 'nobody signs in by what the address contains')
})

t.test('HEAD and OPTIONS of a callback, or a prefetch, finish a sign-in', async (t) => {
  const started = await startAccounts(t, { session: jwt })
  const { browser, issuer } = started
  const { callback, finish } = await begin(started, browser, vera)
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE'] as const) {
    await browser.request(method, callback, { headers: fromAfar })
    t.equal(await idIn(browser), null, method)
  }
  t.equal(issuer.requests.filter((request) => request.method === 'POST').length, 0)
  await finish()
  t.ok(await idIn(browser), 'the callback itself still works')
})

const checkCookies = [cookieNames.state, cookieNames.pkceCodeVerifier, cookieNames.nonce] as const

t.test('one cookie of a sign-in is taken from another browser, another provider, or missing', async (t) => {
  const started = await startAccounts(t, { session: jwt })
  const { newBrowser } = started
  const present = async (browser: Browser, options = {}) => ({
    browser,
    ...(await begin(started, browser, vera, options))
  })
  const first = await present(newBrowser())
  const used = checkCookies.filter((name) => first.browser.cookies.get(name) !== null)
  t.ok(used.length > 0)
  for (const name of used) {
    for (const provider of ['demo', 'loose']) {
      const [own, other] = [await present(newBrowser()), await present(newBrowser(), { provider })]
      const cookie = own.browser.cookies.all().find((each) => each.name === name)
      own.browser.cookies.set(name, other.browser.cookies.get(name) ?? '', { ...cookie })
      await own.finish()
      t.equal(await idIn(own.browser), null, `${name} of ${provider}`)
    }
    for (const value of [null, '', 'x', 'undefined', '..', 'a.b.c']) {
      const own = await present(newBrowser())
      const cookie = own.browser.cookies.all().find((each) => each.name === name)
      if (value === null) own.browser.cookies.delete(name)
      else own.browser.cookies.set(name, value, { ...cookie })
      await own.finish()
      t.equal(await idIn(own.browser), null, `${name} is ${value}`)
    }
  }
})

t.test(
  'the code of the attacker is put into the callback of a victim, or the state of a victim into its own',
  async (t) => {
    const started = await startAccounts(t, { session: jwt })
    const { newBrowser } = started
    const [victim, thief] = [newBrowser(), newBrowser()]
    const swapped = async () => {
      const own = new URL((await begin(started, victim, vera)).callback)
      const theirs = new URL((await begin(started, thief, mallory)).callback)
      return { own, theirs }
    }
    const codes = await swapped()
    codes.own.searchParams.set('code', codes.theirs.searchParams.get('code') ?? '')
    await victim.open(codes.own.href, { headers: fromAfar })
    t.equal(await idIn(victim), null, 'the victim is not signed in as the attacker')
    const states = await swapped()
    states.theirs.searchParams.set('code', states.own.searchParams.get('code') ?? '')
    await thief.open(states.theirs.href, { headers: fromAfar })
    t.equal(await idIn(thief), null, 'the attacker does not redeem the code of the victim')
  }
)

t.test('callbackUrl is an array, comes twice, or is in query, body and cookie at once', async (t) => {
  const { browser } = await start(t, { instances: 1, rateLimit: false, session: jwt })
  const fields = 'username=grace&password=lovelace'
  const evil = 'https://evil.test/'
  for (const [query, body, headers] of [
    ['', `&callbackUrl=/ok&callbackUrl=${evil}`, {}],
    ['', `&callbackUrl=${evil}&callbackUrl=/ok`, {}],
    ['', `&callbackUrl[]=${evil}`, {}],
    [`?callbackUrl=${evil}`, '&callbackUrl=/ok', {}],
    [`?callbackUrl=/ok&callbackUrl=${evil}`, '', {}],
    [`?callbackurl=${evil}&CALLBACKURL=${evil}`, '', {}],
    [`?redirect=${evil}&returnTo=${evil}&url=${evil}&next=${evil}`, '', {}],
    ['', JSON.stringify({ callbackUrl: [evil] }), asJson],
    ['', JSON.stringify({ callbackUrl: { href: evil } }), asJson],
    ['', JSON.stringify({ callbackUrl: `/ok\n${evil}` }), asJson],
    ['', JSON.stringify({ callbackUrl: null, redirect: evil }), asJson]
  ] as const) {
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    browser.cookies.set(cookieNames.callbackUrl, encodeURIComponent(evil), { secure: true })
    const sent = body.startsWith('{')
      ? JSON.stringify({ csrfToken, username: 'grace', password: 'lovelace', ...(JSON.parse(body) as object) })
      : `csrfToken=${csrfToken}&${fields}${body}`
    const reply = await browser.post(`/api/auth/callback/credentials${query}`, sent, headers)
    t.ok(reply.status < 500)
    const remembered = reply.setCookies.find(({ name }) => name === cookieNames.callbackUrl)?.value ?? ''
    const script = reply.body.startsWith('{') ? reply.json<{ url?: string }>().url : undefined
    for (const url of [reply.location, script, decodeURIComponent(remembered)])
      t.equal(new URL(url ?? '', origin).origin, origin, `${query} ${body}`)
  }
})

t.test('the field that asks for a link is no text, comes twice, or is in the query', async (t) => {
  const started = await startAccounts(t)
  const { browser, issuer } = started
  await signInByMail(started, browser, address)
  const id = (await idIn(browser)) ?? ''
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  for (const [body, headers, query] of [
    [JSON.stringify({ csrfToken, link: ['true'] }), asJson, ''],
    [JSON.stringify({ csrfToken, link: { true: true } }), asJson, ''],
    [JSON.stringify({ csrfToken, link: 1 }), asJson, ''],
    [`{"csrfToken":"${csrfToken}","__proto__":{"link":"true"}}`, asJson, ''],
    [`csrfToken=${csrfToken}&link=true&link=true`, {}, ''],
    [`csrfToken=${csrfToken}&link[]=true`, {}, ''],
    [`csrfToken=${csrfToken}&LINK=true`, {}, ''],
    [`csrfToken=${csrfToken}`, {}, '?link=true&link=demo']
  ] as const) {
    const reply = await browser.post(`/api/auth/signin/demo${query}`, body, headers)
    const location = reply.location ?? (reply.body.startsWith('{') ? reply.json<{ url?: string }>().url : null) ?? ''
    if (!location.startsWith('https://issuer.test/authorize')) continue
    await browser.open(await issuer.authorize(location, mallory), { headers: fromAfar })
    t.same(await accountsOf(started, id), [], body.slice(0, 80).replace(csrfToken, '…'))
  }
  t.same(await accountsOf(started, id), [])
})

t.test('a browser updates its session with the identity of another user', async (t) => {
  for (const strategy of ['jwt', 'database'] as const) {
    const started = await startAccounts(t, { session: { strategy } })
    const { browser, newBrowser } = started
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    const ownerId = await idIn(owner)
    await signIn(started, browser, mallory)
    const id = await idIn(browser)
    const expires = (await getSession(browser)).expires
    const claims = {
      sub: ownerId,
      id: ownerId,
      userId: ownerId,
      email: address,
      exp: 9e9,
      iat: 1,
      jti: 'x',
      session_app: 'x'
    }
    for (const data of [
      claims,
      { user: claims },
      { token: claims },
      { session: { user: claims } },
      [claims],
      ownerId
    ]) {
      const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
      await browser.post('/api/auth/session', JSON.stringify({ csrfToken, data, ...claims }), asJson)
      t.equal(await idIn(browser), id, strategy)
      const session = await getSession(browser)
      t.equal(session.user?.email, 'mallory@evil.test')
      t.equal(session.expires, expires)
    }
  }
})

t.test('the id of a provider in a path is a member of Object, in another case, or encoded', async (t) => {
  const { browser } = await start(t, { instances: 1, rateLimit: false, session: jwt })
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const ids = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'DEMO',
    'demo%00',
    'demo%20',
    'demo.',
    'd%65mo%2f',
    '%2e%2e',
    '*',
    ':provider',
    'demo%2fcallback',
    '\u24d3emo'
  ]
  for (const id of ids) {
    const path = encodeURI(id).replaceAll('%25', '%')
    for (const action of ['signin', 'callback', 'backchannel-logout']) {
      for (const reply of [
        await browser.open(`/api/auth/${action}/${path}?code=x&state=x`),
        await browser.post(`/api/auth/${action}/${path}`, `csrfToken=${csrfToken}&username=a&password=lovelace`)
      ]) {
        t.ok(reply.status < 500, `${action}/${id}: ${reply.status}`)
        t.notOk(reply.location?.startsWith('https://issuer.test/'), `${action}/${id}`)
      }
    }
  }
  t.same(await getSession(browser), {})
})
