import type { StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'

/** Another change came first, and nothing was written: the sign-in must read everything again. */
export class SignInConflict extends Error {
  override readonly name: string = 'SignInConflict'
  /** What the store refused, such as a user whose address another sign-in has just created; `null` for another version. */
  readonly reason: StoreError | null

  constructor(reason: StoreError | null) {
    super('another change came first', { cause: reason })
    this.reason = reason
  }
}

/** The account was removed, or the session that links it has ended. */
export const accountChanged = (provider: string): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: the account changed during the sign-in`)
