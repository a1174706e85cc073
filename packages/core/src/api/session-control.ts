import { isInvalidUserId, withUserId } from '../accounts/invalid-user-id.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Config, Services } from '../config/config.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { AccountError } from '../errors/account-error.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { Shape } from '../schema/schema.ts'
import type { SessionInfo, SessionListOptions, SessionRequest, UserSession } from '../sessions/session-directory.ts'
import type { SessionManager } from '../sessions/session-manager.ts'
import { renewDevice } from '../sign-in-methods/known-device.ts'

/** A database refuses a larger number as the limit of a query. */
const listShape: Shape = { limit: { min: 1, max: Number.MAX_SAFE_INTEGER } }

/**
 * Lists and ends the sessions of users, with either session strategy. An id that is not a string, or empty, throws a
 * `TypeError`: otherwise the call would end no session and report no error.
 */
export interface SessionControl {
  /**
   * Lists the valid sessions of a user, newest first. Sessions from before client information was recorded have none;
   * JWT sessions of that kind are not listed.
   *
   * @param request - The current request: its session is marked with `isCurrent`.
   * @throws AccountError `ADAPTER_INCOMPLETE`, `INVALID_USER_ID`
   */
  list(userId: string, request?: SessionRequest, options?: SessionListOptions): Promise<readonly UserSession[]>
  /**
   * Ends one session.
   *
   * @param userId - The expected owner of the session. Pass it if the id comes from a form.
   * @returns Whether the session existed.
   * @throws AccountError `ADAPTER_INCOMPLETE`
   */
  revoke(id: string, userId?: string): Promise<boolean>
  /**
   * Ends all sessions of the signed-in user except the current one, and the sign-ins of the user that are not complete.
   *
   * @returns The cookies to set: the current session gets a new token, so that a copy of its cookie has ended too.
   * @throws AccountError `SIGNED_OUT`, `ADAPTER_INCOMPLETE`
   */
  revokeOthers(request: SessionRequest): Promise<SetCookies>
  /** Ends all sessions of a user. @throws AccountError `ADAPTER_INCOMPLETE`, `INVALID_USER_ID` */
  revokeAll(userId: string): Promise<void>
}

/**
 * Ends one session.
 *
 * @param request - The request of the user who ends it; `null` if the application does.
 */
export async function revokeSession(
  id: string,
  userId: string | null,
  request: RequestInfo | null,
  sessionManager: SessionManager
): Promise<boolean> {
  return sessionManager.end(id, userId, request).catch((error: unknown) => {
    // The id of a session without a record contains its user's id, and may come from a form.
    if (isInvalidUserId(error)) return false
    throw error
  })
}

/**
 * Ends the other sessions of a user, who stays known, and trusted, in this browser. The current session gets a new token.
 *
 * @returns The cookies to set; `null` if no user is signed in.
 * @throws AuthError `ImpersonationForbidden`, `StoreUnavailable`
 */
async function revokeOthers(cookies: RequestCookies, config: Config): Promise<SetCookies | null> {
  const { features, hasSecureCookies, sessionReader, sessions, userVersions } = config
  const user = await sessionReader.readUser(cookies)
  if (!user) return null
  const keep = await features.keepBrowser(user.userId, { cookies, hasSecureCookies })
  const acting = await sessions.act(cookies)
  if (!acting) return null
  const { userId } = acting
  const changed = await userVersions
    .change({ userId, raises: true, acting }, async () => undefined)
    .catch((error: unknown) => {
      // Another request of the session has been faster.
      if (error instanceof AuthError && (error.code === 'SessionRequired' || error.code === 'UserSuspended'))
        return null
      throw error
    })
  if (!changed) return null
  const { version } = changed
  return joinCookies(changed.cookies, await renewDevice({ userId, version }, cookies, config), await keep(version))
}

/** Creates the {@link SessionControl} of an instance. */
export function sessionControl(
  { sessionManager }: Services,
  configFor: (origin: string) => Config | null
): SessionControl {
  return {
    list: async (userId, request, options = {}) => {
      assertTexts('sessions.list', { userId })
      assertShape('sessions.list', options, listShape)
      const { limit } = options
      const found = await withUserId('sessions.list', () => sessionManager.list(userId, limit))
      if (!request) return found
      const key = (await configFor(request.origin)?.sessionReader.readKey(request.cookies)) ?? null
      // The id of a session without a record starts with its key.
      const isCurrent = ({ id }: SessionInfo): boolean =>
        key?.userId === userId && (id === key.id || id.startsWith(`${key.id}.`))
      const isLeftOut = key?.userId === userId && found.length === limit && !found.some(isCurrent)
      const listed = isLeftOut ? await sessionManager.withSession(found, key) : found
      return listed.map((info) => ({ ...info, isCurrent: isCurrent(info) }))
    },
    revoke: async (...args: readonly [id: string, userId?: string]) => {
      const [id, userId] = args
      assertTexts('sessions.revoke', userId ? { id, userId } : { id })
      // A second argument that is empty must not match the sessions of every user.
      if (args.length > 1 && !userId) return false
      return revokeSession(id, userId ?? null, null, sessionManager)
    },
    revokeOthers: async ({ origin, cookies }) => {
      sessionManager.require('endAll')
      const config = configFor(origin)
      const cookiesDue = config && (await revokeOthers(cookies, config))
      if (!cookiesDue) throw new AccountError('SIGNED_OUT', 'expected a signed-in user')
      return cookiesDue
    },
    revokeAll: async (userId) => {
      assertTexts('sessions.revokeAll', { userId })
      await withUserId('sessions.revokeAll', () => sessionManager.endAll(userId))
    }
  }
}
