import { AuthError } from '../errors/auth-error.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { SessionManager } from './session-manager.ts'
import type { SessionStrategy } from './strategy.ts'
import type { UserVersions } from './user-versions.ts'

/** The sessions of a user, of whom all but the current one were ended. */
export interface RevokedSessions {
  readonly userId: string
  /** The version of the user after it. */
  readonly version: number
  /** The cookies of the current session. */
  readonly cookies: SetCookies
}

/**
 * Ends all sessions of the signed-in user except the current one, which gets a new token.
 *
 * @returns `null` if no user is signed in.
 * @throws AccountError `ADAPTER_INCOMPLETE`, AuthError `ImpersonationForbidden`, `StoreUnavailable`
 */
export async function revokeOtherSessions(
  requestCookies: RequestCookies,
  sessions: SessionStrategy,
  sessionManager: SessionManager,
  userVersions: UserVersions
): Promise<RevokedSessions | null> {
  sessionManager.require('endAll')
  const acting = await sessions.act(requestCookies)
  if (!acting) return null
  const { userId } = acting
  try {
    const { version, cookies } = await userVersions.change({ userId, raises: true, acting }, async () => undefined)
    return { userId, version, cookies }
  } catch (error) {
    // Another request of the session has been faster.
    if (error instanceof AuthError && (error.code === 'SessionRequired' || error.code === 'UserSuspended')) return null
    throw error
  }
}
