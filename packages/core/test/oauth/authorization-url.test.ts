import t from 'tap'
import type { OAuthProvider } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { authorizationUrl, permittedParameters } from '../../src/oauth/authorization-url.ts'
import { createPostern } from '../../src/postern.ts'

const options = { url: 'https://app.test', secret: 'a secret of the tests, 32 characters or more' }

function providerOf(given: Partial<OAuthConfig> = {}): OAuthProvider {
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
const attempt = { redirectUri: 'https://app.test/api/auth/callback/demo', state: 'S', codeChallenge: 'C', nonce: 'N' }

function parametersOf(
  given: Partial<OAuthConfig>,
  query: Readonly<Record<string, string>> = {},
  endpoint: string = metadata.authorization_endpoint
): Record<string, string> {
  const url =
    authorizationUrl({ ...metadata, authorization_endpoint: endpoint }, providerOf(given), query, attempt) ?? ''
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
  t.same(parametersOf({}), plain)
})

t.test('the provider’s parameters are added, and those in its address are kept', async (t) => {
  const authorization = { url: 'https://issuer.test/authorize', params: { scope: 'read', prompt: 'consent' } }
  const endpoint = 'https://issuer.test/authorize?tenant=a'
  t.same(parametersOf({ authorization }, {}, endpoint), { tenant: 'a', ...plain, scope: 'read', prompt: 'consent' })
})

t.test('what protects the attempt is replaced by nobody', async (t) => {
  const fixed = { state: 'fixed', nonce: 'fixed', code_challenge: 'fixed', code_challenge_method: 'plain' }
  const authorization = { url: 'https://issuer.test/authorize', params: fixed }
  t.match(
    parametersOf({ authorization }, fixed, `https://issuer.test/authorize?${new URLSearchParams(fixed)}`),
    protection
  )
})

t.test('without PKCE and nonce there are neither', async (t) => {
  const url = authorizationUrl(metadata, providerOf(), {}, { ...attempt, codeChallenge: null, nonce: null }) ?? ''
  t.same([...new URL(url).searchParams.keys()].sort(), ['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])
})

t.test('without an authorization endpoint there is no address', async (t) => {
  t.equal(authorizationUrl({ issuer: 'https://issuer.test' }, providerOf(), {}, attempt), null)
})

t.test('a visitor may say how they want to sign in, and to nothing that decides who answers to whom', async (t) => {
  const allowed = { prompt: 'login', login_hint: 'ada@example.com', scope: 'read', ui_locales: 'de', max_age: '0' }
  const refused = {
    ...{ redirect_uri: 'https://evil.test', client_id: 'evil', state: 'fixed', nonce: 'fixed', response_type: 'token' },
    ...{ response_mode: 'fragment', code_challenge: 'fixed', code_challenge_method: 'plain', request: 'a.b.c' },
    ...{
      request_uri: 'https://evil.test',
      registration: '{}',
      iss: 'evil',
      resource: 'evil',
      dpop_jkt: 'a',
      ['__proto__']: 'a'
    }
  }
  t.same(permittedParameters({ ...refused, ...allowed }), allowed)
  t.same(permittedParameters({ prompt: ['a', 'b'], scope: { a: 'b' }, max_age: 1, ui_locales: null }), {})
  t.match(parametersOf({}, permittedParameters({ ...refused, ...allowed })), { ...plain, ...allowed })
})
