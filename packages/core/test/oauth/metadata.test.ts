import { createClock } from '@postern/testkit'
import t from 'tap'
import type { OAuthProvider } from '../../src/model/provider.ts'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { MetadataCache } from '../../src/oauth/metadata.ts'
import { createPostern } from '../../src/postern.ts'

const url = 'https://app.test'
const secret = 'a secret of the tests, 32 characters or more'

const times = { maxAge: 3600, staleIfError: 3600, throttle: 60, retryAfter: 5, maxIssuers: 2 }

/** Providers of as many issuers. */
function getProviders(count: number): readonly OAuthProvider[] {
  const providers = Array.from({ length: count }, (_, number) => ({
    ...{ id: `demo${number}`, name: 'Demo', type: 'oidc' as const, clientId: 'client', clientSecret: 'word' },
    issuer: `https://issuer${number}.test`
  }))
  const found = createPostern({ url, secret, providers }, {}).configFor(url)?.providers.values() ?? []
  return [...found].filter((provider) => provider.kind === 'oauth')
}

/** A complete metadata document. */
function getDocument(issuer: string | null): Record<string, unknown> {
  const [authorization_endpoint, token_endpoint] = [`${issuer}/authorize`, `${issuer}/token`]
  return { issuer, authorization_endpoint, token_endpoint, jwks_uri: `${issuer}/keys` }
}

t.test('documents of as many issuers are kept as are allowed, the newest', async (t) => {
  const clock = createClock()
  const cache = new MetadataCache(times, clock.now)
  const requests: string[] = []
  const [one, two, three] = getProviders(3)
  if (!one || !two || !three) throw new Error('expected three providers')
  const read = async (provider: OAuthProvider): Promise<void> => {
    const { issuer } = await cache.of(provider, async () => {
      requests.push(provider.id)
      return Response.json(getDocument(provider.issuer))
    })
    t.equal(issuer, provider.issuer)
  }
  for (const provider of [one, two, one, two, three, three, two]) await read(provider)
  t.same(requests, ['demo0', 'demo1', 'demo2'], 'three were fetched once each')
  await read(one)
  t.same(requests.slice(3), ['demo0'], 'the oldest had given way')
  await read(three)
  t.equal(requests.length, 4)
  await read(two)
  t.same(requests.slice(4), ['demo1'], 'and gave way to it the next oldest')
  clock.advance(3600)
  for (const provider of [two, one, two, one]) await read(provider)
  t.same(requests.slice(5), ['demo1', 'demo0'], 'a repeated fetch counts once')
})

t.test('a document at the wrong address, or of another issuer, is reported with what was found', async (t) => {
  const [provider] = getProviders(1)
  if (!provider) throw new Error('expected a provider')
  const read = (response: Response) => new MetadataCache(times, createClock().now).of(provider, async () => response)
  await t.rejects(read(Response.json({}, { status: 404 })), { message: 'expected status 200, got 404' })
  await t.rejects(read(Response.json(getDocument('https://other.test/realm'))), {
    message: 'expected the issuer https://issuer0.test, got "https://other.test/realm"'
  })
})

const config = { id: 'demo', name: 'Demo', clientId: 'client', clientSecret: 'word', issuer: 'https://issuer.test' }
const ofOAuth = 'https://issuer.test/.well-known/oauth-authorization-server'
const address = 'https://issuer.test/configured'

/** The configured endpoints, and the endpoint that the document may then lack. */
const requirements: readonly (readonly [given: object, required: string])[] = [
  [{ type: 'oidc' }, 'authorization_endpoint token_endpoint jwks_uri'],
  [{ type: 'oidc', authorization: address }, 'token_endpoint jwks_uri'],
  [{ type: 'oidc', token: address }, 'authorization_endpoint jwks_uri'],
  [{ type: 'oidc', token: { request: () => ({ tokens: {} }) } }, 'authorization_endpoint jwks_uri'],
  [{ type: 'oidc', jwks_endpoint: address }, 'authorization_endpoint token_endpoint'],
  [
    { type: 'oidc', jwks: { keys: [{ kty: 'EC', x: 'a', y: 'b', crv: 'P-256' }] } },
    'authorization_endpoint token_endpoint'
  ],
  [{ type: 'oidc', client: { id_token_signed_response_alg: 'HS256' } }, 'authorization_endpoint token_endpoint'],
  [{ type: 'oidc', idToken: false }, 'authorization_endpoint token_endpoint jwks_uri userinfo_endpoint'],
  [{ type: 'oauth', wellKnown: ofOAuth }, 'authorization_endpoint token_endpoint userinfo_endpoint'],
  [{ type: 'oauth', wellKnown: ofOAuth, userinfo: address }, 'authorization_endpoint token_endpoint']
]

function resolved(given: object): OAuthProvider {
  const options = { url, secret, providers: [{ ...config, ...given } as OAuthConfig] }
  const provider = createPostern(options, {}).configFor(url)?.providers.get('demo')
  if (provider?.kind !== 'oauth') throw new Error('expected a provider')
  return provider
}

t.test('oauth-5: a document has to have the endpoints that a sign-in calls and that are not configured', async (t) => {
  const names = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']
  for (const [given, required] of requirements) {
    const provider = resolved(given)
    for (const name of names) {
      const all = { ...getDocument(config.issuer), userinfo_endpoint: `${config.issuer}/userinfo` }
      const document = Object.fromEntries(Object.entries(all).filter(([field]) => field !== name))
      const cache = new MetadataCache(times, createClock().now)
      const read = cache.of(provider, async () => Response.json(document))
      const title = `${JSON.stringify(given)} without ${name}`
      if (required.split(' ').includes(name)) await t.rejects(read, new RegExp(`to have ${name}`), title)
      else await t.resolves(read, title)
    }
  }
})

t.test('oauth-5: a failure is remembered for five seconds, for one provider, and as many as are allowed', async (t) => {
  const clock = createClock()
  const cache = new MetadataCache(times, clock.now)
  const providers = getProviders(4)
  const requests: string[] = []
  const fail = (provider: OAuthProvider) =>
    cache.of(provider, async () => {
      requests.push(provider.id)
      throw new Error(`${provider.id} is down`)
    })
  const [first, second, third] = providers
  if (!first || !second || !third) throw new Error('expected providers')
  for (const provider of [first, second, first, second]) await t.rejects(fail(provider), new RegExp(provider.id))
  t.same(requests, ['demo0', 'demo1'])
  clock.advance(4.9)
  await t.rejects(fail(first))
  t.equal(requests.length, 2)
  clock.advance(0.1)
  await t.rejects(fail(first))
  t.equal(requests.length, 3, 'asked again')
  clock.advance(-10)
  await t.rejects(fail(first))
  t.equal(requests.length, 4, 'a failure in the future does not count')
  await t.rejects(fail(second))
  await t.rejects(fail(third))
  await t.rejects(fail(first))
  t.equal(requests.length, 7, 'the oldest of three gives way to the newest two')
  await cache.of(first, async () => Response.json(getDocument(first.issuer))).catch(() => undefined)
  clock.advance(5)
  await t.resolves(
    cache.of(first, async () => Response.json(getDocument(first.issuer))),
    'and then it works'
  )
})
