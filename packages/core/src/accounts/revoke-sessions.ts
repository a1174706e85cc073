import { markRevocation } from '../adapter/claim-marker.ts'
import type { Store } from '../adapter/store.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { refuseActor } from '../sessions/impersonation.ts'
import type { SessionReader, SessionStrategy } from '../sessions/strategy.ts'
import type { SessionManager } from './session-manager.ts'

/** What ending the sessions of a user depends on. */
export interface RevokeSessionsDeps {
  readonly sessionManager: SessionManager
  readonly store: Store | null
  readonly runtime: { readonly now: () => number }
}

/** The sessions of an origin. */
export interface OriginSessions {
  readonly sessionReader: SessionReader
  readonly sessions: SessionStrategy
}

/** Ends the sign-ins whose password was submitted before. */
async function rejectSubmitted(userId: string, { store, runtime }: RevokeSessionsDeps): Promise<void> {
  if (store?.tickets) await markRevocation(userId, store.tickets, runtime.now())
}

/** Ends all sessions of a user. @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `StoreUnavailable` */
export async function revokeAllSessions(userId: string, deps: RevokeSessionsDeps): Promise<void> {
  deps.sessionManager.require('endAll')
  // A form may have checked the password before: its sign-in ends with the others.
  await rejectSubmitted(userId, deps)
  await deps.sessionManager.endAll(userId)
}

/**
 * Ends all sessions of the signed-in user except the current one, which gets a new token, after a change of what they sign in
 * with: sign-ins that have already verified it end too.
 *
 * @returns The cookies to set; `null` if no user is signed in.
 * @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `ImpersonationForbidden`, `StoreUnavailable`
 */
export async function revokeOtherSessions(
  cookies: RequestCookies,
  { sessionReader, sessions }: OriginSessions,
  deps: RevokeSessionsDeps
): Promise<SetCookies | null> {
  deps.sessionManager.require('endAll')
  const user = await sessionReader.readUser(cookies)
  if (!user) return null
  refuseActor(user, 'ending the other sessions')
  await rejectSubmitted(user.userId, deps)
  const endPending = (): Promise<void> => deps.sessionManager.endPending(user.userId)
  await endPending()
  // A link that began after the first mark may have checked its session before that ended.
  return sessions.destroyOthers(cookies, endPending)
}
