import { decodeProtectedHeader } from 'jose'
import * as oauth from 'oauth4webapi'
import t from 'tap'
import { createClock, createIssuer, type Faults, type Issuer, type IssuerOptions } from '../src/index.ts'

const redirectUri = 'https://app.test/api/auth/callback/issuer'

type Sent = Omit<RequestInit, 'body' | 'signal'> & { body?: RequestInit['body'] | undefined }

interface Attempt {
  readonly url: string
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** Signs in as a careful client does, by a library that knows nothing of the issuer but its metadata. */
async function signIn(issuer: Issuer, authentication = oauth.ClientSecretBasic(issuer.clientSecret ?? '')) {
  const reach = {
    [oauth.customFetch]: (url: string, { body, ...init }: Sent) => issuer.fetch(url, { ...init, body: body ?? null })
  }
  const client = { client_id: issuer.clientId }
  const url = new URL(issuer.issuer)
  const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, reach))
  const attempt = await begin(issuer)
  const callback = new URL(await issuer.authorize(attempt.url))
  const parameters = oauth.validateAuthResponse(server, client, callback, attempt.state)
  const args = [server, client, authentication, parameters, redirectUri, attempt.verifier] as const
  const response = await oauth.authorizationCodeGrantRequest(...args, reach)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: attempt.nonce,
    requireIdToken: true
  })
  await oauth.validateApplicationLevelSignature(server, response, reach)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, reach)
  return { claims, userinfo: await oauth.processUserInfoResponse(server, client, claims?.sub ?? '', info), tokens }
}

async function begin(issuer: Issuer, changes: Readonly<Record<string, string | null>> = {}): Promise<Attempt> {
  const [verifier, state, nonce] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState(), 'nonce-1']
  const url = new URL(issuer.metadata.authorization_endpoint)
  const parameters = {
    client_id: issuer.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...changes
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return { url: url.href, verifier, state, nonce }
}

/** The form of a token request that is right in everything. */
async function codeForm(issuer: Issuer, { url, verifier }: Attempt): Promise<URLSearchParams> {
  const code = new URL(await issuer.authorize(url)).searchParams.get('code') ?? ''
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: issuer.clientId,
    client_secret: issuer.clientSecret ?? ''
  })
}

const exchange = (issuer: Issuer, body: URLSearchParams, headers = {}) =>
  issuer.fetch(`${issuer.issuer}/token`, { method: 'POST', body, headers })

for (const alg of ['ES256', 'RS256'] as const) {
  t.test(`a careful client signs in with ${alg}`, async (t) => {
    const issuer = createIssuer({ alg })
    const { claims, userinfo } = await signIn(issuer)
    t.match(claims, { sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true })
    t.match(userinfo, { sub: 'ada', picture: 'https://issuer.test/ada.png' })
    t.strictSame(
      issuer.requests.map(({ method, url }) => `${method} ${url.slice(issuer.issuer.length)}`),
      ['GET /.well-known/openid-configuration', 'POST /token', 'GET /jwks', 'GET /userinfo']
    )
  })
}

t.test('the client may authenticate in each way, with any secret', async (t) => {
  const options: IssuerOptions = { clientId: 'a b:c', clientSecret: 'p%:+ä &=' }
  t.match(await signIn(createIssuer(options)), { claims: { sub: 'ada' } })
  const post = oauth.ClientSecretPost('p%:+ä &=')
  t.match(await signIn(createIssuer(options), post), { claims: { sub: 'ada' } })
  t.match(await signIn(createIssuer({ clientSecret: null }), oauth.None()), { claims: { sub: 'ada' } })
})

t.test('another user signs in if the test sets one, and only granted scopes apply', async (t) => {
  const issuer = createIssuer({ claimsInIdToken: false })
  const attempt = await begin(issuer, { scope: 'openid email' })
  const callback = await issuer.authorize(attempt.url, { sub: 'grace', name: 'Grace', email: 'g@example.com', team: 7 })
  const form = await codeForm(issuer, attempt)
  form.set('code', new URL(callback).searchParams.get('code') ?? '')
  const tokens = (await (await exchange(issuer, form)).json()) as { access_token: string; id_token: string }
  const payload: unknown = JSON.parse(`${Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url')}`)
  t.match(payload, { sub: 'grace', aud: 'client', iss: 'https://issuer.test', nonce: 'nonce-1' })
  t.notMatch(payload, { email: String })
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const userinfo: unknown = await (await issuer.fetch('https://issuer.test/userinfo', { headers })).json()
  t.strictSame(userinfo, { sub: 'grace', email: 'g@example.com', team: 7 })
})

const weaknesses: readonly [title: string, changes: Readonly<Record<string, string | null>>, complaint: RegExp][] = [
  ['another client', { client_id: 'x' }, /client_id: expected client, got x/],
  ['an address that is not registered', { redirect_uri: 'https://evil.test/' }, /redirect_uri: expected https:\/\/app/],
  ['no address', { redirect_uri: null }, /redirect_uri: expected an address, got nothing/],
  ['the implicit flow', { response_type: 'token' }, /response_type: expected code/],
  ['no openid', { scope: 'email' }, /scope: expected openid/],
  ['no PKCE', { code_challenge: null, code_challenge_method: null }, /code_challenge_method: expected S256/],
  ['plain PKCE', { code_challenge_method: 'plain' }, /expected S256, got plain/],
  ['a challenge that is not a hash', { code_challenge: 'short' }, /code_challenge: expected 43 characters/]
]

for (const [title, changes, complaint] of weaknesses) {
  t.test(`authorize refuses ${title}`, async (t) => {
    const issuer = createIssuer({ redirectUris: [redirectUri] })
    await t.rejects(issuer.authorize((await begin(issuer, changes)).url), complaint)
  })
}

t.test('authorize refuses a parameter that comes twice, and another address', async (t) => {
  const issuer = createIssuer()
  const { url } = await begin(issuer)
  await t.rejects(issuer.authorize(`${url}&state=again`), /state: expected one value, got 2 values/)
  await t.rejects(issuer.authorize(url.replace('issuer.test', 'other.test')), /url: expected/)
})

t.test('plain OAuth is accepted if the test allows it', async (t) => {
  const issuer = createIssuer({ plainOAuth: true })
  const changes = { scope: 'email', code_challenge: null, code_challenge_method: null, nonce: null }
  const form = await codeForm(issuer, await begin(issuer, changes))
  form.delete('code_verifier')
  const tokens: unknown = await (await exchange(issuer, form)).json()
  t.match(tokens, { access_token: String, scope: 'email' })
  t.notMatch(tokens, { id_token: String })
})

const refusals: readonly [title: string, change: (form: URLSearchParams) => void, error: string, status: number][] = [
  ['a wrong secret', (form) => form.set('client_secret', 'x'), 'invalid_client', 401],
  ['no secret', (form) => form.delete('client_secret'), 'invalid_client', 401],
  ['another client', (form) => form.set('client_id', 'x'), 'invalid_client', 401],
  ['another grant', (form) => form.set('grant_type', 'password'), 'unsupported_grant_type', 400],
  ['an unknown code', (form) => form.set('code', 'x'), 'invalid_grant', 400],
  ['a wrong verifier', (form) => form.set('code_verifier', 'x'.repeat(43)), 'invalid_grant', 400],
  ['no verifier', (form) => form.delete('code_verifier'), 'invalid_grant', 400],
  ['another address', (form) => form.set('redirect_uri', 'https://evil.test'), 'invalid_grant', 400]
]

for (const [title, change, error, status] of refusals) {
  t.test(`the token endpoint refuses ${title}`, async (t) => {
    const issuer = createIssuer()
    const form = await codeForm(issuer, await begin(issuer))
    change(form)
    const response = await exchange(issuer, form)
    t.equal(response.status, status)
    t.match(await response.json(), { error })
  })
}

t.test('a code is good once, and for a minute', async (t) => {
  const clock = createClock()
  const issuer = createIssuer({ clock })
  const form = await codeForm(issuer, await begin(issuer))
  t.equal((await exchange(issuer, form)).status, 200)
  t.equal((await exchange(issuer, form)).status, 400)
  const late = await codeForm(issuer, await begin(issuer))
  clock.advance(60)
  t.equal((await exchange(issuer, late)).status, 400)
})

t.test('two ways of authentication at once are refused', async (t) => {
  const issuer = createIssuer()
  const form = await codeForm(issuer, await begin(issuer))
  const headers = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` }
  t.equal((await exchange(issuer, form, headers)).status, 401)
})

t.test('the clock is the one that a test gives', async (t) => {
  const issuer = createIssuer({ clock: createClock(new Date('2030-01-01T00:00:00Z')) })
  const { id_token } = (await (await exchange(issuer, await codeForm(issuer, await begin(issuer)))).json()) as {
    id_token: string
  }
  const iat = Date.UTC(2030, 0, 1) / 1000
  t.match(JSON.parse(`${Buffer.from(id_token.split('.')[1] ?? '', 'base64url')}`), { iat, exp: iat + 300 })
})

t.test('keys rotate', async (t) => {
  const issuer = createIssuer()
  const [before] = issuer.jwks.keys
  issuer.rotateKeys()
  const [after] = issuer.jwks.keys
  t.equal(issuer.jwks.keys.length, 1)
  t.not(after?.kid, before?.kid)
  t.notOk(after && 'd' in after, 'the private part is kept')
  t.match(await signIn(issuer), { claims: { sub: 'ada' } })
})

/** Faults that a strict library rejects, which shows that each of them is real. */
const refused: readonly [Partial<Faults>, RegExp][] = [
  [{ wrongIss: true }, /"iss"/],
  [{ wrongAud: true }, /"aud"/],
  [{ missingAud: true }, /"aud"/],
  [{ missingSub: true }, /"sub"/],
  [{ wrongNonce: true }, /"nonce"/],
  [{ missingNonce: true }, /"nonce"/],
  [{ missingExp: true }, /"exp"/],
  [{ missingIat: true }, /"iat"/],
  [{ badSignature: true }, /signature/],
  [{ algNone: true }, /alg/],
  [{ hs256: true }, /alg/],
  [{ unknownKid: true }, /key/],
  [{ noIdToken: true }, /id_token/],
  [{ noAccessToken: true }, /access_token/],
  [{ tokenError: { status: 400, body: { error: 'invalid_grant' } } }, /error/],
  [{ tokenError: { status: 502, body: '<h1>Bad gateway</h1>' } }, /HTTP status/],
  [{ tokenFields: { access_token: 7 } }, /access_token/],
  [{ idTokenClaims: ({ sub: _, ...rest }) => rest }, /"sub"/],
  [{ userinfoWrongSub: true }, /"sub"/],
  [{ userinfoStatus: 503 }, /HTTP status/],
  [{ discoveryIssuerMismatch: true }, /issuer/],
  [{ discoveryStatus: 500 }, /HTTP status/],
  [{ jwksStatus: 500 }, /HTTP status/],
  [{ callbackIssWrong: true }, /"iss"/],
  [{ callbackIssMissing: true }, /"iss"/],
  [{ callbackError: 'access_denied' }, /error/],
  [{ unreachable: true }, /fetch failed/],
  [{ respond: () => new Response('gone', { status: 410 }) }, /HTTP status/]
]

for (const [faults, complaint] of refused) {
  t.test(`with ${Object.keys(faults)} a careful client refuses`, async (t) => {
    const issuer = createIssuer()
    Object.assign(issuer.faults, faults)
    await t.rejects(signIn(issuer), complaint)
    Object.assign(issuer.faults, createIssuer().faults)
    t.match(await signIn(issuer), { claims: { sub: 'ada' } }, 'and signs in when the fault is removed')
  })
}

/** Faults that libraries accept: they are visible in the claims. */
const subtle: readonly [Partial<Faults>, object][] = [
  [{ emptySub: true }, { sub: '' }],
  [{ wrongAzp: true }, { azp: 'another-client', aud: ['client', 'another-client'] }],
  [{ futureIat: true }, { iat: Date.UTC(2030, 0, 1, 1) / 1000 }],
  [{ expired: true }, { exp: Date.UTC(2030, 0, 1) / 1000 - 20 }]
]

for (const [faults, claims] of subtle) {
  t.test(`with ${Object.keys(faults)} the ID Token contains ${JSON.stringify(claims)}`, async (t) => {
    const issuer = createIssuer({ clock: createClock(new Date('2030-01-01T00:00:00Z')) })
    Object.assign(issuer.faults, faults)
    const response = await exchange(issuer, await codeForm(issuer, await begin(issuer)))
    const { id_token } = (await response.json()) as { id_token: string }
    t.match(decodeProtectedHeader(id_token), { alg: 'ES256', kid: issuer.jwks.keys[0]?.kid })
    t.match(JSON.parse(`${Buffer.from(id_token.split('.')[1] ?? '', 'base64url')}`), claims)
  })
}

t.test('another host, another path and an aborted call fail as they would', async (t) => {
  const issuer = createIssuer()
  await t.rejects(issuer.fetch('https://issuer.test.evil.test/jwks'), /fetch failed/)
  t.equal((await issuer.fetch('https://issuer.test/nothing')).status, 404)
  t.equal((await issuer.fetch('https://issuer.test/token')).status, 404)
  await t.rejects(issuer.fetch('https://issuer.test/jwks', { signal: AbortSignal.abort(new Error('late')) }), /late/)
  t.equal((await issuer.fetch('https://issuer.test/userinfo')).status, 401)
})
