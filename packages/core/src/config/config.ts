import type { AccountRules } from '../accounts/account-rules.ts'
import type { Adapter } from '../adapter/adapter.ts'
import type { DataEncryption } from '../adapter/encrypted-rows.ts'
import type { Store } from '../adapter/store.ts'
import type { CookieBudget } from '../cookies/budget.ts'
import type { CookieTable } from '../cookies/names.ts'
import type { CsrfTokens } from '../csrf/csrf-token.ts'
import type { BackgroundTasks } from '../features/background-tasks.ts'
import type { ExpiredRowCleanup } from '../features/expired-row-cleanup.ts'
import type { SendFeatureMail, SendMail } from '../features/feature-mailer.ts'
import type { PendingSignIns } from '../features/interrupted-sign-ins.ts'
import type { NoticeQueue } from '../features/notice-queue.ts'
import type { FeatureRegistry } from '../features/registry.ts'
import type { SignInFlash } from '../features/sign-in-flash.ts'
import type { StepUps } from '../features/step-up.ts'
import type { ThrownErrorPolicy } from '../hooks/authorize-sign-in.ts'
import type { Emit } from '../hooks/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { MailTransport } from '../http/mail-transport.ts'
import type { RenderContext } from '../http/response.ts'
import type { Logger } from '../model/logger.ts'
import type { Page, SignInOption, Theme } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import type { Runtime } from '../model/runtime.ts'
import type { AuthorizationStates } from '../oauth/authorization-state-per-tab.ts'
import type { OAuthContext } from '../oauth/context.ts'
import type { CallbackUrls } from '../redirects/callback-url.ts'
import type { JwtSessionRegistry } from '../sessions/jwt-session-registry.ts'
import type { RevocationList } from '../sessions/revocation-list.ts'
import type { SessionManager } from '../sessions/session-manager.ts'
import type { SessionReader, SessionStrategy } from '../sessions/strategy.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import type { Application } from '../tokens/application.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { defaults, rateRules } from './defaults.ts'
import type { PagesOptions } from './options.ts'
import type { Registration } from './registrations.ts'

export type Constants = typeof defaults

/** The application's own pages; `null` means the built-in page. */
export type Pages = { readonly [Name in keyof PagesOptions]-?: NonNullable<PagesOptions[Name]> | null }

/** The rate limits, and the store that counts. */
export interface Limits extends Readonly<Record<keyof typeof rateRules, RateRule>> {
  readonly limiter: RateLimiter
  /** `null` if the number of all mails is not limited. */
  readonly mailPerApplication: RateRule | null
}

/**
 * The part of the configuration that does not depend on the host of a request: resolved once, without optional fields.
 */
export interface Services {
  readonly basePath: string
  /** The start of `basePath` that a proxy removes; empty if none does. */
  readonly pathPrefix: string
  /** Everything that this registration issues is bound to it. */
  readonly application: Application
  readonly registration: Registration
  readonly providers: ReadonlyMap<string, Provider>
  /** For what browsers present: the first one encrypts; all decrypt. */
  readonly secrets: readonly string[]
  /** How stored data is encrypted. */
  readonly dataEncryption: DataEncryption
  readonly constants: Constants
  readonly runtime: Runtime
  readonly logger: Logger
  readonly hooks: Hooks
  readonly emit: Emit
  /** Whether the application listens to `events.deleteUser`, which reads the user before. */
  readonly reportsDeletion: boolean
  readonly adapter: Adapter | null
  readonly store: Store | null
  readonly isDatabaseSession: boolean
  /** Whether sessions know how their user was authenticated. */
  readonly storesAuthentication: boolean
  /** The response of the session route if no user is signed in. */
  readonly signedOutSession: object | null
  /** The maximum lifetime of a JWT session's token, in seconds. */
  readonly tokenMaxAge: number
  /** The revoked JWT sessions; `null` if revocations are not stored. */
  readonly revocations: RevocationList | null
  /** Identifies JWT sessions; `null` if revocations are not stored. */
  readonly jwtSessionRegistry: JwtSessionRegistry | null
  readonly sessionManager: SessionManager
  /** Changes what users can sign in with. */
  readonly userVersions: UserVersions
  /** `null` for no limit. */
  readonly maxSessionsPerUser: number | null
  readonly expiredRowCleanup: ExpiredRowCleanup | null
  readonly pages: Pages
  readonly theme: Theme
  readonly errors: ThrownErrorPolicy
  readonly accountRules: AccountRules
  /** Whether the provider's tokens are revoked when a user signs out. */
  readonly revokeAtSignOut: boolean
  readonly allowedOrigins: readonly string[]
  readonly clientLog: boolean
  /** `null` if there are no rate limits. */
  readonly limits: Limits | null
  readonly oauth: OAuthContext
  readonly features: FeatureRegistry
  /** Sends the mails of features. */
  readonly sendMail: SendFeatureMail
  /** Sends the mails of the application, and of Postern itself. */
  readonly sendOwnMail: SendMail
  readonly mailTransport: MailTransport
  /** Whether there is a mail server. */
  readonly canSendMail: boolean
  readonly tasks: BackgroundTasks
  readonly notices: NoticeQueue
  readonly keys: {
    readonly emailRequest: KeyRing
    readonly emailToken: KeyRing
    readonly code: KeyRing
    readonly oneTimeToken: KeyRing
    readonly signOut: KeyRing
    readonly device: KeyRing
    readonly userCursor: KeyRing
  }
}

/** The complete configuration of one origin: resolved once, without optional fields, deeply readonly. */
export interface Config extends Services {
  readonly csrf: CsrfTokens
  /** `https://app.example.com` */
  readonly origin: string
  /** `https://app.example.com/api/auth` */
  readonly base: string
  readonly cookies: CookieTable
  readonly cookieBudget: CookieBudget
  readonly authorizationStates: AuthorizationStates
  readonly redirects: CallbackUrls
  /** Reads the signed-in user. */
  readonly sessionReader: SessionReader
  readonly sessions: SessionStrategy
  readonly signInOptions: readonly SignInOption[]
  /** What features add to the sign-in page. */
  readonly signInPage: Pick<Extract<Page, { readonly name: 'signin' }>, 'identifierFirst' | 'links' | 'scripts'>
  readonly renderContext: RenderContext
  readonly hasSecureCookies: boolean
  readonly pendingSignIns: PendingSignIns
  readonly signInFlash: SignInFlash
  readonly stepUps: StepUps
}

/**
 * The origins of the application: one origin, a list of hosts, or the origin of each request.
 *
 * With `requiresHttps`, http requests are refused, except on loopback hosts.
 */
export type Sites =
  | { readonly kind: 'fixed'; readonly origin: string }
  | { readonly kind: 'listed'; readonly hosts: readonly string[]; readonly requiresHttps?: boolean }
  | { readonly kind: 'loopback' }
  | { readonly kind: 'any'; readonly requiresHttps?: boolean }
