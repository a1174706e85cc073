import { AuthError } from '../errors/auth-error.ts'
import type { Principal } from '../sessions/strategy.ts'

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
