import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { OAuthConfig, WebKey } from '@postern/core'
import { guardedFetch } from '@postern/core/node'
import { type Browser, type BrowserResponse, createBrowser, fromInject } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import type { ClientMetadata } from 'oidc-provider'
import t, { type Test } from 'tap'
import { getForm, openTwin, type Twin } from './hostile-twin.ts'
import { fromAfar, getSession, mails, origin, type Started, start } from './start.ts'

const redirectUris = [`${origin}/api/auth/callback/demo`]
const base: ClientMetadata = { client_id: 'client', client_secret: 'a secret: 100% +', redirect_uris: redirectUris }

function cryptoKey(key: KeyObject, alg: 'ES256' | 'RS256'): Promise<WebKey> {
  const algorithm =
    alg === 'ES256' ? { name: 'ECDSA', namedCurve: 'P-256' } : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return crypto.subtle.importKey('pkcs8', new Uint8Array(der), algorithm, false, ['sign'])
}

interface Twinned extends Started {
  readonly twin: Twin
  readonly browser: Browser
  readonly signIn: (browser?: Browser) => Promise<BrowserResponse>
}

/** The twin reaches the application at its address on the internet, which is here. */
async function reach(app: Started['app'], url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { pathname } = new URL(String(url))
  const headers = Object.fromEntries(new Headers(init.headers))
  const { statusCode } = await app.inject({ method: 'POST', url: pathname, headers, payload: String(init.body) })
  return new Response('', { status: statusCode })
}

async function withTwin(t: Test, client: Partial<ClientMetadata>, demo: Partial<OAuthConfig> = {}): Promise<Twinned> {
  const twin = await openTwin([{ ...base, ...client }], async (url, init) => reach(started.app, url, init))
  t.teardown(twin.close)
  const { client_secret } = { ...base, ...client }
  const entry: OAuthConfig = {
    id: 'demo',
    name: 'Twin',
    type: 'oidc',
    issuer: twin.issuer,
    clientId: 'client',
    clientSecret: client_secret,
    allowInsecureRequests: true,
    verifiesEmail: true,
    authorization: { params: { scope: 'openid email profile' } },
    ...demo
  }
  const runtime = { now: Date.now, fetch: guardedFetch }
  const started = await start(t, { providers: [entry, mails()], session: { strategy: 'database' }, runtime })
  const newBrowser = (): Browser => createBrowser({ origin, send: fromInject(started.app) })
  const browser = newBrowser()
  const signIn: Twinned['signIn'] = async (by = browser) => {
    const response = await by.submit('/api/auth/signin/demo', {})
    const { location, page } = await twin.visit(response.location ?? '')
    if (location) return by.open(location, { headers: fromAfar })
    const { action, fields } = getForm(page)
    const crossSite = { origin: twin.issuer, ...fromAfar }
    const posted = await by.post(new URL(action).pathname, `${new URLSearchParams([...fields])}`, crossSite)
    t.equal(posted.status, 303, 'the page posts, without cookies')
    return by.follow(posted)
  }
  return { ...started, twin, browser, newBrowser, signIn }
}

async function succeeds(t: Test, { signIn, browser, log }: Twinned): Promise<void> {
  const response = await signIn()
  t.equal(response.location, origin, log.filter((line) => line.includes('ERROR')).join('') || 'back to the application')
  t.match(await getSession(browser), { user: { name: 'Ada Lovelace', email: 'ada@example.com' } })
}

for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
  t.test(`honest twin: ${method}`, async (t) => {
    const client = { token_endpoint_auth_method: method }
    await succeeds(t, await withTwin(t, client, { client }))
  })
}

t.test('honest twin: a public client', async (t) => {
  const { client_secret: _, ...rest } = base
  const client = { token_endpoint_auth_method: 'none' as const }
  await succeeds(t, await withTwin(t, { ...rest, ...client, client_secret: undefined }, { client }))
})

const algorithms = ['ES256', 'RS256'] as const
const keyForms = [
  'a JSON Web Key',
  'a CryptoKey with its name',
  'a CryptoKey',
  'PEM',
  'PEM on one line, with its name'
] as const
const signed = some(
  algorithms.flatMap((alg) => keyForms.map((form) => ({ alg, form }))),
  ({ alg, form }) => [alg, form],
  1
)

for (const alg of algorithms) {
  t.test(`honest twin: private_key_jwt with ${alg}`, async (t) => {
    const { privateKey, publicKey } =
      alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'ours', alg, use: 'sig' }
    const client = { token_endpoint_auth_method: 'private_key_jwt' as const }
    const metadata = { ...client, jwks: { keys: [jwk] }, client_secret: undefined } as Partial<ClientMetadata>
    const pem = `${privateKey.export({ type: 'pkcs8', format: 'pem' })}`
    const keys = {
      'a JSON Web Key': { ...privateKey.export({ format: 'jwk' }), kid: 'ours', alg },
      'a CryptoKey with its name': { key: await cryptoKey(privateKey, alg), kid: 'ours' },
      'a CryptoKey': await cryptoKey(privateKey, alg),
      PEM: pem,
      'PEM on one line, with its name': { key: pem.replaceAll('\n', '\\n'), kid: 'ours' }
    } satisfies Record<(typeof keyForms)[number], unknown>
    for (const { form } of signed.filter((one) => one.alg === alg)) {
      await t.test(form, async (t) => {
        const demo = { client: { ...client, privateKey: keys[form] } }
        await succeeds(t, await withTwin(t, metadata, demo))
      })
    }
  })
}

t.test('honest twin: signed userinfo', async (t) => {
  const client = { userinfo_signed_response_alg: 'RS256' as const }
  await succeeds(t, await withTwin(t, client, { client }))
})

t.test('honest twin: signed with ES256', async (t) => {
  const client = { id_token_signed_response_alg: 'ES256' as const }
  await succeeds(t, await withTwin(t, client, { client }))
})

t.test('honest twin: signed with the client secret, because the client is registered so', async (t) => {
  const client = { id_token_signed_response_alg: 'HS256' as const }
  const registered = { ...client, client_secret: 'a secret of thirty-two characters or more' }
  await succeeds(t, await withTwin(t, registered, { client }))
})

t.test('honest twin: key rotation', async (t) => {
  const twinned = await withTwin(t, {})
  await succeeds(t, twinned)
  twinned.twin.rotateKeys()
  const again = twinned.newBrowser()
  t.equal((await twinned.signIn(again)).location, origin)
  t.ok((await getSession(again)).user)
  t.equal(twinned.twin.requests.filter((request) => request === 'GET /jwks').length, 2)
})

t.test('honest twin: form_post', async (t) => {
  const authorization = { params: { scope: 'openid email profile', response_mode: 'form_post' } }
  await succeeds(t, await withTwin(t, {}, { authorization }))
})

t.test('honest twin: a second sign-in asks for nothing that is known', async (t) => {
  const { signIn, newBrowser, twin } = await withTwin(t, {})
  await signIn()
  const before = twin.requests.length
  await signIn(newBrowser())
  const requests = twin.requests.slice(before).filter((request) => !/\/(auth|interaction)\b/.test(request))
  t.same(requests, ['POST /token', 'GET /me'])
})

t.test('honest twin: a token is renewed, and taken back with the account', async (t) => {
  const twinned = await withTwin(t, { grant_types: ['authorization_code', 'refresh_token'] })
  const { adapter, app, browser, twin, log } = twinned
  app.get('/token', async (request) => ({ token: await request.getAccessToken('demo') }))
  await twinned.signIn()
  const key = { provider: 'demo', providerAccountId: 'ada' }
  const token = async () => (await browser.open('/token')).json<{ token: string }>().token
  const first = await token()
  for (const _ of [1, 2]) {
    const before = await token()
    await adapter?.updateAccount?.({ ...key, expires_at: Math.floor(Date.now() / 1000) })
    t.not(await token(), before)
  }
  t.not(await token(), first)
  const user = await adapter?.getUserByAccount?.(key)
  await adapter?.updateUser?.({ id: user?.id ?? '', emailVerified: new Date() })
  await app.postern.unlink(user?.id ?? '', key)
  t.equal(twin.requests.filter((request) => request === 'POST /token/revocation').length, 2)
  t.notMatch(log.join(''), /REVOKE_TOKEN_ERROR|REFRESH_TOKEN_ERROR/)
})
