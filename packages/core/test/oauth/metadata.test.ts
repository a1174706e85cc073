import { createClock } from '@postern/testkit'
import t from 'tap'
import type { OAuthProvider } from '../../src/model/provider.ts'
import { MetadataCache } from '../../src/oauth/metadata.ts'
import { createPostern } from '../../src/postern.ts'

const url = 'https://app.test'
const secret = 'a secret of the tests, 32 characters or more'

/** Providers of as many issuers. */
function providersOf(count: number): readonly OAuthProvider[] {
  const providers = Array.from({ length: count }, (_, number) => ({
    ...{ id: `demo${number}`, name: 'Demo', type: 'oidc' as const, clientId: 'client', clientSecret: 'word' },
    issuer: `https://issuer${number}.test`
  }))
  const found = createPostern({ url, secret, providers }, {}).configFor(url)?.providers.values() ?? []
  return [...found].filter((provider) => provider.kind === 'oauth')
}

t.test('documents of as many issuers are kept as are allowed, the newest', async (t) => {
  const clock = createClock()
  const times = { maxAge: 3600, staleIfError: 3600, throttle: 60, mostIssuers: 2 }
  const cache = new MetadataCache(times, clock.now)
  const asked: string[] = []
  const [one, two, three] = providersOf(3)
  if (!one || !two || !three) throw new Error('expected three providers')
  const read = async (provider: OAuthProvider): Promise<void> => {
    const { issuer } = await cache.of(provider, async () => {
      asked.push(provider.id)
      return Response.json({ issuer: provider.issuer, authorization_endpoint: `${provider.issuer}/authorize` })
    })
    t.equal(issuer, provider.issuer)
  }
  for (const provider of [one, two, one, two, three, three, two]) await read(provider)
  t.same(asked, ['demo0', 'demo1', 'demo2'], 'three were fetched once each')
  await read(one)
  t.same(asked.slice(3), ['demo0'], 'the oldest had given way')
  await read(three)
  t.equal(asked.length, 4)
  await read(two)
  t.same(asked.slice(4), ['demo1'], 'and gave way to it the next oldest')
  clock.advance(3600)
  for (const provider of [two, one, two, one]) await read(provider)
  t.same(asked.slice(5), ['demo1', 'demo0'], 'what is fetched anew counts once')
})
