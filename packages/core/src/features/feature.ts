import type { PlanChange, StoredUser, UserState } from '../accounts/change-access.ts'
import type { FeatureWrite } from '../accounts/commit-writes.ts'
import type { AccountKey, Adapter, AdapterAccount, AdapterUser } from '../adapter/adapter.ts'
import type { EventRecord } from '../adapter/event-record.ts'
import type { Factor } from '../adapter/factor.ts'
import type { EventStore, FactorStore, Store, TicketStore } from '../adapter/store.ts'
import type { Ticket, TicketKey } from '../adapter/ticket.ts'
import type { EventType, EventTypes } from '../hooks/event-type.ts'
import type { EndedSession } from '../hooks/feature-hooks.ts'
import type { FeatureCall, SecurityEvent } from '../hooks/security-event.ts'
import type { ActionResult } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { Account } from '../model/account.ts'
import type { Authentication } from '../model/authentication.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { ByLanguage, FeatureScreen } from '../model/feature-page.ts'
import type { Logger } from '../model/logger.ts'
import type { SignInLinkPurpose } from '../model/page.ts'
import type { AccountPolicy, SignInForm } from '../model/provider-traits.ts'
import type { RateRule } from '../model/rate-limiter.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { User } from '../model/user.ts'
import type { Shape } from '../schema/schema.ts'
import type { Principal } from '../sessions/strategy.ts'
import type { Refusal } from './refusal.ts'
import type { OperationSession, UserOperations } from './user-operations.ts'

/** The APIs of the registered features, by id; a feature adds its own by declaration merging. */
export interface FeatureApis {}

/**
 * A feature: everything that one capability adds, such as a second factor or account pages. It is passed to `features`,
 * or to `providers` if users sign in with it.
 */
export interface Feature<Api = unknown> {
  /** Lower-case letters, digits and dashes. Names its cookies, tickets, keys, screens and `app.postern.features`. */
  readonly id: string
  /** The options that the application passed; checked against `schema`. */
  readonly options?: object | undefined
  readonly schema?: Shape | undefined
  /** The optional adapter methods that it needs; a missing one is a configuration error. */
  readonly needs?: readonly (keyof Adapter)[] | undefined
  /** Whether it ends sessions; if the registration cannot, that is a configuration error. @defaultValue `false` */
  readonly endsSessions?: boolean | undefined
  /**
   * Whether users must have authenticated recently for what it offers. If users of a sign-in method have no way to confirm that it is
   * them, that is a configuration error. @defaultValue `false`
   */
  readonly needsRecentSignIn?: boolean | undefined
  /**
   * Checks the registration, once its options are valid. Each returned sentence is a configuration error, with the fix.
   */
  readonly check?: ((registration: FeatureRegistration) => readonly string[]) | undefined
  /** Called once, at registration. The context can be used from the first request on. */
  setup(context: FeatureContext): FeatureParts<Api>
}

/** What is known of an application when it is registered. */
export interface FeatureRegistration {
  /** `https://app.example.com`; `null` if requests affect it. */
  readonly origin: string | null
  /** The ids of the account sections of all features: `<feature>/<section>`. */
  readonly accountSections: readonly string[]
}

/** What a feature adds. */
export interface FeatureParts<Api = unknown> {
  readonly routes?: readonly FeatureRoute[] | undefined
  readonly signInMethods?: readonly SignInMethod[] | undefined
  readonly interruptions?: readonly Interruption[] | undefined
  /** Each with props of its own. */
  readonly screens?: readonly FeatureScreen<never>[] | undefined
  /** The texts of its screens by language; English is required, and replaces a text that another language lacks. */
  readonly texts?: FeatureTexts | undefined
  /** Its error codes, for `SignInError` and interruptions, with their explanations. */
  readonly errors?: readonly FeatureError[] | undefined
  /** What it adds to the built-in sign-in page. */
  readonly signInPage?: SignInPagePart | undefined
  /**
   * Names a page of the feature that a user sees once they have signed in, before the one that they continue at, such as an offer: a
   * path below the base path. The page gets the URL to continue at as `callbackUrl`. `null` shows none; an error does, too, and is
   * logged. It is not called for users who authenticate again or connect an account, nor for clients that show no pages.
   */
  readonly pageAfterSignIn?:
    | ((signIn: CompletedSignIn, request: FeatureRequest) => Awaitable<string | null>)
    | undefined
  /**
   * States something about a new session, as a small JSON object: in the token of a JWT session, beside a database
   * session. Called once, when the session is created; an error refuses the sign-in. `null` states nothing.
   *
   * `account` is what the user has authenticated with; `null` if the session continues an earlier one, such as after an account
   * was connected, or if the application created it.
   */
  readonly claims?:
    | ((
        authentication: Authentication,
        account: AccountKey | null
      ) => Awaitable<Readonly<Record<string, unknown>> | null>)
    | undefined
  /** Its mails, for `context.sendMail`. They need a mail server: the option `mailer`, or a provider for email. */
  readonly mails?: readonly FeatureMail[] | undefined
  /** Its sections of the account page. */
  readonly accountSections?: readonly AccountSection[] | undefined
  /** The path of the application below which the account page and the pages of all sections are. @defaultValue the base path */
  readonly accountPath?: string | undefined
  /**
   * Returns the writes of the feature that belong to an event. They join the transaction of the change, where the adapter
   * supports it. Transactions are repeated, so it has no effect of its own, and its result depends on the event alone.
   */
  readonly onEvent?: ((event: SecurityEvent) => readonly FeatureCall[]) | undefined
  /**
   * Called after an event was written, in the background: for mails, and for what another system must know. An error is
   * logged. The process may end before it is called.
   */
  readonly afterEvent?: ((event: SecurityEvent) => Awaitable<unknown>) | undefined
  /**
   * Called for each refused sign-in, verification and request to a feature, before the response is sent. It must return at
   * once: an attacker chooses how often it is called. An error is logged.
   */
  readonly onRefusal?: ((refusal: Refusal) => void) | undefined
  /** The types of the events that the feature writes, for the audit log and the documentation. @defaultValue none */
  readonly eventTypes?: EventTypes | undefined
  /** Seconds for which events stay in the store. It replaces `constants.eventMaxAge`; the longest of all features applies. */
  readonly eventMaxAge?: number | undefined
  /** Starts work in the background, once the context can be used. Its timers must not keep the process alive. */
  readonly start?: (() => void) | undefined
  /** Ends the work, and writes what is in memory, when the application closes. An error is logged. */
  readonly close?: (() => Awaitable<unknown>) | undefined
  /**
   * Returns how many ways to sign in the user has through this feature, so that nobody removes the last one. Without any, the methods
   * of the feature whose `accountPolicy` is `'stored'` are not offered to the user for authenticating again.
   *
   * @param removed - Counts without this account, which the user is about to remove; `null` for all.
   */
  readonly waysIn?: ((userId: string, removed: AccountKey | null) => Awaitable<number>) | undefined
  /**
   * The kinds of the feature's tickets that are requests by mail, such as for a new password: they end when the address of
   * their user changes, with the write `deleteRequests`, as do sign-ins that are not complete. @defaultValue none
   */
  readonly addressRequests?: readonly string[] | undefined
  /**
   * Returns the tickets that stay while a user is suspended or being deleted, such as what the user has asked for and the
   * suspension must not prevent. Those of a deleted user go with the user. @defaultValue none
   */
  readonly lastingTickets?: ((userId: string) => Awaitable<readonly TicketKey[]>) | undefined
  /**
   * The types of the feature's factors whose data is one-way, such as a salted hash of a password: it is stored without
   * encryption, and needs no secret. @defaultValue none
   */
  readonly hashedFactors?: readonly string[] | undefined
  /**
   * Keeps what this browser knows about a user, and what a change of access makes void. Called before the change; the returned
   * function is called after it, with the new version of the user, and creates the cookies. `null` if there is nothing to keep.
   */
  readonly keepBrowser?:
    | ((userId: string, browser: FeatureBrowser) => Awaitable<((version: number) => Awaitable<SetCookies>) | null>)
    | undefined
  /** Called after sessions ended: one, or all of the user if `sessionId` is `null`. Expired sessions are not reported. */
  readonly onSessionEnd?: ((ended: EndedSession) => Awaitable<unknown>) | undefined
  /**
   * Called before a user is deleted, once the store has shown that no constraint prevents it, to delete what the feature stores
   * elsewhere: factors and tickets go with the user. If it fails, the user is not deleted.
   */
  readonly onUserDelete?: ((userId: string) => Awaitable<unknown>) | undefined
  /** Returns what the feature stores about a user, as JSON, for `exportUser`. */
  readonly exportData?: ((userId: string) => Awaitable<unknown>) | undefined
  /** `app.postern.features[id]` */
  readonly api?: Api | undefined
}

export interface FeatureTexts extends ByLanguage<Readonly<Record<string, string>>> {}

/** An error code of a feature, which the sign-in page or the error page explains. */
export interface FeatureError {
  /** Up to 64 letters, digits, dots, dashes and underscores: `PinLocked`. It appears in the URL. */
  readonly code: string
  /** The key in the feature's texts of what happened. */
  readonly text: string
  /** The key of what to do next. @defaultValue nothing */
  readonly next?: string | undefined
  /** @defaultValue `'error'` */
  readonly screen?: 'signin' | 'error' | undefined
  /** @defaultValue `403` */
  readonly status?: number | undefined
}

/** What a feature adds to the sign-in page. */
export interface SignInPagePart {
  /**
   * JavaScript that the page loads as a file, with `defer`. The policy of the page allows requests from it to `connect`
   * only, and forms. The page must work without it.
   */
  readonly script?: string | undefined
  /**
   * The paths below the base path that the script may send requests to: routes of the feature with the access `'anyone'`.
   * @defaultValue none
   */
  readonly connect?: readonly string[] | undefined
  /**
   * HTML attributes of the inputs for the username or address of other methods: `autocomplete`, `inputmode` and
   * `data-*`. The last feature that sets one replaces it.
   */
  readonly identifierAttributes?: Readonly<Record<string, string>> | undefined
  /** Links below the ways to sign in. */
  readonly links?: readonly SignInPageLink[] | undefined
}

/** A link of the sign-in page to a page of the feature. */
export interface SignInPageLink {
  /** The key of its text in the feature's texts. */
  readonly title: string
  /** The path of its page, below the base path: the feature must have a GET route for it with the access `'anyone'`. */
  readonly path: string
  /**
   * What it is for, which decides its place: a link to create an account follows a question, and one for a forgotten
   * password stands beside the label of the password. @defaultValue `null`: below the others
   */
  readonly purpose?: SignInLinkPurpose | undefined
}

/**
 * A mail of a feature. Its texts are keys of the feature's texts; `{name}` in a text is replaced by the value of that
 * name, and `{site}` by the name of the site.
 */
export interface FeatureMail {
  readonly name: string
  readonly subject: string
  /** Each line is a paragraph. */
  readonly text: string
  /** The label of the button, which leads to the value `url`. @defaultValue no button */
  readonly button?: string | undefined
  /** The keys of the texts that replace values that are empty, by the name of the value. @defaultValue none */
  readonly emptyValues?: Readonly<Record<string, string>> | undefined
  /**
   * Whether the feature works without a mail server: it sends the mail if `context.canSendMail`. @defaultValue `false`
   */
  readonly isOptional?: boolean | undefined
}

/** What replaces the placeholders of a mail. A time is written in the language of the mail, in UTC: nobody knows the recipient's zone. A text may be given by language. */
export type MailValues = Readonly<Record<string, string | Date | ByLanguage<string>>>

/** The language of a mail, and its origin. */
export interface MailOptions {
  /** A BCP 47 tag. @defaultValue the language of `user`, otherwise of the request, otherwise the first one */
  readonly language?: string | undefined
  /**
   * Whom the mail notifies of a change of their account: the application may state their language (`callbacks.language`). An
   * attacker chooses the language of a request. @defaultValue nobody
   */
  readonly user?: User | undefined
  /** The request that caused the mail; required if the application has several origins. */
  readonly request?: Pick<AuthRequest, 'cookies' | 'headers' | 'id' | 'origin'> | undefined
}

/** A route of a feature. A POST or DELETE requires the CSRF token, in the form or in the header `x-csrf-token`. */
export interface FeatureRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the base path: `/notes/:id`. A path that starts with `/.well-known/` is at the root of the site. */
  readonly path: string
  /** Who may call it. Others are sent to the sign-in page, or get 401. @defaultValue `'user'` */
  readonly access?: 'user' | 'anyone' | undefined
  /**
   * Whether a sign-in that begins on the page returns to it, as the page of a mailed link needs. Otherwise, it ends on the
   * front page of the site. If it is set to `true`, the cookie with the URL is cleared once the sign-in has returned, because the URL may
   * contain a token. Only for GET. @defaultValue whether `access` is `'user'`
   */
  readonly isReturnPage?: boolean | undefined
  /**
   * Whether a user who impersonates another may call a route with the access `'user'`. Otherwise the response is 403 with
   * `ImpersonationForbidden`. @defaultValue `'refused'`
   */
  readonly impersonation?: 'allowed' | 'refused' | undefined
  /** @defaultValue `'required'`; has no effect on GET */
  readonly csrf?: 'required' | 'none' | undefined
  /** The type of error responses. @defaultValue `'html'` */
  readonly answers?: 'html' | 'json' | undefined
  /** Requests of one client. @defaultValue unlimited */
  readonly limit?: RateRule | undefined
  /**
   * The field with the address that the route sends a mail to. The mails are limited with those of all other routes, by
   * address and by client. A response with an error status does not count for the address. @defaultValue none
   */
  readonly mailTo?: string | undefined
  run(request: FeatureRequest): Awaitable<ActionResult>
}

/** A request to a feature: the request, its site, and what can be done with both. */
export interface FeatureRequest extends AuthRequest {
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  /** `https://app.example.com` */
  readonly origin: string
  /** `/api/auth` */
  readonly basePath: string
  /** The name of the site: `theme.name`, otherwise the host. */
  readonly siteName: string
  /** The home page of the application. */
  readonly siteUrl: string
  /** Whether cookies are `Secure`. */
  readonly hasSecureCookies: boolean
  /** Reads the signed-in user, once per request; `null` if no user is signed in. */
  getUser(): Promise<Principal | null>
  /** Reads how the user of the session was authenticated; `null` without a session. */
  getAuthentication(): Promise<Authentication | null>
  /**
   * Reads what `claims` of a feature stated about the session; `null` if it stated nothing, or without a session.
   *
   * @param featureId - @defaultValue this feature
   */
  getClaims(featureId?: string): Promise<Readonly<Record<string, unknown>> | null>
  /**
   * Returns the signed-in user, whom every route with the access `'user'` has.
   *
   * @throws AuthError `SessionRequired`; `ImpersonationForbidden` if another user impersonates the user, and the route does
   * not allow it.
   */
  requireUser(): Promise<Principal>
  /**
   * Reads the signed-in user again, from the store: all sessions may have been ended by another process.
   *
   * @returns The user, and the version at which the session was valid.
   * @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `StoreUnavailable`
   */
  confirmUser(): Promise<Principal & { readonly version: number }>
  /**
   * Identifies the browser if the signed-in user has signed in with it before, for `context.limitUser`.
   *
   * @returns `null` for any other browser, after the sessions of the user were ended, and without rate limits.
   * @throws AuthError `SessionRequired`
   */
  getKnownDevice(): Promise<string | null>
  /** Returns the token for a form, and the cookies to set with it. */
  csrfToken(): Promise<{ readonly token: string; readonly cookies: SetCookies }>
  /** Returns the URL to continue at: from the request, otherwise the origin. Never leads to another site. */
  callbackUrl(): Promise<string>
  /**
   * Changes what the signed-in user can sign in with, in one transaction, if the session is valid at the version of the user that
   * the plan was made at. If another change came first, nothing is written, and the plan is made again, at most three times.
   *
   * The session gets a new token, so that a copy of its cookie has ended; the response of the route sets it in any case.
   *
   * @param plan - Reads what the change depends on, and returns the change, or why there is none. It writes nothing.
   * @returns `'conflict'` if the store refused a write, such as a key or an address that exists.
   * @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable`
   */
  changeAccess<R extends string = never>(
    plan: PlanChange<R>,
    options?: ChangeAccessOptions
  ): Promise<'changed' | 'conflict' | R>
  /**
   * Ends all other sessions of the signed-in user, and the sign-ins that are not complete. The session gets a new token, so
   * that a copy of its cookie has ended too; the response of the route sets it in any case.
   *
   * @param writes - What is written in the same transaction. @defaultValue nothing
   * @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `StoreUnavailable`; `AccountError` `ADAPTER_INCOMPLETE`
   */
  endOtherSessions(writes?: readonly FeatureWrite[]): Promise<void>
  /**
   * Returns the session for an operation of `context.postern` that the user asks for: the operation requires that the session is
   * valid, and gives it a new token.
   *
   * @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable`
   */
  getSession(options?: ChangeAccessOptions): Promise<OperationSession>
  /** Shows a screen of the feature. A client that asks for JSON gets `{ screen, props, csrfToken }`. */
  screen(name: string, props: object, more?: ScreenOptions): Promise<ActionResult>
}

/** Options of a change that a session asks for. */
export interface ChangeAccessOptions {
  /**
   * Whether it counts among the changes of the user, of which 20 are allowed in 10 minutes. Nobody must be able to prevent that
   * a user cancels something. @defaultValue `true`
   */
  readonly isLimited?: boolean | undefined
}

export interface ScreenOptions {
  /** @defaultValue `200` */
  readonly status?: number | undefined
  readonly cookies?: SetCookies | undefined
  /** Texts in addition to the feature's own, such as the titles of sections. */
  readonly texts?: FeatureTexts | undefined
}

/** A way to sign in. Each is listed among the providers, with this id. */
export interface SignInMethod {
  /** Part of the paths `/signin/:id` and `/callback/:id`, and of account rows. */
  readonly id: string
  /** Its name in English, which is on the button. */
  readonly name: string
  /** The key of its name in the feature's texts, for other languages. @defaultValue `name` in every language */
  readonly title?: string | undefined
  /** The key of the text of its button. @defaultValue "Sign in with" and the name */
  readonly submit?: string | undefined
  /** The keys of the labels of its fields, by the name of the field. @defaultValue those of `form` in every language */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Whether the sign-in page omits it; applications omit others with `hiddenProviders`. @defaultValue `false` */
  readonly hidden?: boolean | undefined
  /** The type in the list of providers, such as `webauthn`. */
  readonly type: string
  /** How the user is found. @defaultValue `'link'` */
  readonly accountPolicy?: AccountPolicy | undefined
  /**
   * Whether a stored user with a verified address can come in with the mailbox alone, so that it is a way in of every such user.
   * @defaultValue whether `accountPolicy` is `'mailbox'`
   */
  readonly admitsMailboxOwner?: boolean | undefined
  /**
   * Whether a user may be created with this address; called if the sign-in would create one. Otherwise, the sign-in is refused
   * with `AccessDenied`. @defaultValue any may
   */
  readonly maySignUp?: ((email: string) => Promise<boolean>) | null | undefined
  /** The HTTP methods of the callback. @defaultValue `['POST']` */
  readonly callbackMethods?: readonly ('GET' | 'POST')[] | undefined
  /** How the sign-in page offers it. @defaultValue a button */
  readonly form?: SignInForm | undefined
  /**
   * `'credentials'` counts failed attempts like those of credentials, by client and by the `identifier` of the form.
   * @defaultValue unlimited for the callback of one client, apart from the limit of all callbacks
   */
  readonly limit?: 'credentials' | undefined
  /** Starts the sign-in: POST `/signin/:id`. @defaultValue the form is posted to the callback */
  readonly start?: ((request: FeatureRequest) => Awaitable<ActionResult>) | undefined
  /**
   * Verifies the callback.
   *
   * @returns What it proves, or a page.
   * @throws SignInError to refuse the sign-in
   */
  verify(request: FeatureRequest): Awaitable<ProvenIdentity | ActionResult>
}

/** A factor that is created when a sign-in completes. */
export interface NewUserFactor {
  readonly type: string
  /** Unique within its type; at most 255 ASCII characters. @defaultValue the id of the user */
  readonly id?: string | undefined
  readonly name: string | null
  readonly data: string
  /** Whether it replaces a factor of the user with the same key. @defaultValue `false`: then the sign-in fails */
  readonly isReplacement?: boolean | undefined
}

/** What a sign-in method has proven. */
export interface ProvenIdentity {
  readonly kind: 'identity'
  /** The account: unique within the method. */
  readonly providerAccountId: string
  /** The user as the method knows them; for the policies `application` and `stored`, `id` names the user. */
  readonly user: Omit<User, 'id'> & { readonly id?: string }
  /**
   * The user of the policy `stored`, read by `context.findUser` before the proof was verified: this user signs in, without being read
   * again, unless their version has changed. If their sessions have ended since, the sign-in is refused.
   * @defaultValue the sign-in reads the user of `user.id`
   */
  readonly found?: StoredUser | undefined
  /** Whether the user has proven the address now. @defaultValue `false` */
  readonly emailVerified?: boolean | undefined
  /** What the method verified (RFC 8176), such as `['hwk', 'mfa']`. @defaultValue nothing that has a value */
  readonly amr?: readonly string[] | undefined
  /** A ticket that the sign-in consumes when it completes, exactly once. */
  readonly ticket?: TicketKey | undefined
  /**
   * A ticket that is created once the user has signed in, in the transaction that consumes `ticket` if the adapter supports it: it
   * says to a repeated request that nothing is left to do. An interrupted sign-in creates none.
   * @defaultValue none
   */
  readonly usedTicket?: Ticket | undefined
  /**
   * Factors of a new user, created together with the user. A user who exists gets none, as someone else may have chosen
   * them, unless the sign-in is the first to prove the address, which ends everything that others have added. If one with the same id exists, no user is created, where the adapter supports transactions.
   * @defaultValue none
   */
  readonly newUserFactors?: readonly NewUserFactor[] | undefined
  /**
   * Whether the session outlives the browser, which the user has chosen. `false` takes precedence over `session.remember`.
   * @defaultValue `true`
   */
  readonly remember?: boolean | undefined
  /** Cookies to set, whatever the outcome. */
  readonly cookies?: SetCookies | undefined
}

/** A section of the account page: a link to a page of the feature. */
export interface AccountSection {
  readonly id: string
  /** The lowest comes first. */
  readonly order: number
  /** The key of its title in the feature's texts. */
  readonly title: string
  /** The path of its page, below the base path: the feature must have a GET route for it. */
  readonly path: string
  /**
   * Returns what the account page shows of it; it reads nothing itself. `null` hides the section.
   * @defaultValue the title alone
   */
  readonly summary?: ((account: AccountState) => SectionSummary | null) | undefined
  /** The adapter methods whose results `summary` uses: the page calls those alone. @defaultValue none */
  readonly reads?: readonly ('getAccounts' | 'listFactors')[] | undefined
  /** Whether it is shown apart, because it takes something from the user permanently. @defaultValue `false` */
  readonly isDestructive?: boolean | undefined
}

/** What the account page has read of the signed-in user. */
export interface AccountState {
  readonly user: AdapterUser
  /** Without their tokens. */
  readonly accounts: readonly Pick<AdapterAccount, 'provider' | 'type' | 'providerAccountId'>[]
  readonly factors: readonly Factor[]
}

/** A line about a section. */
export interface SectionSummary {
  /** A key of the feature's texts. `{name}` in the text is replaced by the value of that name. */
  readonly text: string
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Whether the user should act. @defaultValue `false` */
  readonly isWarning?: boolean | undefined
}

/** A section of any registered feature, with its texts. */
export interface RegisteredSection extends AccountSection {
  readonly featureId: string
  readonly texts: FeatureTexts
}

/** The type of an event of any registered feature, with the texts of the feature. */
export interface RegisteredEventType extends EventType {
  readonly texts: FeatureTexts
}

/** A sign-in whose session does not exist yet. Nothing is written for its user until every interruption has passed. */
export interface PendingSignIn {
  /** Identifies the interrupted sign-in, for tickets that belong to it; `null` before it is interrupted. */
  readonly id: string | null
  /**
   * The version that the user had when the sign-in began: what a browser keeps of it is void once `sessionsFrom` of the user exceeds it.
   * `null` before the sign-in is interrupted, and for a new user.
   */
  readonly userVersion: number | null
  /** The stored user, or the proven profile of a new one. */
  readonly user: User
  readonly isNewUser: boolean
  /** The account that was proven. */
  readonly account: Account
  /** The user as the method describes them. */
  readonly profile: User
  /** The link that the signed-in user has not asked for: the user, and the name of the provider; `null` if there is none. */
  readonly link: { readonly user: Pick<User, 'name' | 'email'>; readonly provider: string } | null
  /** How the user was authenticated so far. */
  readonly authentication: Authentication
  /**
   * How the user of the session was authenticated that allows the account to be linked; `null` if the sign-in does not depend
   * on a session. The account that is linked proves nothing about this user.
   */
  readonly linkingSession: Authentication | null
  /** Whether a signed-in user authenticates again: a trusted device must not replace a factor then. */
  readonly isStepUp: boolean
  /** The values of `amr` that the session needs for the guard that asked the user to authenticate again; empty for none. */
  readonly requiredAmr: readonly string[]
  /** Whether the owner of the address takes over the user: the factors of the user are deleted when the sign-in completes. */
  readonly isReclaim: boolean
  /** Whether this sign-in has proven the mailbox of the user's address, such as by a mailed link. */
  readonly provesMailbox: boolean
  /**
   * Whether this sign-in has proven the user's address: by the mailbox, or at a provider that is trusted for it (`verifiesEmail`), as a
   * redeemed invitation requires.
   */
  readonly provesAddress: boolean
  /**
   * Identifies the browser if the user has signed in with it before, to count its attempts separately: others cannot use
   * them up.
   *
   * @returns `null` for any other browser, after the sessions of the user were revoked, and without rate limits.
   */
  getKnownDevice(): Promise<string | null>
}

/** A sign-in whose session exists. */
export interface CompletedSignIn {
  readonly user: User
  readonly isNewUser: boolean
  /** What was proven: the id and the type of the provider or the sign-in method, such as `oauth` or `credentials`. */
  readonly account: Pick<Account, 'provider' | 'type'>
  /** The factors that interruptions have verified (RFC 8176); `mfa` alone for a recovery code. */
  readonly factors: readonly string[]
}

/** An interruption has passed. */
export interface Passed {
  readonly kind: 'passed'
  /** Cookies to set, such as one that marks the device as trusted. @defaultValue none */
  readonly cookies?: SetCookies | undefined
  /** The factors that it verified (RFC 8176), such as `['otp']`: the session also gets `mfa`. @defaultValue none */
  readonly amr?: readonly string[] | undefined
  /**
   * Factors that the user has enrolled. They are created when the sign-in completes, in its transaction; if one of them
   * exists, it fails. `onEvent` is then called with the type `enroll`, and the other sessions of the user end.
   * @defaultValue none
   */
  readonly newFactors?: readonly NewUserFactor[] | undefined
  /**
   * The user's address, if its mailbox was proven: it counts as verified when the sign-in completes, unless it has changed.
   * Nothing of the user ends. @defaultValue `null`
   */
  readonly provenAddress?: string | null | undefined
}

/** What was posted was right, and the interruption goes on with another page: the attempt does not end the sign-in. */
export interface Continued {
  readonly kind: 'continued'
  readonly result: ActionResult
}

/** A step between the proof and the session, such as a second factor. It applies to every way to sign in. */
export interface Interruption {
  /** Part of the path `/verify/:id`; `link` is Postern's own. */
  readonly id: string
  /** The lowest comes first: 100 confirms a link, 200 is a second factor, 300 enrolls, 400 and above the application's. */
  readonly order: number
  /**
   * The code in the URL that the sign-in continues at: one of `errors` of the feature. Clients that ask for JSON get it with 401.
   * @defaultValue `'VerificationRequired'`
   */
  readonly error?: string | undefined
  /** @param request - The request that signs in, such as to read a cookie. It may be asked several times for one sign-in. */
  isDue(signIn: PendingSignIn, request: FeatureRequest): Awaitable<boolean>
  /** Shows its page. */
  show(signIn: PendingSignIn, request: FeatureRequest): Awaitable<ActionResult>
  /**
   * Verifies the posted page. Five attempts end the sign-in, and the next one has five again: limit attempts per user with
   * `context.limit`.
   *
   * @returns `'passed'`, the next page as {@link Continued}, or the page again.
   */
  verify(signIn: PendingSignIn, request: FeatureRequest): Awaitable<'passed' | Passed | Continued | ActionResult>
}

/** The services that a feature may use, from the first request on. */
export interface FeatureContext {
  readonly id: string
  /** The option `applicationId`: include it in what must not be valid in other applications with the same store. */
  readonly applicationId: string
  /** `/api/auth` */
  readonly basePath: string
  /** The path of a page of a section, which an application may have moved. @param path - Below the base path. */
  getPagePath(path: string): string
  /** `https://app.example.com`; `null` if requests affect it. */
  readonly origin: string | null
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** The users of the store. @throws TypeError without an adapter; name a method in `needs` to have it reported */
  readonly users: Pick<Store, 'getUser' | 'getUserByEmail' | 'updateUser' | 'getAccounts'>
  /**
   * Finds a user together with the version that a change of access requires. Read it before anything that decides about the user.
   *
   * @returns `null` if there is none.
   * @throws AuthError `StoreUnavailable`
   */
  findUser(by: { readonly userId: string } | { readonly email: string }): Promise<StoredUser | null>
  /**
   * Reads the version of a user, who need not be stored.
   *
   * @throws AuthError `StoreUnavailable`
   */
  readVersion(userId: string): Promise<Omit<UserState, 'user'>>
  /** Whether the adapter stores tickets, factors or events, for a feature that also works without them: it leaves them out of `needs`. */
  hasStore(name: 'tickets' | 'factors' | 'events'): boolean
  /** Pending operations of this feature. An expired one is not returned. */
  readonly tickets: TicketStore
  readonly factors: FactorStore
  readonly events: EventStore
  /** The types of the events of all registered features, by name. */
  readonly eventTypes: Readonly<Record<string, RegisteredEventType>>
  /** Seconds for which events stay in the store. */
  readonly eventMaxAge: number
  /**
   * Runs work while no other process of the application runs work of this name; waits for its turn. A lease of the built-in
   * adapters ends after 15 s, also while the work still runs. Without leases in the adapter, processes are not coordinated.
   */
  withLease<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Creates an event of this time, with what the request says about the client, for `events.add`. */
  createEvent(type: string, about: NewEvent): EventRecord
  /** A key of this feature for one purpose. */
  key(purpose: string): FeatureKey
  /** An encrypted cookie of this feature. */
  cookie(name: string, options: FeatureCookieOptions): FeatureCookie
  /**
   * Calls a function of the application. Its promise may take `constants.callbackTimeoutMilliseconds`.
   *
   * @param name - The option, for the message of the error.
   * @throws Error what the function threw, or that it did not respond in time.
   */
  withTimeout<T>(name: string, call: () => Awaitable<T>): Promise<T>
  /** Returns the account sections of every registered feature, in order. */
  accountSections(): readonly RegisteredSection[]
  /** The APIs of the registered features, by id. */
  readonly features: Readonly<Partial<FeatureApis>>
  /**
   * Counts the ways in which a user can sign in: with an account, by an email to a verified address, or through any feature. A
   * feature that removes one counts them in the plan of the change.
   *
   * @throws AuthError `StoreUnavailable`
   */
  countWaysIn(userId: string): Promise<number>
  /** Whether there is a mail server. Without one, features whose mails are not optional are a configuration error. */
  readonly canSendMail: boolean
  /**
   * Sends a mail of this feature. Limit how often, with `limit`.
   *
   * @throws AuthError `EmailSignin` if it could not be sent within `constants.mailTimeoutMilliseconds`.
   */
  sendMail(to: string, name: string, values: MailValues, options?: MailOptions): Promise<void>
  /**
   * Sends a mail of this feature about something that has happened, in the background: it returns at once, and tries again
   * for about a quarter of an hour. The log contains those that could not be sent.
   */
  notify(to: string, name: string, values: MailValues, options?: MailOptions): void
  /** The operations of `app.postern` that concern a user. */
  readonly postern: UserOperations
  /** The option `pages.account`: the application's own account page. */
  readonly accountPage: string | null
  /** The configured providers, and the ways to sign in of features. */
  readonly providers: readonly ProviderInfo[]
  /**
   * Changes what a user can sign in with, without a session that asks for it, like `changeAccess` of a request: something else allows
   * the change, such as a mailed link, which the plan reads.
   *
   * @returns `'conflict'` if the store refused a write.
   * @throws AuthError `StoreUnavailable`; `AccountError` `ADAPTER_INCOMPLETE`
   */
  changeAccess<R extends string = never>(userId: string, plan: PlanChange<R>): Promise<'changed' | 'conflict' | R>
  /**
   * Makes writes that belong together and do not concern how anybody signs in: in one transaction if the adapter supports it,
   * otherwise one after another, in this order, until one finds nothing to change.
   *
   * @returns `false` if a ticket to consume does not exist, a factor has another version, or the store refused a write, such
   * as a key that exists. In a transaction nothing was written then.
   * @throws AuthError `StoreUnavailable`
   */
  commit(writes: readonly FeatureWrite[]): Promise<boolean>
  /**
   * Ends all sessions of a user, and the sign-ins that are not complete, also those that have just verified a password.
   *
   * @throws AccountError `ADAPTER_INCOMPLETE`; AuthError `StoreUnavailable`
   */
  endSessions(userId: string): Promise<void>
  /** Counts an event. @throws AuthError `RateLimited` */
  limit(name: string, subject: string, rule: RateRule): Promise<void>
  /**
   * Counts an event of a user. A known device has a limit of its own, so that somebody who has stolen a session elsewhere cannot use it
   * up. All known devices of a user together have four times the limit: each sign-in of a thief is another one.
   *
   * @throws AuthError `RateLimited`
   */
  limitUser(name: string, user: LimitedUser, rule: RateRule): Promise<void>
}

/** Whose events are counted. */
export interface LimitedUser {
  readonly userId: string
  /** What `getKnownDevice` of the request or of the pending sign-in returned. */
  readonly device: string | null
}

/** A configured provider. */
export interface ProviderInfo {
  readonly id: string
  /** Its name in English. */
  readonly name: string
  /** Its name by language: that of a feature's sign-in method may be translated. */
  readonly names: ByLanguage<string>
  readonly type: string
  /** Whether a signed-in user can connect an account: POST `/signin/:id` with the field `link`. */
  readonly isLinkable: boolean
}

/** What an event is about. */
export interface NewEvent {
  readonly userId: string | null
  /** The request that caused it; `null` if the application did. */
  readonly request: RequestInfo | null
  /** The session that it is about. @defaultValue none */
  readonly sessionId?: string | null | undefined
  readonly provider?: string | null | undefined
  /** Details, as text; never a secret. */
  readonly data?: string | null | undefined
}

/**
 * Encrypts and hashes with a key that no other purpose has, for what a browser presents: its keys are those of `secret`, and end
 * with it. What is stored for longer belongs into the `data` of a factor or a ticket, which is encrypted again when
 * `dataSecret` changes.
 */
export interface FeatureKey {
  encrypt(text: string): Promise<string>
  /** @returns `null` if the text was encrypted with another key. */
  decrypt(text: string): Promise<string | null>
  /** HMAC-SHA-256 in base64url, with the first secret. */
  hash(text: string): Promise<string>
  /** The same with each secret, the first one first: to find what was stored under a hash before the secret was replaced. */
  hashes(text: string): Promise<readonly string[]>
  /** Compares a text with its hash, in constant time. @returns Whether one of the secrets made the hash from the text. */
  verify(text: string, hash: string): Promise<boolean>
}

export interface FeatureCookieOptions {
  /** Seconds. */
  readonly maxAge: number
  /**
   * Whether the name starts with `__Host-`, where cookies are secure, so that pages of other hosts cannot set the cookie
   * (RFC 6265bis §4.1.3.2). Its path is `/`. @defaultValue `false`
   */
  readonly hasHostPrefix?: boolean | undefined
}

/** The browser that a request comes from. */
export type FeatureBrowser = Pick<FeatureRequest, 'cookies' | 'hasSecureCookies'>

/** A cookie whose content is encrypted, bound to the application, and expires. */
export interface FeatureCookie {
  read(browser: FeatureBrowser): Promise<string | null>
  create(value: string, browser: FeatureBrowser): Promise<SetCookies>
  clear(browser: FeatureBrowser): SetCookies
}

/** A feature of any API, as `features` and `providers` accept it. */
export type AnyFeature = Feature
