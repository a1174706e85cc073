import type { Shape } from '@postern/core/feature'
import type { BreachedCheck } from './have-i-been-pwned.ts'
import type { VerifyLegacy } from './password-hasher.ts'

export interface PasswordOptions {
  /**
   * The minimum number of characters, from 8 to 64. NIST SP 800-63B-4 requires 15 where the password is the only factor.
   * @defaultValue 15
   */
  readonly minLength?: number | undefined
  /** Refuses passwords from data breaches: `haveIBeenPwned()`. @defaultValue no check */
  readonly breached?: BreachedCheck | undefined
  /** Compares a password with an imported hash, such as one of bcrypt. The next sign-in replaces the hash. */
  readonly verifyLegacy?: VerifyLegacy | undefined
  /** Whether the sign-in page links to "Create an account" and "Forgot password?". @defaultValue `true` */
  readonly links?: boolean | undefined
}

export const schema: Shape = {
  minLength: { min: 8, max: 64 },
  breached: 'function',
  verifyLegacy: 'function',
  links: 'boolean'
}

export const defaultMinLength = 15
