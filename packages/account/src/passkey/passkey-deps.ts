import type { FeatureContext } from '@postern/core/feature'
import type { AuthJsAuthenticators } from './auth-js.ts'

/** What the parts of the feature depend on. */
export interface PasskeyDeps {
  readonly context: FeatureContext
  readonly rpId: string | null
  readonly relatedOrigins: readonly string[]
  readonly appOrigins: readonly string[]
  readonly userVerification: 'preferred' | 'required'
  /** `null` if the application has no passkeys of Auth.js. */
  readonly authenticators: AuthJsAuthenticators | null
}
