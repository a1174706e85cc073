import { AuthError } from '../errors/auth-error.ts'
import type { SignedIn } from '../sessions/strategy.ts'

/** Somebody else signed in since the attempt began: nobody is linked or replaced without being asked. */
export class OtherUserError extends AuthError {
  readonly current: SignedIn

  constructor(provider: string, current: SignedIn) {
    super('OAuthAccountNotLinked', `${provider}: another user signed in after this attempt began`)
    this.current = current
  }
}
