import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryAdapter } from '@postern/adapters/memory'
import { ada, type BrowserResponse, type Clock, createClock, createIssuer, type Issuer } from '@postern/testkit'
import { getEndpoint } from '@postern/testkit/hostile'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { getSession, origin, type Started, type StartOptions, signInAtIssuer, signInByForm, start } from './start.ts'

const turns = turnsOf(['jwt', 'database'] as const, t)

const plainToken = /^[\w-]+\.[\w-]+\.[\w-]+$/

async function signedIn(t: Test, options: StartOptions = {}): Promise<Started> {
  const started = await start(t, { issuerOptions: { refreshTokens: true }, ...options })
  await signInAtIssuer(started, started.browser)
  started.store.forget()
  return started
}

async function signOut({ browser }: Started, fields: Readonly<Record<string, string>> = {}): Promise<BrowserResponse> {
  return browser.submit('/api/auth/signout', { callbackUrl: '/bye', provider: 'true', ...fields })
}

/** What the issuer asks of a visitor's browser once it has signed them out. */
function comesBack(location: string | null, change: (url: URL) => void = () => undefined): string {
  const { searchParams } = new URL(location ?? '')
  const back = new URL(searchParams.get('post_logout_redirect_uri') ?? '')
  back.searchParams.set('state', searchParams.get('state') ?? '')
  change(back)
  return back.href
}

const revoked = ({ requests }: Issuer): readonly (string | null)[] =>
  requests
    .filter((request) => getEndpoint(request) === 'revoke')
    .map(({ body }) => new URLSearchParams(body).get('token_type_hint'))

for (const { value: strategy, test } of turns()) {
  test(`oidcc-client-test-rp-init-logout (${strategy}): the session ends here, then at the provider`, async (t) => {
    const started = await signedIn(t, { session: { strategy } })
    const { browser, issuer } = started
    const away = await signOut(started)
    t.same(await getSession(browser), {}, 'the session here ended first')
    const url = new URL(away.location ?? '')
    t.equal(url.origin + url.pathname, issuer.metadata.end_session_endpoint)
    t.match(url.searchParams.get('id_token_hint') ?? '', plainToken)
    t.equal(url.searchParams.get('client_id'), issuer.clientId)
    t.equal(url.searchParams.get('post_logout_redirect_uri'), `${origin}/api/auth/signout`)
    const back = await browser.open(comesBack(away.location))
    t.match({ status: back.status, location: back.location }, { status: 302, location: `${origin}/bye` })
  })
}

t.test('oidcc-client-test-rp-init-logout-other-state: an unknown state leads to the front page', async (t) => {
  const started = await signedIn(t)
  const away = await signOut(started)
  for (const state of [
    'another',
    '',
    'eyJhbGciOiJkaXIifQ..a.b.c',
    `${new URL(away.location ?? '').searchParams.get('state')}1`
  ]) {
    const back = await started.browser.open(
      comesBack(away.location, ({ searchParams }) => searchParams.set('state', state))
    )
    t.match({ status: back.status, location: back.location }, { status: 302, location: origin })
  }
})

t.test('a provider that returns no state (Cognito): the front page, unless the user is still signed in', async (t) => {
  const started = await signedIn(t)
  const fromProvider = { headers: { 'sec-fetch-site': 'cross-site' } }
  t.equal((await started.browser.open('/api/auth/signout', fromProvider)).status, 200, 'another site asks')
  const away = await signOut(started)
  const address = comesBack(away.location, ({ searchParams }) => searchParams.delete('state'))
  const back = await started.browser.open(address, fromProvider)
  t.match({ status: back.status, location: back.location }, { status: 302, location: origin })
})

t.test('oidcc-client-test-rp-init-logout-no-state: the page asks as without a return', async (t) => {
  const started = await signedIn(t)
  const away = await signOut(started)
  const back = await started.browser.open(comesBack(away.location, ({ searchParams }) => searchParams.delete('state')))
  t.equal(back.status, 200)
  t.ok(back.html().querySelector('form[action="/api/auth/signout"]'))
})

t.test('a forged return from the provider signs no one out', async (t) => {
  const started = await signedIn(t)
  const away = await signOut(started)
  await signInAtIssuer(started, started.browser)
  const back = await started.browser.open(comesBack(away.location))
  t.equal(back.status, 200, 'the question')
  t.ok((await getSession(started.browser)).user, 'and the session is there')
})

t.test('a way back is good for a quarter of an hour', async (t) => {
  const started = await signedIn(t)
  const away = await signOut(started)
  started.clock.advance(901)
  t.equal((await started.browser.open(comesBack(away.location))).location, origin)
})

t.test('JSON clients get the URL', async (t) => {
  const started = await signedIn(t)
  const response = await signOut(started, { json: 'true' })
  t.equal(response.status, 200)
  t.ok(response.json<{ url: string }>().url.startsWith(started.issuer.metadata.end_session_endpoint))
})

for (const [why, corrupt] of [
  ['the provider has no such endpoint', ({ metadata: _, ...rest }: object & { metadata?: never }) => rest],
  ['the endpoint is a script', () => ({ end_session_endpoint: 'javascript:alert(1)' })],
  ['the endpoint is not an address', () => ({ end_session_endpoint: 'logout' })]
] as const) {
  t.test(`only the session here ends where ${why}`, async (t) => {
    const started = await start(t)
    started.issuer.faults.metadata = ({ end_session_endpoint: __, ...metadata }) => ({ ...metadata, ...corrupt({}) })
    await signInAtIssuer(started, started.browser)
    t.equal((await signOut(started)).location, `${origin}/bye`)
    t.same(await getSession(started.browser), {})
  })
}

t.test(
  'only the local session ends if the provider is unreachable, or provider sign-out was not requested',
  async (t) => {
    const started = await signedIn(t)
    started.clock.advance(86_400)
    started.issuer.faults.unreachable = true
    t.equal((await signOut(started)).location, `${origin}/bye`)
    t.same(await getSession(started.browser), {})
    started.issuer.behave()
    started.clock.advance(5)
    await signInAtIssuer(started, started.browser)
    t.equal((await started.browser.submit('/api/auth/signout', { callbackUrl: '/bye' })).location, `${origin}/bye`)
  }
)

t.test('a user of a form, or a signed-out one, is not redirected', async (t) => {
  const started = await start(t)
  t.equal((await signOut(started)).location, `${origin}/bye`)
  await signInByForm(started.browser)
  t.equal((await signOut(started)).location, `${origin}/bye`)
})

t.test('without a store the one provider is meant, and there is no hint', async (t) => {
  const started = await signedIn(t, { store: 'none' })
  const { searchParams } = new URL((await signOut(started)).location ?? '')
  t.equal(searchParams.get('client_id'), started.issuer.clientId)
  t.notOk(searchParams.has('id_token_hint'))
})

t.test('a provider that is named and not known is none', async (t) => {
  const started = await signedIn(t)
  t.equal((await signOut(started, { provider: 'another' })).location, `${origin}/bye`)
})

t.test('the hint is the token itself where tokens are encrypted in the store', async (t) => {
  const started = await signedIn(t, { account: { encryptTokens: true } })
  const { searchParams } = new URL((await signOut(started)).location ?? '')
  t.match(searchParams.get('id_token_hint') ?? '', plainToken)
})

t.test('tokens are revoked at sign-out if the application enables it', async (t) => {
  const started = await signedIn(t, { account: { revokeAtSignOut: true } })
  const { browser, issuer, adapter } = started
  t.equal((await browser.submit('/api/auth/signout', { callbackUrl: '/bye' })).location, `${origin}/bye`)
  t.same(revoked(issuer), ['refresh_token', 'access_token'])
  const user = await adapter?.getUserByEmail?.('ada@example.com')
  t.match(await adapter?.getAccounts?.(user?.id ?? ''), [{ access_token: null, refresh_token: null }])
})

t.test('tokens are left alone at sign-out otherwise', async (t) => {
  const started = await signedIn(t)
  await signOut(started)
  t.same(revoked(started.issuer), [])
})

for (const [how, status] of [
  ['', 200],
  [', also where the provider fails', 503]
] as const) {
  t.test(`an account that is taken from its user has its tokens taken back${how}`, async (t) => {
    const { app, adapter, issuer, log } = await signedIn(t)
    const user = await adapter?.getUserByEmail?.('ada@example.com')
    const words = { error: 'unsupported_token_type', error_description: 'not for public clients' }
    const failing = (): Response => Response.json(status === 200 ? {} : words, { status })
    issuer.faults.result = (response, request) => (getEndpoint(request) === 'revoke' ? failing() : response)
    await app.postern.unlink(user?.id ?? '', { provider: 'demo', providerAccountId: ada.sub })
    t.same(revoked(issuer), status === 200 ? ['refresh_token', 'access_token'] : ['refresh_token'])
    t.same(await adapter?.getAccounts?.(user?.id ?? ''), [])
    t.equal(
      log.some((line) => line.includes('REVOKE_TOKEN_ERROR') && line.includes(words.error_description)),
      status !== 200
    )
  })
}

const event = 'http://schemas.openid.net/event/backchannel-logout'

interface LogoutCase {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly token?: (token: string) => string
}

function getClaims(
  { issuer, clock }: { readonly issuer: Issuer; readonly clock: Pick<Clock, 'now'> },
  changes: Readonly<Record<string, unknown>> = {}
): Record<string, unknown> {
  const now = Math.floor(clock.now() / 1000)
  const honest = {
    iss: issuer.issuer,
    aud: issuer.clientId,
    iat: now,
    exp: now + 120,
    jti: randomUUID(),
    sub: ada.sub,
    sid: 'sid-1',
    events: { [event]: {} }
  }
  return Object.fromEntries(Object.entries({ ...honest, ...changes }).filter(([, value]) => value !== undefined))
}

async function logout(
  started: Started,
  { claims, header, token = (text) => text }: LogoutCase = {}
): Promise<BrowserResponse> {
  const signed = await started.issuer.sign(getClaims(started, claims), { typ: 'logout+jwt', ...header })
  return sendLogoutToken(started, token(signed))
}

function sendLogoutToken({ newBrowser }: Started, token: string): Promise<BrowserResponse> {
  return newBrowser().post('/api/auth/backchannel-logout/demo', `${new URLSearchParams({ logout_token: token })}`)
}

const unsigned = (token: string): string =>
  `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${token.split('.')[1]}.`

const refusals: Readonly<Record<string, LogoutCase>> = {
  'oidcc-client-test-rp-backchannel-rpinitlogout-alg-none': { token: unsigned },
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg': {
    token: (token) => token.replace(/^[^.]+/, Buffer.from('{"alg":"HS256","typ":"logout+jwt"}').toString('base64url'))
  },
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss': { claims: { iss: 'https://another.test' } },
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud': { claims: { aud: 'another-client' } },
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event': {
    claims: { events: { 'https://another.test/event': {} } }
  },
  'oidcc-client-test-rp-backchannel-rpinitlogout-no-event': { claims: { events: undefined } },
  'oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce': { claims: { nonce: 'a-nonce' } },
  'an event that is not an object': { claims: { events: { [event]: true } } },
  'the type of an access token': { header: { typ: 'at+jwt' } },
  'the type of a proof': { header: { typ: 'dpop+jwt' } },
  'the type of a security event': { header: { typ: 'application/secevent+jwt' } },
  'no end, and six minutes old': { claims: { exp: undefined, iat: Math.floor(createClock().now() / 1000) - 360 } },
  'an end that is a text': { claims: { exp: 'tomorrow' } },
  'an end that has ended': { claims: { exp: 1 } },
  'no jti': { claims: { jti: undefined } },
  'made an hour ago': { claims: { iat: 1 } },
  'neither sub nor sid': { claims: { sub: undefined, sid: undefined } },
  'a signature that was changed': { token: (token) => token.replace(/.{8}$/, 'AAAAAAAA') },
  'a signature with padding (RFC 7515 §2)': { token: (token) => `${token}==` },
  'no token': { token: () => '' },
  'no JWT': { token: () => 'a.b.c' },
  '64 kB': { token: (token) => `${token}${'A'.repeat(65_536)}` }
}

t.test('oidcc-client-test-rp-backchannel-rpinitlogout: the provider ends every session of the user', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' } })
  const other = started.newBrowser()
  await signInAtIssuer(started, other)
  const response = await logout(started)
  t.equal(response.status, 200)
  t.match(response.headers['cache-control'], /no-store/)
  t.same(await getSession(started.browser), {})
  t.same(await getSession(other), {})
})

/** What the specification recommends or leaves open: absent, general, and recommended. */
const accepted: Readonly<Record<string, LogoutCase>> = {
  'no type': { header: { typ: undefined } },
  'the type of any JWT (Keycloak before 25, Glewlwyd)': { header: { typ: 'JWT' } },
  'the type of any JWT, as a media type': { header: { typ: 'application/jwt' } },
  'the recommended type': { header: { typ: 'logout+jwt' } },
  'the recommended type, as a media type': { header: { typ: 'application/logout+jwt' } },
  'no end (Hydra, Glewlwyd)': { claims: { exp: undefined } },
  'no end, and almost five minutes old': {
    claims: { exp: undefined, iat: Math.floor(createClock().now() / 1000) - 299 }
  },
  'an end in a year': { claims: { exp: Math.floor(createClock().now() / 1000) + 31_536_000 } },
  'several audiences': { claims: { aud: ['another', 'client'] } },
  'no sid': { claims: { sid: undefined } },
  'no sub': { claims: { sub: undefined } },
  'an event with members': { claims: { events: { [event]: { reason: 'expired' }, 'https://another.test/event': {} } } },
  'claims that no one knows': { claims: { toe: 1, txn: 'one', trace_id: 'two' } }
}

t.test('a logout token as the specification allows it ends the session, once', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' }, rateLimit: false })
  for (const [name, token] of Object.entries(accepted)) {
    const browser = started.newBrowser()
    await signInAtIssuer(started, browser)
    const signed = await started.issuer.sign(getClaims(started, token.claims), { typ: 'logout+jwt', ...token.header })
    t.equal((await sendLogoutToken(started, signed)).status, 200, name)
    if (token.claims?.['sub'] !== undefined || !('sub' in (token.claims ?? {})))
      t.same(await getSession(browser), {}, name)
    t.equal((await sendLogoutToken(started, signed)).status, 400, `${name}, a second time`)
  }
})

t.test('requireLogoutTokenType: logout+jwt, and no other type', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' }, demo: { requireLogoutTokenType: true } })
  for (const typ of [undefined, 'JWT', 'at+jwt']) t.equal((await logout(started, { header: { typ } })).status, 400)
  t.match(started.log.join(''), /typ: expected logout\+jwt/)
  t.ok((await getSession(started.browser)).user)
  for (const typ of ['logout+jwt', 'application/logout+jwt'])
    t.equal((await logout(started, { header: { typ } })).status, 200)
  t.same(await getSession(started.browser), {})
})

t.test('a logout token that is none: 400, and the session remains', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' }, rateLimit: false })
  for (const [name, refusal] of Object.entries(refusals)) {
    const response = await logout(started, refusal)
    t.equal(response.status, 400, name)
    t.match(response.headers['cache-control'], /no-store/)
    t.ok((await getSession(started.browser)).user, name)
  }
})

t.test('oauth-5: a logout token that cannot be valid causes no request to the provider', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  const invalid: readonly LogoutCase[] = [
    { claims: { iss: 'https://another.test' } },
    { claims: { aud: 'another-client' } },
    { claims: { events: undefined } },
    { claims: { jti: undefined } },
    { claims: { iat: 1 } },
    { token: () => 'a.b.c' }
  ]
  for (const one of invalid) t.equal((await logout(started, one)).status, 400)
  t.same(started.issuer.requests, [])
  t.equal((await logout(started)).status, 200)
  t.ok(started.issuer.requests.length > 0)
})

t.test(
  'forged logout tokens: a client has a limit; genuine ones, and those of another client, do not count',
  async (t) => {
    const rateLimit = { callbackPerClient: { points: 2, seconds: 60 } }
    const started = await signedIn(t, { session: { strategy: 'database' }, server: { trustProxy: true }, rateLimit })
    const send = async (client: string, refusal: LogoutCase = {}): Promise<number> => {
      const token = await started.issuer.sign(getClaims(started, refusal.claims), { typ: 'logout+jwt' })
      const body = `${new URLSearchParams({ logout_token: refusal.token?.(token) ?? token })}`
      const headers = { 'x-forwarded-for': client }
      return (await started.newBrowser().post('/api/auth/backchannel-logout/demo', body, headers)).status
    }
    const ends = { claims: { sub: 'nobody' } }
    for (const _ of [1, 2, 3, 4]) t.equal(await send('192.0.2.1', ends), 200, 'the provider')
    const forged = { token: (token: string) => token.replace(/.{8}$/, 'AAAAAAAA') }
    for (const status of [400, 400, 429, 429]) t.equal(await send('192.0.2.2', forged), status, 'the forger')
    t.equal(await send('192.0.2.2'), 429, 'is refused before the token is read')
    t.ok((await getSession(started.browser)).user)
    t.equal(await send('192.0.2.1'), 200)
    t.same(await getSession(started.browser), {})
  }
)

t.test('an ID Token is not a logout token', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' } })
  const user = await started.adapter?.getUserByEmail?.('ada@example.com')
  const [account] = (await started.adapter?.getAccounts?.(user?.id ?? '')) ?? []
  t.equal((await sendLogoutToken(started, account?.id_token ?? '')).status, 400)
  t.ok((await getSession(started.browser)).user)
})

t.test('a logout token is accepted once while it is valid', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' } })
  const token = await started.issuer.sign(getClaims(started), { typ: 'logout+jwt' })
  t.equal((await sendLogoutToken(started, token)).status, 200)
  await signInAtIssuer(started, started.browser)
  for (const seconds of [0, 119, 10, 180]) {
    started.clock.advance(seconds)
    t.equal((await sendLogoutToken(started, token)).status, 400, `${seconds} s later`)
  }
  t.ok((await getSession(started.browser)).user)
})

t.test('a logout token that was not used for want of a store may come again, at once and often', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' } })
  const token = await started.issuer.sign(getClaims(started), { typ: 'logout+jwt' })
  started.store.breakDown('createVerificationToken')
  t.equal(
    (await sendLogoutToken(started, token)).status,
    503,
    'sessions have ended, but no one would know that it was used'
  )
  started.store.restore()
  const responses = await Promise.all(Array.from({ length: 10 }, () => sendLogoutToken(started, token)))
  t.ok(responses.some(({ status }) => status === 200))
  t.ok(responses.every(({ status }) => status === 200 || status === 400))
  t.equal((await sendLogoutToken(started, token)).status, 400)
})

interface LogoutProcess {
  readonly sendLogoutToken: (token: string) => Promise<number>
}

/** A process of an application that asks the issuer through this one. */
async function startProcess(t: Test, file: string, port: number): Promise<LogoutProcess> {
  const script = join(import.meta.dirname, 'logout-instance.js')
  const child = fork(script, [file, String(port)], { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill())
  const [own] = await once(child, 'message')
  const url = `http://127.0.0.1:${own}/api/auth/backchannel-logout/demo`
  return {
    sendLogoutToken: async (token) =>
      (await fetch(url, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })).status
  }
}

t.test('two processes: a logout token that one has used is refused by the other', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-logout-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const issuer = createIssuer()
  const server = createServer(async ({ url = '' }, response) => {
    const reply = await issuer.fetch(issuer.issuer + url)
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
  })
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const file = join(folder, 'app.db')
  const first = await startProcess(t, file, port)
  const second = await startProcess(t, file, port)
  for (const [one, other] of [
    [first, second],
    [second, first]
  ] as const) {
    const token = await issuer.sign(getClaims({ issuer, clock: Date }), { typ: 'logout+jwt' })
    t.equal(await one.sendLogoutToken(token), 200)
    t.equal(await other.sendLogoutToken(token), 400)
    t.equal(await one.sendLogoutToken(token), 400)
  }
})

t.test('a store that fails gives the provider another try', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'database' } })
  const token = await started.issuer.sign(getClaims(started), { typ: 'logout+jwt' })
  started.store.breakDown('deleteSessions', 'deleteSession')
  t.equal((await sendLogoutToken(started, token)).status, 503)
  started.store.restore()
  t.equal((await sendLogoutToken(started, token)).status, 200)
  t.same(await getSession(started.browser), {})
})

for (const [title, claims] of [
  ['an account that no one has', { sub: 'nobody' }],
  ['a session that no one has', { sub: undefined, sid: 'nobody' }]
] as const) {
  t.test(`${title}: 200, and nothing happens`, async (t) => {
    const started = await signedIn(t, { session: { strategy: 'database' } })
    t.equal((await logout(started, { claims })).status, 200)
    t.ok((await getSession(started.browser)).user)
  })
}

t.test('only users of that provider are concerned', async (t) => {
  const started = await start(t, { session: { strategy: 'database' } })
  await signInByForm(started.browser, ada.sub)
  t.equal((await logout(started)).status, 200)
  t.ok((await getSession(started.browser)).user)
})

t.test('sessions that no one can end cannot be ended by a provider: it is reported', async (t) => {
  const started = await signedIn(t, { session: { strategy: 'jwt', revocations: false } })
  t.equal((await logout(started)).status, 400)
  const { deleteSessions: _, ...adapter } = memoryAdapter()
  const other = await start(t, { adapter, session: { strategy: 'database' } })
  t.equal((await logout(other)).status, 400)
})
