import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { createPostern } from '../../src/index.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { clientAuth } from '../../src/oauth/client-auth.ts'
import { loadMetadata } from '../../src/oauth/metadata.ts'
import { decodeJws } from '../../src/tokens/jws.ts'
import { origin, secret } from '../flows/start.ts'

/** Authenticates the client as at the token endpoint. @returns what the request has */
async function authenticate(
  config: Partial<OAuthConfig>,
  document: Readonly<Record<string, unknown>> = {}
): Promise<{ readonly basic: string; readonly assertion: Readonly<Record<string, unknown>> }> {
  const issuer = 'https://issuer.test'
  const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
  const metadata = { issuer, ...endpoints, jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/me`, ...document }
  const auth = createPostern(
    {
      url: origin,
      secret,
      providers: [{ id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId: 'client', ...config }],
      runtime: { fetch: async () => Response.json(metadata) }
    },
    {}
  )
  const site = auth.configFor(origin)
  const provider = site?.providers.get('demo')
  if (!site || provider?.kind !== 'oauth') throw new Error('expected a provider')
  const published = await loadMetadata(provider, site.oauth)
  const [body, headers] = [new URLSearchParams(), new Headers()]
  await (await clientAuth(provider, published, site.oauth))(published, { client_id: provider.clientId }, body, headers)
  const [, encoded = ''] = headers.get('authorization')?.split(' ') ?? []
  return { basic: atob(encoded), assertion: decodeJws(body.get('client_assertion') ?? '')?.claims ?? {} }
}

/** What openid-client 5 sends, which next-auth 4 uses. */
const asOpenidClient5 = (text: string): string => encodeURIComponent(text).replace(/%20/g, '+')

const credentials: readonly (readonly [title: string, clientId: string, clientSecret: string])[] = [
  ['a UUID and base64url', '11111111-2222-3333-4444-555555555555', '0jQKm_heHj4Ba7-IPXk1bZbnKvG5SV5B'],
  ['the secret of Entra', 'a6f9-client', 'abc8Q~Xy.z_1-2~3'],
  ['a host name', 'api.example.com', 'secret.with.dots'],
  ['all that form encoding may leave', "a-_.!~*'()", "b-_.!~*'()"]
]

for (const [title, clientId, clientSecret] of credentials) {
  t.test(`HTTP Basic leaves ${title} as it is`, async (t) => {
    t.equal((await authenticate({ clientId, clientSecret })).basic, `${clientId}:${clientSecret}`)
  })
}

t.test('HTTP Basic encodes what form encoding must encode, as openid-client 5 does', async (t) => {
  for (const text of ['a b', 'a+b', 'a%b', 'a:b', 'a&b=c', 'a/b?c', 'ä€😀', '%2D', '"\\<>^`{|}#$,;@[]']) {
    const { basic } = await authenticate({ clientId: text, clientSecret: text })
    t.equal(basic, `${asOpenidClient5(text)}:${asOpenidClient5(text)}`)
    const [id = ''] = basic.split(':', 1)
    t.equal(new URLSearchParams(`a=${id}`).get('a'), text, 'a server that decodes gets the text')
  }
})

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

const audiences: readonly (readonly [title: string, config: Partial<OAuthConfig>, document: object, aud: string])[] = [
  ['one issuer', {}, {}, 'https://issuer.test'],
  [
    'the issuer of Entra for any tenant',
    { issuer: undefined, wellKnown: 'https://issuer.test/.well-known/openid-configuration' },
    { issuer: 'https://issuer.test/{tenantid}/v2.0' },
    'https://issuer.test/token'
  ],
  [
    'no issuer',
    {
      ...{ type: 'oauth', issuer: undefined, idToken: false },
      ...{ authorization: 'https://issuer.test/authorize', token: 'https://issuer.test/token' },
      userinfo: 'https://issuer.test/me'
    },
    {},
    'https://issuer.test/token'
  ]
]

for (const [title, config, document, aud] of audiences) {
  t.test(`an assertion for ${title} has the audience ${aud}`, async (t) => {
    const signed = {
      token: { ...(typeof config.token === 'string' ? { url: config.token } : {}), clientPrivateKey: pem }
    }
    const byKey = { ...config, ...signed, client: { token_endpoint_auth_method: 'private_key_jwt' } }
    const bySecret = {
      ...config,
      clientSecret: 'a secret of thirty-two characters',
      client: { token_endpoint_auth_method: 'client_secret_jwt' }
    }
    for (const given of [byKey, bySecret]) t.match((await authenticate(given, { ...document })).assertion, { aud })
  })
}
