import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { Principal } from '../sessions/strategy.ts'

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
