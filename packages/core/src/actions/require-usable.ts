import { accountChanged } from '../accounts/apply-plan.ts'
import type { SignInPlan } from '../accounts/sign-in-plan.ts'
import type { Store } from '../adapter/store.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'

/** The error of a sign-in whose proof is older than an end of the user's sessions. */
function createEndedError({ proof, provider }: SignInAttempt, kind: SignInPlan['kind'], userId: string): AuthError {
  if (kind === 'linked') return accountChanged(provider.id)
  const message = `${provider.id}: the sessions of the user ended during the sign-in`
  if (proof.submittedAt !== null) return new AuthError('CredentialsSignin', message, { userId })
  return new AuthError('Callback', message, { status: 401, userId })
}

/**
 * Requires that a user is not suspended, and that their sessions have not ended since the sign-in read them first.
 *
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`
 */
function requireUsableRow(
  attempt: SignInAttempt,
  kind: SignInPlan['kind'],
  { userId, suspendedAt, sessionsFrom }: UserVersion,
  firstVersion: number
): void {
  const { id } = attempt.provider
  if (suspendedAt) throw new AuthError('UserSuspended', `${id}: the user is suspended`, { userId })
  if (sessionsFrom > firstVersion) throw createEndedError(attempt, kind, userId)
}

/**
 * Requires that the user of a plan may sign in, as their row was read.
 *
 * @returns The version that was read first; `null` if the adapter stores no rows.
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`
 */
export function requireUsable(attempt: SignInAttempt, { kind, row }: SignInPlan, store: Store | null): number | null {
  if (!store?.versions) return null
  // A new user without a row.
  if (!row) return 0
  const { proof, firstVersions, isRestarted } = attempt
  const { userId, version, sessionsFrom } = row
  // The sessions of a user who was found only when everything was read again may have ended in between.
  const first = firstVersions.get(userId) ?? (isRestarted ? 0 : version)
  firstVersions.set(userId, first)
  requireUsableRow(attempt, kind, row, first)
  const { submittedAt, userVersion = null } = proof
  // Nothing else tells when the application has compared the password of a form, so one that arrives in the same millisecond came
  // before, too.
  if (submittedAt !== null && userVersion === null && sessionsFrom >= submittedAt)
    throw createEndedError(attempt, kind, userId)
  return first
}

/**
 * Requires the same after a sign-in was written to a store without transactions.
 *
 * @param version - That of the session.
 * @throws AuthError `UserSuspended`, `Callback`, `CredentialsSignin`, `OAuthAccountNotLinked`, `StoreUnavailable`
 */
export async function requireStillActive(
  attempt: SignInAttempt,
  { kind, user }: Pick<SignInPlan, 'kind' | 'user'>,
  version: number | null,
  { versions }: Store
): Promise<void> {
  if (!versions || !user || version === null) return
  requireUsableRow(attempt, kind, await versions.get(user.id), version)
}
