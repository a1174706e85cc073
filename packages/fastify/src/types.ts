import type { AccessTokenOptions, AccountKey, PosternOptions, Session, UserSession } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PagesOptions } from './create-with-pages.ts'

/** What the plugin takes: the options of `createPostern`, and those of the built-in renderer. */
export type PosternPluginOptions = PosternOptions & PagesOptions

type Awaitable<T> = T | Promise<T>

/** What a guard asks for beyond a session. What is `undefined` is a mistake: a check that is not there checks nothing. */
export interface GuardOptions {
  /** Whether this visitor may go on; otherwise, and for anything but `true`, 403. */
  readonly authorized?: (question: {
    readonly session: Session
    readonly request: FastifyRequest
  }) => Awaitable<boolean>
  /** Seconds since sign-in; older sessions have to sign in again. */
  readonly freshWithin?: number
}

/** A hook for `onRequest` or `preHandler`. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Lets visitors with a session pass.
 *
 * Without one a browser is sent to the sign-in page, and anything else gets 401 with `code: 'SESSION_REQUIRED'`.
 */
export interface RequireSession extends Guard {
  /**
   * A guard for roles, or for a recent sign-in.
   *
   * @throws ConfigError at once, so that nothing is served: an option that there is not, or of a wrong kind.
   */
  with(options: GuardOptions): Guard
}

/** The sessions of users, to be shown and ended: with either way of keeping sessions. */
export interface PosternSessions {
  /**
   * A user's sessions that count, the newest first. Sessions from before devices were noted say nothing of theirs; of
   * signed tokens such ones are missing.
   *
   * @param request - Whoever asks: their own session is marked with `isCurrent`.
   * @throws AccountError `ADAPTER_INCOMPLETE` names the methods that the adapter lacks.
   */
  list(userId: string, request?: FastifyRequest): Promise<readonly UserSession[]>
  /**
   * Ends one session.
   *
   * @param userId - Whose it has to be: pass it where the id comes from a form.
   * @returns Whether there was such a session.
   * @throws AccountError `ADAPTER_INCOMPLETE`
   */
  revoke(id: string, userId?: string): Promise<boolean>
  /**
   * Ends all sessions of whoever asks but their own. Call it before the reply is sent: a signed token is written anew.
   *
   * @throws AccountError `SIGNED_OUT` (401), `ADAPTER_INCOMPLETE`
   */
  revokeOthers(request: FastifyRequest): Promise<void>
  /** Signs a user out everywhere. @throws AccountError `ADAPTER_INCOMPLETE` */
  revokeAll(userId: string): Promise<void>
}

/** The server-side interface, as `app.postern`. */
export interface PosternInterface {
  /** The path that all routes are under. */
  readonly basePath: string
  /** The address of the sign-in page, which brings the visitor to `callbackUrl` afterwards. */
  signInUrl(callbackUrl?: string): string
  /** The same as `request.getSession()`. */
  getSession(request: FastifyRequest): Promise<Session | null>
  /** Changes the session: the `jwt` callback, or `session` with database sessions, sees `trigger: 'update'`. */
  updateSession(request: FastifyRequest, patch: unknown): Promise<Session | null>
  /** Lists and ends the sessions of users. */
  readonly sessions: PosternSessions
  /** Takes an account from a user. @throws AccountError it is their last way in, or the adapter cannot. */
  unlink(userId: string, account: AccountKey): Promise<void>
  /** Deletes a user and ends their sessions. @throws AccountError the adapter cannot. */
  deleteUser(userId: string): Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    postern: PosternInterface
    requireSession: RequireSession
  }

  interface FastifyRequest {
    /** What `getSession` or the guard found; `null` before. */
    auth: Session | null
    /**
     * Who is signed in, read once per request.
     *
     * @throws AuthError `StoreUnavailable`, 503: the store did not answer. That is never "signed out".
     */
    getSession(): Promise<Session | null>
    /**
     * An access token of the signed-in user's account at a provider, renewed where it is about to end. However many ask
     * at once, in however many processes, the provider is asked once.
     *
     * @throws AccountError `GRANT_ENDED` (401): the user has to sign in there again. `SIGNED_OUT` (401),
     * `UNKNOWN_ACCOUNT` (404), `REFRESH_FAILED` (503); `ADAPTER_INCOMPLETE` names the methods that the adapter lacks.
     */
    getAccessToken(provider: string, options?: AccessTokenOptions): Promise<string>
  }
}
