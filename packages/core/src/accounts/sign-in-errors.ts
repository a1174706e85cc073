import type { StoreError } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { ErrorCode } from '../errors/error-codes.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { Principal } from '../sessions/strategy.ts'

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

/**
 * Another user has signed in since the sign-in began. No account is linked and no session replaced without
 * confirmation.
 */
export class SessionConflictError extends AuthError {
  readonly provider: string
  readonly current: Principal

  constructor(provider: string, current: Principal) {
    super('OAuthAccountNotLinked', `${provider}: another user signed in after this sign-in began`)
    this.provider = provider
    this.current = current
  }
}

/**
 * A signed-in user returned from a provider with an account that no user has, and the store has no tickets that could
 * keep the sign-in until the user confirms the link (`features/confirm-link.ts`). The page that names both starts the
 * sign-in again.
 */
export class LinkConfirmation extends AuthError {
  readonly current: Principal
  readonly identity: Identity

  constructor(identity: Identity, current: Principal) {
    super('OAuthAccountNotLinked', `${identity.account.provider}: the user has not confirmed the link of this account`)
    this.current = current
    this.identity = identity
  }
}

/** The error code if the adapter does not create a new user, as in next-auth v4. */
export const createUserErrors: Readonly<Record<AccountPolicy, ErrorCode>> = {
  link: 'OAuthCreateAccount',
  mailbox: 'EmailCreateAccount',
  application: 'Callback',
  stored: 'Callback'
}
