import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createClock } from '@postern/testkit'
import t from 'tap'
import { ConfigError, createPostern } from '../../src/index.ts'
import type { OAuthProvider, OutboundCall } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import apple from '../../src/providers/apple.ts'
import asgardeo from '../../src/providers/asgardeo.ts'
import auth0 from '../../src/providers/auth0.ts'
import azureDevOps from '../../src/providers/azure-devops.ts'
import bungie from '../../src/providers/bungie.ts'
import figma from '../../src/providers/figma.ts'
import github from '../../src/providers/github.ts'
import google from '../../src/providers/google.ts'
import mastodon from '../../src/providers/mastodon.ts'
import netSuite from '../../src/providers/netsuite.ts'
import oidc from '../../src/providers/oidc.ts'
import oneLogin from '../../src/providers/onelogin.ts'
import tikTok from '../../src/providers/tiktok.ts'
import weChat from '../../src/providers/wechat.ts'
import { cases } from './cases.ts'
import { clientId, clientSecret } from './facts.ts'
import { signIn } from './sign-in.ts'

const secret = 'a secret of more than thirty-two characters'

function resolved(config: OAuthConfig, environment: Readonly<Record<string, string>> = {}): OAuthProvider {
  const options = { url: 'https://app.test', secret, providers: [config] }
  const provider = createPostern(options, environment).configFor('https://app.test')?.providers.get(config.id)
  if (provider?.kind !== 'oauth') throw new Error('expected an OAuth provider')
  return provider
}

function mistakes(config: OAuthConfig, environment: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    resolved(config, environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ option, message }) => `${option}: ${message}`)
  }
}

const client = { clientId: 'id', clientSecret: 'secret' }

t.test('a missing issuer is reported together with its environment variable', async (t) => {
  const message = /^providers\.auth0\.issuer: .*AUTH_AUTH0_ISSUER/
  t.match(mistakes(auth0(client)), [message])
  t.match(mistakes(mastodon(client)), [/^providers\.mastodon\.issuer: .*AUTH_MASTODON_ISSUER/])
  t.same(mistakes(auth0({ ...client, issuer: 'https://acme.auth0.com' })), [])
  t.same(mistakes(auth0(client), { AUTH_AUTH0_ISSUER: 'https://acme.auth0.com' }), [])
})

t.test('a required option that is missing is reported with the others, by name', async (t) => {
  // As written without TypeScript.
  const bare = (factory: unknown, ...given: readonly unknown[]): OAuthConfig =>
    Reflect.apply(factory as never, null, given)
  const getOptions = (config: OAuthConfig): readonly string[] =>
    mistakes(config).map((text) => text.replace(/:.*/s, ''))
  for (const given of [[], [{}]]) {
    const at = (...names: readonly string[]): string[] => names.map((name) => `providers.${name}`)
    t.same(
      getOptions(bare(netSuite, ...given)),
      at('netsuite.accountID', 'netsuite.userinfo', 'netsuite.clientId', 'netsuite.clientSecret')
    )
    t.same(getOptions(bare(bungie, ...given)), at('bungie.apiKey', 'bungie.clientId', 'bungie.clientSecret'))
    t.match(getOptions(bare(oidc, ...given)), ['providers[0].id', 'providers[0].issuer', 'providers[0].clientId'])
  }
  t.same(mistakes(bungie({ ...client, apiKey: 'key' })), [])
  t.same(mistakes(netSuite({ ...client, accountID: '1_SB1', userinfo: 'https://1.test/me' })), [])
  t.same(mistakes(netSuite({ ...client, accountID: '1_SB1', userinfo: { url: 'https://1.test/me' } })), [])
})

t.test('a client without a secret is a mistake, unless it says how it authenticates', async (t) => {
  const missing = [/^providers\.github\.clientSecret: expected a string/]
  t.match(mistakes(github({ clientId: 'id' })), missing)
  t.match(mistakes(github({ clientId: 'id', clientSecret: '' })), missing)
  t.same(mistakes(github({ clientId: 'id' }), { AUTH_GITHUB_SECRET: 's' }), [])
  t.same(mistakes(github({ clientId: 'id', client: { token_endpoint_auth_method: 'none' } })), [])
  const request = () => ({ tokens: {} })
  t.same(mistakes(github({ clientId: 'id', token: { url: 'https://github.test/token', request } })), [])
})

t.test('an option overrides the environment, and the environment the default', async (t) => {
  const environment = { AUTH_AUTH0_ISSUER: 'https://env.auth0.com', AUTH_GOOGLE_ISSUER: 'https://env.google.test' }
  t.equal(resolved(auth0({ ...client, issuer: 'https://own.auth0.com' }), environment).issuer, 'https://own.auth0.com')
  t.equal(resolved(auth0(client), environment).issuer, 'https://env.auth0.com')
  t.equal(resolved(google(client)).issuer, 'https://accounts.google.com')
  t.equal(resolved(google(client), environment).issuer, 'https://env.google.test')
  t.equal(resolved(google(client), environment).wellKnown, 'https://env.google.test/.well-known/openid-configuration')
})

t.test('the variables follow an id that the application gives', async (t) => {
  const environment = { AUTH_STAFF_ID: 'staff', AUTH_STAFF_SECRET: 's', AUTH_STAFF_ISSUER: 'https://staff.auth0.com' }
  const options = { url: 'https://app.test', secret, providers: [auth0({ id: 'staff', name: 'Staff' })] }
  const provider = createPostern(options, environment).configFor('https://app.test')?.providers.get('staff')
  t.match(provider, { id: 'staff', name: 'Staff', clientId: 'staff', issuer: 'https://staff.auth0.com' })
})

t.test('URLs are built from the issuer and the client, from any source', async (t) => {
  const provider = resolved(mastodon({ ...client, issuer: 'https://mastodon.test/' }))
  t.equal(provider.authorization.url, 'https://mastodon.test/oauth/authorize')
  t.equal(provider.token.url, 'https://mastodon.test/oauth/token')
  t.equal(provider.wellKnown, null)
  t.equal(
    resolved(tikTok(), { AUTH_TIKTOK_ID: 'a b', AUTH_TIKTOK_SECRET: 's' }).authorization.params['client_key'],
    'a b'
  )
})

t.test('an issuer is completed once', async (t) => {
  const fullUrl = 'https://acme.onelogin.com/oidc/2'
  for (const issuer of [fullUrl, `${fullUrl}/`, 'https://acme.onelogin.com', 'https://acme.onelogin.com/']) {
    t.equal(resolved(oneLogin({ ...client, issuer })).issuer, fullUrl, issuer)
  }
  t.match(mistakes(asgardeo(client)), [/AUTH_ASGARDEO_ISSUER/])
})

t.test('parameters are merged, as in next-auth v4', async (t) => {
  const { authorization } = resolved(google({ ...client, authorization: { params: { prompt: 'consent' } } }))
  t.same(authorization.params, { scope: 'openid email profile', prompt: 'consent' })
})

t.test('a nonce is sent, unless the issuer is known to lose it or the application disables it', async (t) => {
  t.equal(resolved(google(client)).nonce, true)
  t.equal(resolved(google({ ...client, expectNoNonce: true })).nonce, false)
  const issuer = 'https://www.linkedin.com/oauth'
  t.equal(resolved({ id: 'foreign', name: 'Foreign', type: 'oidc', issuer, checks: ['state'], ...client }).nonce, false)
})

const form = (fields: Readonly<Record<string, string>>): OutboundCall => ({
  method: 'POST',
  url: 'https://provider.test/oauth2/access_token',
  headers: {
    authorization: 'Basic x',
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json'
  },
  body: String(new URLSearchParams(fields))
})

t.test('tokens are renewed in the provider’s own way too', async (t) => {
  const call = form({ grant_type: 'refresh_token', refresh_token: 'r/1' })
  const wechat = resolved(weChat(client))
  t.same(await wechat.hooks.tokenRequest?.(call, wechat, null), {
    method: 'GET',
    url: 'https://provider.test/oauth2/refresh_token?appid=id&grant_type=refresh_token&refresh_token=r%2F1',
    headers: { accept: 'application/json' },
    body: null
  })
  const devops = resolved(azureDevOps(client))
  const changed = await devops.hooks.tokenRequest?.(call, devops, null)
  t.same(Object.fromEntries(new URLSearchParams(changed?.body ?? '')), {
    grant_type: 'refresh_token',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'secret',
    assertion: 'r/1'
  })
})

t.test('Figma refreshes tokens at an endpoint of its own', async (t) => {
  const provider = resolved(figma(client))
  const url = 'https://api.figma.com/v1/oauth/token'
  const refresh = { ...form({ grant_type: 'refresh_token', refresh_token: 'r' }), url }
  t.same(await provider.hooks.tokenRequest?.(refresh, provider, null), {
    ...refresh,
    url: url.replace('token', 'refresh')
  })
  const exchange = { ...form({ grant_type: 'authorization_code', code: 'c' }), url }
  t.same(await provider.hooks.tokenRequest?.(exchange, provider, null), exchange)
})

t.test('a hook that does not respond ends in time, and is named', async (t) => {
  const hooks = { clientSecret: (): Promise<string> => new Promise(() => undefined) }
  const options = { url: 'https://app.test', secret, constants: { callbackTimeoutMilliseconds: 1 } }
  const auth = createPostern({ ...options, providers: [google({ ...client, hooks })] }, {})
  const provider = auth.configFor('https://app.test')?.providers.get('google')
  if (provider?.kind !== 'oauth') throw new Error('expected an OAuth provider')
  await t.rejects(Promise.resolve(provider.hooks.clientSecret?.(provider, 0)), {
    message: /providers\.google\.hooks\.clientSecret did not respond within 1 ms/
  })
})

t.test('GitHub Enterprise has all its addresses elsewhere', async (t) => {
  const provider = resolved(github({ ...client, enterprise: { baseUrl: 'https://github.acme.test' } }))
  t.match(provider, {
    issuer: 'https://github.acme.test/login/oauth',
    authorization: { url: 'https://github.acme.test/login/oauth/authorize' },
    token: { url: 'https://github.acme.test/login/oauth/access_token' },
    userinfo: { url: 'https://github.acme.test/api/v3/user' }
  })
})

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = {
  teamId: 'TEAM123456',
  keyId: 'KEY1234567',
  privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
}

const getPart = (text: string | undefined): unknown => JSON.parse(Buffer.from(text ?? '', 'base64url').toString())

t.test('Apple’s secret is made of the key, and used for a day', async (t) => {
  const provider = resolved(apple({ clientId: 'com.example.web', key }))
  const clock = createClock()
  const made = async (): Promise<string> => String(await provider.hooks.clientSecret?.(provider, clock.now()))
  const first = await made()
  const [header, payload, signature = ''] = first.split('.')
  const now = clock.now() / 1000
  t.same(getPart(header), { alg: 'ES256', kid: 'KEY1234567' })
  t.same(getPart(payload), {
    iss: 'TEAM123456',
    iat: now,
    exp: now + 86_400,
    aud: 'https://appleid.apple.com',
    sub: 'com.example.web'
  })
  const input = Buffer.from(`${header}.${payload}`)
  const options = {
    key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    dsaEncoding: 'ieee-p1363'
  } as const
  t.ok(verify('sha256', input, options, Buffer.from(signature, 'base64url')), 'signed with the key')
  clock.advance(82_000)
  t.equal(await made(), first, 'the same one for most of a day')
  clock.advance(1000)
  t.not(await made(), first, 'and another before it ends')
})

t.test('a secret that is made is sent like any other', async (t) => {
  const [usual] = cases.get('apple') ?? []
  if (!usual) throw new Error('there is no case of apple')
  const withSecret = (made: string): ReturnType<typeof signIn> =>
    signIn('apple', usual, (config) => ({ ...config, hooks: { ...config.hooks, clientSecret: async () => made } }))
  t.same(await withSecret(clientSecret), [])
  t.match(await withSecret('another'), [/client_secret/])
})

t.test('Apple needs a secret or the key', async (t) => {
  t.match(mistakes(apple({ clientId })), [/^providers\.apple\.clientSecret/])
  t.same(mistakes(apple({ clientId, key })), [])
})
