import t from 'tap'
import type { Fields } from '../../src/http/body.ts'
import type { OAuthProvider } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { authorizationUrl } from '../../src/oauth/authorization-url.ts'
import { createPostern } from '../../src/postern.ts'

const options = { url: 'https://app.test', secret: 'a secret of the tests, 32 characters or more' }

function getProvider(given: Partial<OAuthConfig> = {}): OAuthProvider {
  const config: OAuthConfig = {
    ...{ id: 'demo', name: 'Demo', type: 'oauth', clientId: 'client', clientSecret: 'word' },
    ...{ authorization: 'https://issuer.test/authorize', token: 'https://issuer.test/token' },
    ...given
  }
  const provider = createPostern({ ...options, providers: [config] }, {})
    .configFor(options.url)
    ?.providers.get('demo')
  if (provider?.kind !== 'oauth') throw new Error('expected the provider')
  return provider
}

const metadata = { issuer: 'https://issuer.test', authorization_endpoint: 'https://issuer.test/authorize' }
const attempt = {
  redirectUri: 'https://app.test/api/auth/callback/demo',
  state: 'S',
  codeChallenge: 'C',
  nonce: 'N',
  required: {}
}

function getParameters(
  given: Partial<OAuthConfig>,
  query: Fields = {},
  endpoint: string = metadata.authorization_endpoint
): Record<string, string> {
  const url =
    authorizationUrl({ ...metadata, authorization_endpoint: endpoint }, getProvider(given), query, attempt) ?? ''
  return Object.fromEntries(new URL(url).searchParams)
}

const protection = { state: 'S', code_challenge: 'C', code_challenge_method: 'S256', nonce: 'N' }
const plain = {
  client_id: 'client',
  scope: 'openid',
  response_type: 'code',
  redirect_uri: attempt.redirectUri,
  ...protection
}

t.test('the request asks for a code and carries what protects the attempt', async (t) => {
  t.same(getParameters({}), plain)
})

t.test('the provider’s parameters are added, and those in its address are kept', async (t) => {
  const authorization = { url: 'https://issuer.test/authorize', params: { scope: 'read', prompt: 'consent' } }
  const endpoint = 'https://issuer.test/authorize?tenant=a'
  t.same(getParameters({ authorization }, {}, endpoint), { tenant: 'a', ...plain, scope: 'read', prompt: 'consent' })
})

t.test('oauth-2: what protects the attempt is replaced by no one', async (t) => {
  const fixed = { state: 'fixed', nonce: 'fixed', code_challenge: 'fixed', code_challenge_method: 'plain' }
  const authorization = { url: 'https://issuer.test/authorize', params: fixed }
  t.match(
    getParameters({ authorization }, fixed, `https://issuer.test/authorize?${new URLSearchParams(fixed)}`),
    protection
  )
})

const endpoints = ['', '?tenant=a', '?state=fixed', '#', '#fragment', '?tenant=a%20b&nonce=fixed#fragment']

t.test('every sign-in has parameters of its own, whatever those before it had', async (t) => {
  const attempts = [
    attempt,
    { ...attempt, state: 'S-2', codeChallenge: 'C_2', nonce: 'N2' },
    { ...attempt, state: 'S3', codeChallenge: null, nonce: null },
    { ...attempt, state: 'S4', redirectUri: 'https://other.test/api/auth/callback/demo' },
    { ...attempt, state: 'S5', required: { max_age: '0' } },
    { ...attempt, state: 'S6' }
  ]
  for (const rest of endpoints) {
    const endpoint = metadata.authorization_endpoint + rest
    const shared = { ...metadata, authorization_endpoint: endpoint }
    const [provider, other] = [getProvider(), getProvider({ clientId: 'other client' })]
    const questions = attempts.flatMap((parameters) =>
      [{}, { login_hint: 'ada@example.com' }].map((query) => [parameters, query] as const)
    )
    for (const [parameters, query] of questions)
      for (const one of [provider, other]) {
        const url = new URL(authorizationUrl(shared, one, query, parameters) ?? '')
        const { state, codeChallenge, nonce, redirectUri, required } = parameters
        t.same(Object.fromEntries(url.searchParams), {
          ...Object.fromEntries(new URL(endpoint).searchParams),
          ...{ client_id: one.clientId, scope: 'openid', response_type: 'code', redirect_uri: redirectUri },
          ...{ ...query, ...required, state },
          ...(codeChallenge === null ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
          ...(nonce === null ? {} : { nonce })
        })
        t.equal([...url.searchParams].length, new Set(url.searchParams.keys()).size)
        t.equal(url.hash, new URL(endpoint).hash)
      }
  }
})

t.test('without PKCE and nonce, both parameters are missing', async (t) => {
  const url = authorizationUrl(metadata, getProvider(), {}, { ...attempt, codeChallenge: null, nonce: null }) ?? ''
  t.same([...new URL(url).searchParams.keys()].sort(), ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
})

t.test('without an authorization endpoint there is no address', async (t) => {
  t.equal(authorizationUrl({ issuer: 'https://issuer.test' }, getProvider(), {}, attempt), null)
})

t.test('oauth-2: a query adds allowed parameters that occur once, and replaces nothing', async (t) => {
  const requested = { prompt: 'login', login_hint: 'ada@example.com', ui_locales: 'de' }
  const refused = {
    ...{ redirect_uri: 'https://evil.test', client_id: 'evil', state: 'fixed', nonce: 'fixed', response_type: 'token' },
    ...{ response_mode: 'fragment', code_challenge: 'fixed', code_challenge_method: 'plain', request: 'a.b.c' },
    ...{ request_uri: 'https://evil.test', registration: '{}', iss: 'evil', resource: 'evil', dpop_jkt: 'a' },
    ...{ scope: 'read', max_age: '0', hd: 'evil.test', ['__proto__']: 'a' }
  }
  t.same(getParameters({}, { ...refused, ...requested }), { ...plain, ...requested })
  t.same(getParameters({}, { prompt: ['a', 'b'], login_hint: { a: 'b' }, ui_locales: null }), plain)
  t.same(getParameters({ allowedAuthorizationParams: ['hd'] }, { ...refused, ...requested }), {
    ...plain,
    hd: 'evil.test'
  })
  const authorization = { url: 'https://issuer.test/authorize', params: { prompt: 'consent', scope: 'read,write' } }
  const given = { authorization, allowedAuthorizationParams: ['prompt', 'scope'] }
  t.match(getParameters(given, { ...requested, scope: 'read,write more' }), {
    prompt: 'consent',
    scope: 'read,write more'
  })
})
