import { AccountError } from './accounts/account-error.ts'
import type { SessionInfo } from './accounts/session-directory.ts'
import type { Config, Foundation } from './config/config.ts'
import { expectTexts } from './config/expect.ts'
import type { AuthRequest } from './http/request.ts'
import type { SetCookies } from './model/cookie.ts'

/** A session in a list. */
export interface UserSession extends SessionInfo {
  /** Whether it is the one that asks; only where a request was given. */
  readonly isCurrent?: boolean
}

/** What of a request says whose session it is. */
export type SessionRequest = Pick<AuthRequest, 'origin' | 'cookies'>

/**
 * The sessions of users, to be shown and ended: with either way of keeping sessions. An id that is no text, or empty, is
 * a TypeError: nobody would be signed out, and nothing would say so.
 */
export interface SessionControl {
  /**
   * A user's sessions that count, the newest first. Sessions from before devices were noted say nothing of theirs; of
   * signed tokens such ones are missing.
   *
   * @param request - Whoever asks: their own session is marked.
   * @throws AccountError `ADAPTER_INCOMPLETE`
   */
  list(userId: string, request?: SessionRequest): Promise<readonly UserSession[]>
  /**
   * Ends one session.
   *
   * @param userId - Whose it has to be: pass it where the id comes from a form.
   * @returns Whether there was such a session.
   * @throws AccountError `ADAPTER_INCOMPLETE`
   */
  revoke(id: string, userId?: string): Promise<boolean>
  /**
   * Ends all sessions of whoever asks but their own.
   *
   * @returns Cookies that are due: a signed token that still counts.
   * @throws AccountError `SIGNED_OUT`, `ADAPTER_INCOMPLETE`
   */
  revokeOthers(request: SessionRequest): Promise<SetCookies>
  /** Ends all sessions of a user. @throws AccountError `ADAPTER_INCOMPLETE` */
  revokeAll(userId: string): Promise<void>
}

/** Makes {@link SessionControl} of what sessions are kept with. */
export function sessionControl({ devices }: Foundation, configFor: (origin: string) => Config | null): SessionControl {
  return {
    list: async (userId, request) => {
      expectTexts('sessions.list', { userId })
      const found = await devices.list(userId)
      if (!request) return found
      const key = (await configFor(request.origin)?.finder.keyOf(request.cookies)) ?? null
      // A session that nothing was noted of has its user in its id.
      const isCurrent = ({ id }: SessionInfo): boolean =>
        key?.userId === userId && (id === key.id || id.startsWith(`${key.id}.`))
      return found.map((info) => ({ ...info, isCurrent: isCurrent(info) }))
    },
    revoke: async (...args: readonly [id: string, userId?: string]) => {
      const [id, userId] = args
      expectTexts('sessions.revoke', userId ? { id, userId } : { id })
      // Somebody was meant, and it is not known who: that must not be anybody.
      return args.length > 1 && !userId ? false : devices.end(id, userId ?? null)
    },
    revokeOthers: async ({ origin, cookies }) => {
      devices.require('endAll')
      const due = (await configFor(origin)?.sessions.closeOthers(cookies)) ?? null
      if (!due) throw new AccountError('SIGNED_OUT', 'expected somebody who is signed in')
      return due
    },
    revokeAll: async (userId) => {
      expectTexts('sessions.revokeAll', { userId })
      await devices.endAll(userId)
    }
  }
}
