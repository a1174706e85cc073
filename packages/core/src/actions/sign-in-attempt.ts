import type { FirstReads } from '../accounts/sign-in-transaction.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { StepUp } from '../features/step-up.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Provider } from '../model/provider.ts'
import type { Proof } from '../sign-in-methods/handler.ts'

/** What a sign-in method has verified, and the context of its sign-in. */
export interface VerifiedAttempt {
  readonly proof: Proof
  readonly provider: Provider
  readonly request: AuthRequest
  /** The interrupted sign-in that continues; `null` for a new one. */
  readonly resumed: PendingSignInState | null
  /** The user who has to authenticate again; `null` for any other sign-in. */
  readonly stepUp: StepUp | null
}

/** A sign-in that is in progress. */
export interface SignInAttempt extends VerifiedAttempt, FirstReads {
  /** Whether factors were enrolled during the sign-in. */
  readonly hasEnrolled: boolean
}
