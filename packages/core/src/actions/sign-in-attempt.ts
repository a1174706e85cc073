import type { FirstVersions } from '../accounts/first-versions.ts'
import type { SignInPlan } from '../accounts/sign-in-plan.ts'
import type { ReadRows } from '../adapter/transaction.ts'
import type { PendingSignInState } from '../features/interrupted-sign-ins.ts'
import type { StepUp } from '../features/step-up.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Provider } from '../model/provider.ts'
import type { Proof } from '../sign-in-methods/handler.ts'

/** A verified proof, and the context of its sign-in. */
export interface SignInAttempt {
  readonly proof: Proof
  readonly provider: Provider
  readonly request: AuthRequest
  /** The interrupted sign-in that continues; `null` for a new one. */
  readonly resumed: PendingSignInState | null
  /** The user who has to authenticate again; `null` for any other sign-in. */
  readonly stepUp: StepUp | null
  readonly firstVersions: FirstVersions
}

/** Whether factors were enrolled during the sign-in. */
export const hasEnrolled = ({ resumed }: Pick<SignInAttempt, 'resumed'>): boolean =>
  (resumed?.newFactors ?? []).length > 0

/** The rows that a sign-in has read before it writes. */
export function getRead({ proof }: Pick<SignInAttempt, 'proof'>, { user }: Pick<SignInPlan, 'user'>): ReadRows {
  const verificationToken = proof.oneTimeToken?.getRead?.() ?? null
  if (!user) return { user, verificationToken }
  const { email = null, emailVerified = null } = user
  return { user: { ...user, email, emailVerified }, verificationToken }
}
