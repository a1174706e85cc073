import { AuthError } from '../errors/auth-error.ts'
import type { Identity } from '../model/identity.ts'
import type { Principal } from '../sessions/strategy.ts'

/**
 * A signed-in user returned from a provider with an account that no user has. Another person may have pressed the
 * button, or may be signed in: nothing is linked until the user confirms it on a page that names both.
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
