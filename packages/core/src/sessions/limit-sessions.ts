import type { SessionInfo } from './session-directory.ts'
import type { SessionManager } from './session-manager.ts'
import type { SessionStrategy, StartedSession } from './strategy.ts'

const getTime = ({ createdAt }: SessionInfo): number => createdAt?.getTime() ?? 0

/** The newest first, in the same order for concurrent sign-ins, so that they end the same sessions. */
const byAge = (one: SessionInfo, other: SessionInfo): number =>
  getTime(other) - getTime(one) || (one.id < other.id ? -1 : 1)

/**
 * Ends the oldest sessions of a user beyond the limit, after a sign-in has created one.
 *
 * @throws AuthError `StoreUnavailable`; then the new session is discarded.
 */
export async function limitSessions(
  userId: string,
  created: StartedSession,
  max: number,
  { sessionManager, sessions }: { readonly sessionManager: SessionManager; readonly sessions: SessionStrategy }
): Promise<void> {
  try {
    // An impersonation must not end a session of the user.
    const own = (await sessionManager.list(userId)).filter(({ actor }) => actor === null)
    const known = own.toSorted(byAge)
    for (const { id } of known.slice(max)) await sessionManager.end(id, userId)
  } catch (error) {
    await sessions.discard(created)
    throw error
  }
}
