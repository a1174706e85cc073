import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import type { Feature, FeatureContext } from '@postern/core/feature'
import t, { type Test } from 'tap'
import { AccountPart, type AccountParts } from '../src/account-parts.ts'
import { accountPages } from '../src/pages/index.ts'
import { passkey } from '../src/passkey/index.ts'
import { secondFactor } from '../src/second-factor/index.ts'

/** The parts of an application with these features, as another feature of it finds them. */
function openParts(t: Test, host: string, features: readonly Feature[]): AccountParts {
  const contexts: FeatureContext[] = []
  const reader: Feature = {
    id: 'reader',
    setup: (context) => {
      contexts.push(context)
      return {}
    }
  }
  const auth = createPostern({
    url: `https://${host}`,
    secret: 'a secret of the tests, 32 characters or more',
    adapter: memoryAdapter(),
    providers: [passkey()],
    features: [reader, ...features]
  })
  t.teardown(auth.close)
  const [context] = contexts
  if (!context) throw new Error('expected the context')
  return AccountPart.findAll(context)
}

t.test('features find each other, in whatever order they are registered', async (t) => {
  for (const features of [
    [secondFactor(), accountPages()],
    [accountPages(), secondFactor()]
  ]) {
    const parts = openParts(t, 'app.test', features)
    t.equal(parts.factors?.getPagePath('/factors'), '/api/auth/factors')
    t.equal(parts.passkeys?.feature, 'passkey')
    t.equal(parts.hasPages, true)
  }
})

t.test('features of one application do not find those of another in the same process', async (t) => {
  const [one, other] = [openParts(t, 'one.test', [secondFactor()]), openParts(t, 'other.test', [])]
  t.ok(one.factors)
  t.equal(other.factors, null)
  t.equal(other.hasPages, false)
  t.not(one.passkeys, other.passkeys)
})
