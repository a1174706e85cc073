import type { Shape, SignUpPolicy } from '@postern/core/feature'
import { type SignUpFormOptions, signUpFormSchema } from '../sign-up-form/options.ts'
import type { BreachedCheck } from './have-i-been-pwned.ts'
import type { VerifyLegacy } from './password-hasher.ts'

export interface PasswordOptions extends SignUpFormOptions {
  /**
   * The minimum number of characters, from 8 to 64. NIST SP 800-63B-4 requires 15 where the password is the only factor.
   * @defaultValue 15
   */
  readonly minLength?: number | undefined
  /** Refuses passwords from data breaches: `haveIBeenPwned()`. @defaultValue no check */
  readonly breached?: BreachedCheck | undefined
  /** Compares a password with an imported hash, such as one of bcrypt. The next sign-in replaces the hash. */
  readonly verifyLegacy?: VerifyLegacy | undefined
  /**
   * Whether visitors may sign up: nobody with `false`, or the addresses for which the function returns `true`. It is called before the mail
   * is sent and again before the user is created. Other addresses get the same response and no mail. With `false`, there is
   * neither a page to sign up nor a link to it.
   *
   * @defaultValue `true`
   */
  readonly signUp?: SignUpPolicy | undefined
  /**
   * Whether the sign-in form has a checkbox "Stay signed in": without it, the session ends with the browser. With it, it lasts as
   * long as configured.
   *
   * @defaultValue `false`: no checkbox; sessions last as long as configured
   */
  readonly remember?: boolean | undefined
  /** Whether the sign-in page links to "Create an account" and "Forgot password?". @defaultValue `true` */
  readonly links?: boolean | undefined
}

export const schema: Shape = {
  minLength: { min: 8, max: 64 },
  breached: 'function',
  verifyLegacy: 'function',
  signUp: { oneOf: ['boolean', 'function'] },
  ...signUpFormSchema,
  remember: 'boolean',
  links: 'boolean'
}

export const defaultMinLength = 15
