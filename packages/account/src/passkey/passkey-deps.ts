import type { FeatureContext } from '@postern/core/feature'
import type { MaySignUp } from '../mail/mailed-sign-up.ts'
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
  readonly maySignUp: MaySignUp
}
