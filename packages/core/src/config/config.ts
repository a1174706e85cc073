import type { AdmitRules } from '../accounts/admit.ts'
import type { Devices } from '../accounts/devices.ts'
import type { Adapter } from '../adapter/adapter.ts'
import type { Cleaning } from '../adapter/cleaning.ts'
import type { Pass } from '../adapter/fail-points.ts'
import type { Store } from '../adapter/store.ts'
import type { CookieTable } from '../cookies/names.ts'
import type { CsrfRules } from '../csrf/csrf-token.ts'
import type { ThrownErrors } from '../hooks/authorize-sign-in.ts'
import type { Tell } from '../hooks/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Presentation } from '../http/response.ts'
import type { Logger } from '../model/logger.ts'
import type { Choice, Theme } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import type { Runtime } from '../model/runtime.ts'
import type { AttemptRules } from '../oauth/authorization-state.ts'
import type { OAuthTools } from '../oauth/context.ts'
import type { RedirectRules } from '../redirects/callback-url.ts'
import type { RevocationList } from '../sessions/revocation-list.ts'
import type { SessionFinder, SessionStrategy } from '../sessions/strategy.ts'
import type { TokenRegister } from '../sessions/jwt-session-registry.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { defaults } from './defaults.ts'

export type Constants = typeof defaults

/** The application's own pages; `null` is the built-in one. */
export interface Pages {
  readonly signIn: string | null
  readonly signOut: string | null
  readonly error: string | null
  readonly verifyRequest: string | null
  readonly newUser: string | true | null
}

/** How often is too often, and where it is counted. */
export interface Limits {
  readonly limiter: RateLimiter
  readonly mailPerIdentifier: RateRule
  readonly mailPerClient: RateRule
  readonly credentialsPerIdentifierAndClient: RateRule
  readonly credentialsPerIdentifier: RateRule
  readonly callbackPerClient: RateRule
}

/** What does not depend on the host that a request came to. Resolved once, nothing optional. */
export interface Foundation {
  readonly basePath: string
  readonly providers: ReadonlyMap<string, Provider>
  /** The first writes, all read. */
  readonly secrets: readonly string[]
  readonly constants: Constants
  readonly runtime: Runtime
  readonly logger: Logger
  readonly hooks: Hooks
  readonly tell: Tell
  /** Passes a moment of a sign-in; nothing happens, but in tests of a process that ends there. */
  readonly pass: Pass
  readonly adapter: Adapter | null
  readonly store: Store | null
  readonly isDatabaseSession: boolean
  /** Seconds that a signed token of a session lasts at most. */
  readonly tokenMaxAge: number
  /** Which sessions of signed tokens have ended; `null` where nobody keeps that. */
  readonly revocations: RevocationList | null
  /** Names the sessions of signed tokens; `null` where nobody keeps which have ended. */
  readonly register: TokenRegister | null
  readonly devices: Devices
  readonly cleaning: Cleaning | null
  readonly pages: Pages
  readonly theme: Theme
  readonly errors: ThrownErrors
  /** What admission follows; the provider and the store come with each sign-in. */
  readonly admission: Omit<AdmitRules, 'store' | 'tell' | 'mayLinkByEmail'>
  /** Whether the tokens of providers are taken back when a user signs out. */
  readonly revokeAtSignOut: boolean
  readonly allowedOrigins: readonly string[]
  readonly clientLog: boolean
  /** `null` where nothing is counted. */
  readonly limits: Limits | null
  readonly oauth: OAuthTools
  readonly keys: {
    readonly emailRequest: KeyRing
    readonly emailToken: KeyRing
    readonly code: KeyRing
    readonly signOut: KeyRing
  }
}

/** Everything that a request of one origin is answered with: resolved once, nothing optional, deeply readonly. */
export interface Config extends Foundation {
  readonly csrf: CsrfRules
  /** `https://app.example.com` */
  readonly origin: string
  /** `https://app.example.com/api/auth` */
  readonly base: string
  readonly cookies: CookieTable
  readonly attempts: AttemptRules
  readonly redirects: RedirectRules
  /** Looks who is signed in. */
  readonly finder: SessionFinder
  readonly sessions: SessionStrategy
  readonly choices: readonly Choice[]
  readonly presentation: Presentation
}

/** Where an application lives: one origin, a list of hosts, or whatever the request says. */
export type Sites =
  | { readonly kind: 'fixed'; readonly origin: string }
  | { readonly kind: 'listed'; readonly hosts: readonly string[] }
  | { readonly kind: 'loopback' }
  | { readonly kind: 'any' }
