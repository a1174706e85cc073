import t from 'tap'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { createPostern } from '../../src/postern.ts'

/** What startup reports about a provider. */
function getProblems(given: Partial<OAuthConfig>): readonly string[] {
  const provider: OAuthConfig = { id: 'demo', name: 'Demo', type: 'oidc', clientId: 'a', clientSecret: 'b', ...given }
  try {
    createPostern({
      url: 'https://app.test',
      secret: 'a secret of the tests, 32 characters or more',
      providers: [provider]
    })
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').filter((line) => line.includes('providers.demo.')) : []
  }
}

t.test('an issuer that is not a URL is reported once, with its value', async (t) => {
  t.match(getProblems({ issuer: 'localhost:3101' }), [
    /providers\.demo\.issuer: expected an https address, got "localhost:3101"$/
  ])
  t.match(getProblems({ issuer: 'https://issuer.test', wellKnown: 'localhost:3101' }), [
    /providers\.demo\.wellKnown: expected an https address, got another string$/
  ])
  t.same(getProblems({ issuer: 'https://issuer.test' }), [])
})
