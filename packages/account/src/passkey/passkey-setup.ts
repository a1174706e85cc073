import type { MailedSignUps } from '../mail/mailed-sign-up.ts'
import type { AuthJsAuthenticators } from './auth-js.ts'
import type { RelyingPartyOptions } from './relying-party.ts'

/** The feature as the application has set it up. */
export interface PasskeySetup extends MailedSignUps, RelyingPartyOptions {
  readonly userVerification: 'preferred' | 'required'
  /** `null` if the application has no passkeys of Auth.js. */
  readonly authenticators: AuthJsAuthenticators | null
}
