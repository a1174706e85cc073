import type {
  AccessTokenOptions,
  AccountKey,
  AdapterUser,
  Authentication,
  Awaitable,
  EventListOptions,
  EventPage,
  FeatureApis,
  ImpersonateOptions,
  InviteOptions,
  LinkedAccount,
  MailTemplate,
  OneTimeTokens,
  PosternOptions,
  ReencryptOptions,
  ReencryptResult,
  RemovalOptions,
  SendMailOptions,
  Session,
  SessionListOptions,
  SignInOptions,
  SignInOutcome,
  Token,
  UserExport,
  UserListOptions,
  UserPage,
  UserSelector,
  UserSession
} from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PagesOptions } from './create-with-pages.ts'

/** The options of the plugin: those of `createPostern`, and those of the built-in renderer. */
export type PosternPluginOptions = PosternOptions & PagesOptions

/**
 * What a guard requires in addition to a session. An option that is `undefined` is an error, because it checks nothing.
 */
export interface GuardOptions {
  /** Returns `true` if the user is authorized; any other value results in 403. */
  readonly authorized?: (question: {
    readonly session: Session
    readonly request: FastifyRequest
  }) => Awaitable<boolean>
  /**
   * Maximum seconds since the user authenticated; others must authenticate again. The time is unknown, and so never recent,
   * after a provider that does not state it (`auth_time` of OpenID Connect), unless the provider has `assumeFresh`.
   *
   * Browsers are sent to `/verify`, and return. Clients that do not accept HTML get 401 with `code:
   * 'INSUFFICIENT_USER_AUTHENTICATION'`, the challenge of RFC 9470, and the `url` of that page.
   */
  readonly freshWithin?: number
  /**
   * Values that `amr` of the session must have, all of them, such as `['mfa']` (RFC 8176): what this application verified
   * itself. Others must authenticate again, as with `freshWithin`.
   */
  readonly amr?: readonly string[]
  /** Values of which the provider's `acr` must be one. Others must authenticate again, as with `freshWithin`. */
  readonly acr?: readonly string[]
  /**
   * Whether a proxy asks on behalf of another application, as `auth_request` of nginx and `forward_auth` of Caddy do. Every client
   * gets 401 instead of a redirect, with the page that signs in and returns in `X-Sign-In-Url`. The page to return to is
   * `X-Forwarded-Uri` or `X-Original-URI`, of a proxy that Fastify trusts (`trustProxy`) and that sends `X-Forwarded-For`. Each cookie is
   * repeated in `X-Set-Cookie-1` and so on, for proxies that pass on a single `Set-Cookie`.
   *
   * @defaultValue `false`
   */
  readonly forProxy?: boolean
}

/** A hook that runs before the handler, such as `onRequest` or `preHandler`. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Accepts requests with a session.
 *
 * Without a session, a browser is redirected to the sign-in page; other clients get 401 with `code:
 * 'SESSION_REQUIRED'`.
 */
export interface RequireSession extends Guard {
  /**
   * Creates a guard that requires a role or a recent sign-in.
   *
   * @throws ConfigError immediately, before any request is served, if an option is unknown or of the wrong type.
   */
  with(options: GuardOptions): Guard
}

/** Lists and ends the sessions of users, with either session strategy. */
export interface PosternSessions {
  /**
   * Lists the valid sessions of a user, newest first. Sessions from before client information was recorded have none;
   * JWT sessions of that kind are not listed.
   *
   * @param request - The current request: its session is marked with `isCurrent`.
   * @throws AccountError `ADAPTER_INCOMPLETE` names the methods that the adapter lacks.
   */
  list(userId: string, request?: FastifyRequest, options?: SessionListOptions): Promise<readonly UserSession[]>
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
   * Call it before the reply is sent, because the session gets a new cookie: a copy of the one before has ended.
   *
   * @throws AccountError `SIGNED_OUT` (401), `ADAPTER_INCOMPLETE`
   */
  revokeOthers(request: FastifyRequest): Promise<void>
  /** Ends all sessions of a user. @throws AccountError `ADAPTER_INCOMPLETE` */
  revokeAll(userId: string): Promise<void>
}

/** Finds, lists, suspends and impersonates users. */
export interface PosternUsers {
  /**
   * Finds a stored user by id, email address or account. Addresses are normalized like those of a sign-in.
   *
   * @returns `null` if there is none.
   * @throws AccountError `INVALID_USER_ID`; `ADAPTER_INCOMPLETE` without an adapter
   */
  find(selector: UserSelector): Promise<AdapterUser | null>
  /**
   * Lists the stored users in the order of their ids, some at a time.
   *
   * @throws AccountError `INVALID_CURSOR`; `ADAPTER_INCOMPLETE` if the adapter lacks `listUsers`.
   */
  list(options?: UserListOptions): Promise<UserPage>
  /**
   * Suspends a user: every sign-in fails with `UserSuspended` until `resume` is called. Ends all sessions of the user, in
   * other processes within a second (`constants.revocationRefresh`), all pending operations and known devices.
   *
   * @throws AccountError `UNKNOWN_USER`; `ADAPTER_INCOMPLETE` if the adapter does not store tickets or cannot end
   * sessions. Then nothing is changed.
   */
  suspend(userId: string): Promise<void>
  /** Allows a suspended user to sign in again. @throws AccountError `UNKNOWN_USER`, `ADAPTER_INCOMPLETE` */
  resume(userId: string): Promise<void>
  /**
   * Tells that the application has written an address, an account or anything else that a sign-in decides by. A sign-in that has
   * begun before reads everything again. No session ends. Does nothing if the adapter stores no versions of users.
   *
   * @throws AccountError `INVALID_USER_ID`; `ADAPTER_INCOMPLETE` without an adapter
   */
  changed(userId: string): Promise<void>
  /**
   * Signs the browser in as another user, in a session in which the signed-in user is the `actor`. It is never fresh,
   * cannot be renewed, cannot change the account, and ends with the session of the signed-in user. Guard the route that
   * calls it: any signed-in user who can call it can act as any other user.
   *
   * @returns When it ends.
   * @throws AccountError `SIGNED_OUT`, `UNKNOWN_USER`, `INVALID_USER_ID`; `ADAPTER_INCOMPLETE` if the adapter does not store
   * records of sessions or cannot end sessions. AuthError `ImpersonationForbidden` in an impersonation and for the signed-in
   * user, `UserSuspended`.
   */
  impersonate(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: string,
    options: ImpersonateOptions
  ): Promise<{ readonly expires: Date }>
  /**
   * Ends the impersonation, and the session that it was started from: the actor signs in again.
   *
   * @throws AccountError `NOT_IMPERSONATING` (409)
   */
  stopImpersonating(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Reads security events: those of features, and of the audit log. */
export interface PosternEvents {
  /**
   * Lists security events, the newest first. An option that is `undefined` is a `TypeError`: otherwise a missing user id
   * would list the events of every user.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter does not store events.
   */
  list(options?: EventListOptions): Promise<EventPage>
}

/** The accounts of users at providers. */
export interface PosternAccounts {
  /** Lists the accounts of a user, without their tokens. @throws AccountError `ADAPTER_INCOMPLETE`, `INVALID_USER_ID` */
  list(userId: string): Promise<readonly LinkedAccount[]>
}

/** The server-side interface, as `app.postern`. */
export interface PosternInterface {
  /** The path prefix of all routes. */
  readonly basePath: string
  /** The URL of the sign-in page, which redirects to `callbackUrl` afterwards. */
  signInUrl(callbackUrl?: string): string
  /**
   * The URL of a page that asks the signed-in user whether to connect an account of this provider, and then redirects to
   * `callbackUrl`.
   */
  linkUrl(provider: string, callbackUrl?: string): string
  /** Reads the session, as `request.getSession()` does. */
  getSession(request: FastifyRequest): Promise<Session | null>
  /**
   * Reads the claims of the JWT session with the same checks as `request.getSession()`; both share one read.
   *
   * @returns `null` without a session, and for database sessions.
   * @throws AuthError `StoreUnavailable`
   */
  getToken(request: FastifyRequest): Promise<Token | null>
  /**
   * Updates the session: the `jwt` callback, or `session` with database sessions, is called with `trigger: 'update'`.
   */
  updateSession(request: FastifyRequest, patch: unknown): Promise<Session | null>
  /** Lists and ends the sessions of users. */
  readonly sessions: PosternSessions
  /** Finds, lists, suspends and impersonates users. */
  readonly users: PosternUsers
  /** Reads security events. */
  readonly events: PosternEvents
  /** Lists the accounts of users at providers. */
  readonly accounts: PosternAccounts
  /**
   * Removes an account from a user, but never the last way to sign in, and ends the sessions created through its
   * provider.
   *
   * @throws AccountError `UNKNOWN_ACCOUNT`, `LAST_WAY_IN`; `ADAPTER_INCOMPLETE` if the adapter cannot end sessions and
   * `sessions` is not `'keep'`.
   */
  unlink(userId: string, account: AccountKey, options?: RemovalOptions): Promise<void>
  /**
   * Deletes a user and ends all of their sessions.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter lacks a method, and `sessions` is not `'keep'`.
   */
  deleteUser(userId: string, options?: RemovalOptions): Promise<void>
  /**
   * Allows the owner of the user's current email address to sign in to this user once, through a mailed link or code,
   * or through a provider that is trusted for it.
   *
   * @throws AccountError `UNKNOWN_USER`, `NO_EMAIL`; `ADAPTER_INCOMPLETE` if the adapter does not store tickets.
   */
  invite(userId: string, options: InviteOptions): Promise<void>
  /**
   * Returns what is stored about a user, as JSON: the user, the accounts without their tokens, the sessions, and the data
   * of each feature by its id.
   *
   * @throws AccountError `UNKNOWN_USER`, `ADAPTER_INCOMPLETE`
   */
  exportUser(userId: string): Promise<UserExport>
  /**
   * Returns an access token of a user's account at a provider, as `request.getAccessToken` does for the signed-in user: for
   * jobs, which have no request. It does not check a suspension.
   *
   * @throws AccountError `GRANT_ENDED`, `UNKNOWN_ACCOUNT`, `REFRESH_FAILED`, `ADAPTER_INCOMPLETE`
   */
  getAccessToken(userId: string, provider: string, options?: AccessTokenOptions): Promise<string>
  /**
   * Signs in a stored user whom the application has verified by its own means, and sets the cookies on the reply. It takes
   * the same steps as every sign-in: the `signIn` callback, suspensions, interruptions, a required step-up, and the limit
   * of sessions. Send the user to the `url` of the result, whatever its `kind`.
   *
   * @throws AuthError if the sign-in is refused, with its code, such as `AccessDenied` or `UserSuspended`; AccountError
   * `UNKNOWN_USER`, `INVALID_USER_ID`; `ADAPTER_INCOMPLETE` without an adapter.
   */
  signIn(request: FastifyRequest, reply: FastifyReply, userId: string, options?: SignInOptions): Promise<SignInOutcome>
  /**
   * Encrypts with the first `dataSecret` what an earlier one has encrypted, while the application runs: the last step of
   * replacing a secret. A run that was interrupted is continued by calling it again.
   *
   * @param options - `dryRun` counts only; `signal` interrupts.
   * @returns The number of rows that were written, and of those that are left; once `left` is 0, the other secrets can be
   * removed.
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter cannot list its rows; AuthError `StoreUnavailable`; the reason of
   * the signal.
   */
  reencrypt(options?: ReencryptOptions): Promise<ReencryptResult>
  /** Tokens that the application mails or shows, and that can be used once. */
  readonly oneTimeTokens: OneTimeTokens
  /**
   * Returns the CSRF token for a form of the application, in the field `csrfToken` or the header `x-csrf-token`, and sets its
   * cookie on the reply if the browser has none. `requireCsrfToken` checks it.
   */
  csrfToken(request: FastifyRequest, reply: FastifyReply): Promise<string>
  /**
   * Sends a mail of the application in the layout of the built-in mails, by the option `mailer` or the provider for email.
   *
   * @throws AuthError `EmailSignin` if the address is invalid or the mail could not be sent, `RateLimited`; TypeError if a
   * text, a value or the mail server is missing.
   */
  sendMail<const T extends MailTemplate>(template: T, options: SendMailOptions<T, FastifyRequest>): Promise<void>
  /** What features offer to the application, by the feature's id. */
  readonly features: FeatureApis
}

/** What the plugin adds to the application. */
export interface PosternInstance {
  postern: PosternInterface
  /** The exported `requireSession`. Reading it throws in a scope that Postern is not registered in. */
  requireSession: RequireSession
}

/** What the plugin adds to requests. */
export interface PosternRequest {
  /** The session that `getSession` or a guard has read; `null` before. */
  auth: Session | null
  /**
   * Reads the session, once per request.
   *
   * @throws AuthError `StoreUnavailable`, 503, if the store did not respond. An outage is never reported as signed
   * out.
   */
  getSession(): Promise<Session | null>
  /**
   * Reads how the user of the session was authenticated; `null` without a session. With database sessions, the first call
   * takes a query in addition to the one of the session.
   *
   * @throws AuthError `StoreUnavailable`
   */
  getAuthentication(): Promise<Authentication | null>
  /**
   * Returns an access token of the user's account at a provider, and refreshes it shortly before it expires.
   * Concurrent calls, in any number of processes, send one request to the provider.
   *
   * @throws AccountError `GRANT_ENDED` (401): the user has to sign in to the provider again. `SIGNED_OUT` (401),
   * `UNKNOWN_ACCOUNT` (404), `REFRESH_FAILED` (503); `ADAPTER_INCOMPLETE` names the methods that the adapter lacks.
   */
  getAccessToken(provider: string, options?: AccessTokenOptions): Promise<string>
}

// Only these two names are used below: other plugins declare a `Session` in this module, which would be found first.
declare module 'fastify' {
  interface FastifyInstance extends PosternInstance {}
  interface FastifyRequest extends PosternRequest {}
}
