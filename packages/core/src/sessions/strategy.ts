import type { AdapterUser } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import type { UserVersion } from '../adapter/user-version.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import type { Emit } from '../hooks/events.ts'
import type { EndedSession } from '../hooks/feature-hooks.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Remembered } from '../hooks/session-lifetime.ts'
import type { Account } from '../model/account.ts'
import type { Actor, Authentication, AuthenticationContext } from '../model/authentication.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Profile } from '../model/identity.ts'
import type { Logger } from '../model/logger.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { Session, Token } from '../model/session.ts'
import type { SessionClaims } from '../model/session-claims.ts'
import type { User } from '../model/user.ts'
import type { Application } from '../tokens/application.ts'
import type { Impersonation } from './impersonation.ts'
import type { Lifetime } from './session-renewal.ts'

/** The settings and the application's callbacks of both strategies. */
export interface SessionSettings {
  readonly application: Application
  readonly cookie: CookieSetting
  /** The session cookie of Auth.js, whose sessions are accepted; `null` if they are not. */
  readonly authJsCookie: CookieSetting | null
  /** The maximum size of a cookie, in bytes. */
  readonly chunkSize: number
  readonly lifetime: Lifetime
  /** Whether sessions are those of Auth.js v5. */
  readonly hasAuthJsFormat: boolean
  readonly hooks: Hooks
  readonly emit: Emit
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The client of a sign-in, as the list of sessions shows it. */
export interface ClientInfo {
  readonly userAgent: string | null
  readonly address: string | null
}

/** The session that a new session continues, because the sign-in only linked an account to its user. */
export interface ContinuedSession {
  /** When the earlier session began; `null` if unknown. */
  readonly startedAt: Date | null
  /** `null` if it has none. */
  readonly record: SessionRecord | null
}

/** The user and account of a new session, as passed to the callbacks. */
export interface NewSession {
  readonly user: User
  readonly account: Account
  readonly profile: Profile | null
  readonly isNewUser: boolean
  readonly remembered: Remembered
  /** The client of the sign-in. */
  readonly clientInfo: ClientInfo
  /** `null` for a session that depends on no other one. */
  readonly continues: ContinuedSession | null
  readonly authentication: AuthenticationContext
  /** The claims of features; `null` if there are none. */
  readonly claims: SessionClaims | null
  /** `null` if the user signs in. */
  readonly impersonation: Impersonation | null
  /** The store to write to: a transaction of the sign-in, or the store itself; `null` if there is none. */
  readonly store: Store | null
  /**
   * The version of the user that the sign-in read first, or that the change writes which issues the session; `null` if the
   * adapter keeps none.
   */
  readonly userVersion: number | null
}

/** The signed-in user, read without callbacks and without renewal. */
export interface Principal {
  readonly userId: string
  /** The user who impersonates this user; `null` if this user signed in. */
  readonly actor: Actor | null
  readonly name: string | null
  readonly email: string | null
  /** When the session was created, or `null` if unknown. */
  readonly signedInAt: Date | null
  /** When the user authenticated, or `null` if unknown: a provider may sign users in without asking them. */
  readonly authenticatedAt: Date | null
  /** The user in the store, if it was read together with the session; otherwise `null`. */
  readonly storedUser: AdapterUser | null
}

/** The session of a request's cookies. */
export interface FoundSession {
  /** The signed-in user; `null` if the session is expired or names no user. */
  readonly principal: Principal | null
  /** The lifetime that its sign-in set, if it set one. */
  readonly remembered: Remembered
  /** Identifies the session when it is ended: the stored token, or the id in a JWT session; `null` without one. */
  readonly handle: string | null
  readonly expires: Date
}

/** Identifies a session by its id in the list of sessions. */
export interface SessionKey {
  readonly id: string
  readonly userId: string
  readonly expires: Date
}

/** The session that a user starts an impersonation from. */
export interface ActorSession {
  readonly principal: Principal
  /** As in the list of sessions; `null` for a session without an id. */
  readonly id: string | null
  /** The version of the user's revocations, for JWT sessions; 0 for database sessions. */
  readonly version: number
  readonly expires: Date
}

/** The session, and the cookies to set. */
export interface SessionResult {
  readonly session: Session | null
  readonly principal: Principal | null
  /** The claims of a JWT session; `null` for a database session. */
  readonly token: Token | null
  readonly cookies: SetCookies
  /**
   * Reads how the user of the session was authenticated; `null` without a session. With database sessions, the first call
   * takes a query.
   *
   * @throws AuthError `StoreUnavailable`
   */
  getAuthentication(): Promise<Authentication | null>
}

/** The result for a request without a session. */
export const noSession: SessionResult = {
  session: null,
  principal: null,
  token: null,
  cookies: noCookies,
  getAuthentication: async () => null
}

/** A session whose rows were written, or are recorded in the transaction of its sign-in. */
export interface StartedSession {
  /** As in {@link FoundSession}. */
  readonly handle: string | null
  /** As in the list of sessions; `null` for a session without an id. */
  readonly id: string | null
  /**
   * Completes the session after its transaction: the `jwt` callback finds all rows committed, and this process knows at once that
   * the previous session of the browser has ended.
   *
   * @returns The cookies to set.
   */
  complete(): Promise<SetCookies>
}

/** Reads sessions without renewing them or calling callbacks. @throws AuthError `StoreUnavailable` */
export interface SessionReader {
  /** Reads the session; a database session even if it has expired. */
  read(cookies: RequestCookies): Promise<FoundSession | null>
  /** Reads the signed-in user, or `null`. */
  readUser(cookies: RequestCookies): Promise<Principal | null>
  /** Reads the user from the store, so that sessions ended by other processes a moment ago do not count. */
  readUserUncached(cookies: RequestCookies): Promise<Principal | null>
  /** Reads the impersonation that the session is, or `null`. It takes no query for a user who signed in. */
  readImpersonation(cookies: RequestCookies): Promise<Pick<Impersonation, 'actor' | 'sessionId'> | null>
  /** Reads the session from the store for a new impersonation, or `null`. */
  readActorSession(cookies: RequestCookies): Promise<ActorSession | null>
  /** Reads the key of the session, or `null`. */
  readKey(cookies: RequestCookies): Promise<SessionKey | null>
  /** Reads how the user of the session was authenticated, or `null`. With database sessions, this takes another query. */
  readAuthentication(cookies: RequestCookies): Promise<Authentication | null>
  /** Reads the claims of features, or `null`. With database sessions, this takes another query. */
  readClaims(cookies: RequestCookies): Promise<SessionClaims | null>
}

/** A way of storing sessions, chosen at registration. Callers do not depend on the implementation. */
export interface SessionStrategy {
  /**
   * Writes a session to the store of `newSession`, or records it there.
   *
   * @param before - The previous session of the browser, which ends. A session that continues it requires it in a transaction.
   */
  start(newSession: NewSession, before: FoundSession | null, cookies: RequestCookies): Promise<StartedSession>
  /** Ends a session that was created for a sign-in that is refused after all. */
  discard(session: Pick<StartedSession, 'handle'>): Promise<void>
  /** Reads the session, calls the callbacks, and renews the session if due. @throws AuthError `StoreUnavailable` */
  read(cookies: RequestCookies): MaybePromise<SessionResult>
  /** Reads the session with `trigger: 'update'` and the data that the client sent. */
  update(cookies: RequestCookies, data: unknown): Promise<SessionResult>
  /**
   * Ends the session, and emits the event.
   *
   * @param request - The request of the user, for the features.
   */
  destroy(cookies: RequestCookies, request: RequestInfo | null): Promise<SetCookies>
  /**
   * Reads the session that its user changes their own access with: each change gives it a new token, and ends the one before, so
   * that a copy of its cookie has ended. Of several requests with one token, those that come later find no session.
   *
   * @returns `null` if no user is signed in.
   * @throws AuthError `ImpersonationForbidden`, `StoreUnavailable`
   * @see OWASP Session Management Cheat Sheet, "Renew the Session ID After Any Privilege Level Change"
   */
  act(cookies: RequestCookies): Promise<ActingSession | null>
}

/** The session that a user changes their own access with. */
export interface ActingSession {
  readonly userId: string
  /** The stored form of its token; `null` for a JWT session. */
  readonly sessionToken: string | null
  /** Whether it can only be ended together with all sessions of the user: its token has no id. */
  readonly endsWithAll: boolean
  /**
   * Reads the session from the store, after the row of its user was read.
   *
   * @returns Whether the session exists, and began no earlier than the last end of all sessions.
   * @throws AuthError `StoreUnavailable`
   */
  isAllowed(row: UserVersion): Promise<boolean>
  /**
   * Replaces the session by one with a new token and this version. In a transaction, that requires the session.
   *
   * @throws AuthError `SessionRequired` if it has ended.
   */
  reissue(store: Store, version: number): Promise<ReissuedSession>
}

/** A session with a new token. */
export interface ReissuedSession {
  readonly cookies: SetCookies
  /** The stored form of the token; `null` for a JWT session. */
  readonly sessionToken: string | null
  /** Call it after the transaction: this process knows at once that the token before has ended. */
  readonly afterCommit: () => void
}

/**
 * Ends one session of a user: in a transaction, together with what features record about it.
 *
 * @param ended - What is reported to the features; `null` for nothing.
 */
export type EndSession = (
  userId: string,
  end: (store: Store | null) => Promise<unknown>,
  ended: EndedSession | null
) => Promise<unknown>
