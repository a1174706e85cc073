import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import type { Feature, FeatureParts } from '@postern/core/feature'
import email from '@postern/core/providers/email'
import github from '@postern/core/providers/github'

/** Sets up the features of an account as an application does. @returns Their parts, by the id of the feature. */
export async function setUpFeatures(): Promise<ReadonlyMap<string, FeatureParts>> {
  const all = new Map<string, FeatureParts>()
  const observe = (feature: Feature): Feature => ({
    ...feature,
    setup: (context) => {
      const parts = feature.setup(context)
      all.set(feature.id, parts)
      return parts
    }
  })
  const postern = createPostern({
    url: 'http://localhost',
    secret: 'a secret that encrypts nothing, as no request is handled',
    adapter: memoryAdapter(),
    mailer: email({ server: 'smtp://localhost', from: 'no-reply@demo.example' }),
    providers: [
      github({ clientId: 'demo', clientSecret: 'demo' }),
      observe(password()),
      observe(passkey({ signUp: true }))
    ],
    features: [observe(accountPages({ deletionGracePeriod: 30 })), observe(secondFactor())]
  })
  await postern.close()
  return all
}
