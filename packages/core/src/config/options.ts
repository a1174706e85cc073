import type { Adapter, ForeignAdapter } from '../adapter/adapter.ts'
import type { RevocationStore } from '../adapter/revocation.ts'
import type { CookieOverrides } from '../cookies/names.ts'
import type { ThrownErrors } from '../hooks/authorize-sign-in.ts'
import type { EventListeners } from '../hooks/events.ts'
import type { SignInQuestion } from '../hooks/hooks.ts'
import type { PolicyOption } from '../http/content-security-policy.ts'
import type { HeaderOptions } from '../http/header-options.ts'
import type { Logger } from '../model/logger.ts'
import type { Theme } from '../model/page.ts'
import type { ProviderInput } from '../model/provider-config.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import type { Renderer } from '../model/renderer.ts'
import type { Runtime } from '../model/runtime.ts'
import type { Token } from '../model/session.ts'
import type { SessionStorage } from '../sessions/session-token-storage.ts'
import type { CallbackOptions } from './callback-options.ts'
import type { defaults } from './defaults.ts'

type Awaitable<T> = T | Promise<T>

export interface SessionOptions {
  /** Where sessions are kept. @defaultValue `'database'` with an adapter, else `'jwt'` */
  readonly strategy?: 'jwt' | 'database' | undefined
  /** Seconds that a session lasts without being used. @defaultValue 30 days */
  readonly maxAge?: number | undefined
  /** Seconds after which a session that is used is written again. @defaultValue 1 day, or half of a `maxAge` below two */
  readonly updateAge?: number | undefined
  /** Seconds after sign-in that no session outlives. @defaultValue none */
  readonly absoluteMaxAge?: number | undefined
  /**
   * "Remember me": whether the browser keeps the session when it closes. A function decides for each sign-in; its
   * `credentials` are the posted form. Seconds in place of `true` are how long that session lasts without being used,
   * at most `maxAge`.
   *
   * @defaultValue `true`
   */
  readonly remember?: boolean | ((question: SignInQuestion) => Awaitable<boolean | number>) | undefined
  /**
   * How session tokens stand in the store: hashed; hashed, and rows of next-auth are read besides until their first use;
   * or as next-auth v4 can read them. A plain token of ours counts together with a second cookie only, so a dump of the
   * store is no set of cookies; a row that next-auth made is one as long as it stands plain. @defaultValue `'hashed'`
   */
  readonly storage?: SessionStorage | undefined
  /** Whether session cookies of Auth.js v5 count too; each is replaced by one of ours when it is next used. @defaultValue `false` */
  readonly readAuthJsCookies?: boolean | undefined
  /** Makes the token of a database session. @defaultValue 32 random bytes */
  readonly generateSessionToken?: (() => Awaitable<string>) | undefined
  /**
   * Where it is noted which signed tokens count no longer, so that signing out ends them, and `postern.sessions` can.
   * Every process looks for news every 5 seconds (`constants.revocationRefresh`), not at each request; while the store
   * does not answer for a minute (`constants.revocationStale`), tokens do not count. `false`: tokens count until they
   * end.
   *
   * @defaultValue the adapter, where it keeps revocations
   */
  readonly revocations?: RevocationStore | false | undefined
}

/** How a session token is written; next-auth v4's parameters. */
export interface EncodeParameters {
  readonly token?: Token
  readonly secret: string
  /** Seconds. */
  readonly maxAge?: number
  readonly salt?: string
}

export interface DecodeParameters {
  readonly token?: string
  readonly secret: string
  readonly salt?: string
}

export interface JwtOptions {
  /** Encrypts session tokens, and everything else where there is no `secret`. @defaultValue `secret` */
  readonly secret?: string | readonly string[] | undefined
  /** Seconds; never beyond the session's. @defaultValue 30 days */
  readonly maxAge?: number | undefined
  /** Writes session tokens in place of ours. @defaultValue next-auth v4's encryption */
  readonly encode?: ((parameters: EncodeParameters) => Awaitable<string>) | undefined
  /** Reads what `encode` wrote; `null` is no session. */
  readonly decode?: ((parameters: DecodeParameters) => Awaitable<Token | null>) | undefined
}

export interface AccountOptions {
  /**
   * Whether the access, refresh and ID tokens of providers are encrypted in the store, with a key made of `secret`.
   * `request.getAccessToken()` opens them. @defaultValue `false`
   */
  readonly encryptTokens?: boolean | undefined
  /**
   * Whether signing out takes the tokens of the provider back (RFC 7009), in every browser of the user; taking an
   * account from a user does so always. @defaultValue `false`
   */
  readonly revokeAtSignOut?: boolean | undefined
}

export interface PagesOptions {
  /** A page of the application's own with the ways in; its query has `callbackUrl`, `error` and `reason`. */
  readonly signIn?: string | undefined
  /** A page of the application's own that asks whether to sign out. */
  readonly signOut?: string | undefined
  /** A page of the application's own that explains `error`. */
  readonly error?: string | undefined
  /** A page of the application's own that says that a mail is on its way; mails carry no code then. */
  readonly verifyRequest?: string | undefined
  /** Where new users go after their first sign-in; `true` is the built-in welcome page. */
  readonly newUser?: string | true | undefined
}

/** How often is too often. Each rule is `{points, seconds}`. */
export interface RateLimitOptions {
  /**
   * Where it is counted: with several processes, in a store that they share (`limiterOn` of `@postern/fastify`).
   *
   * @defaultValue in memory, with `@postern/fastify`; without a framework, nowhere
   */
  readonly limiter?: RateLimiter | undefined
  /** Mails to one address. @defaultValue 5 in 15 minutes */
  readonly mailPerIdentifier?: RateRule | undefined
  /** Mails that one client asks for. @defaultValue 20 in 1 hour */
  readonly mailPerClient?: RateRule | undefined
  /** Wrong credentials of one person from one client. @defaultValue 10 in 15 minutes */
  readonly credentialsPerIdentifierAndClient?: RateRule | undefined
  /** Wrong credentials of one person, from wherever. @defaultValue 100 in 1 hour */
  readonly credentialsPerIdentifier?: RateRule | undefined
  /** Callbacks and codes of one client. @defaultValue 60 in 1 minute */
  readonly callbackPerClient?: RateRule | undefined
}

/** What `createPostern` and the Fastify plugin take. Names and shapes are next-auth v4's where it has them. */
export interface PosternOptions {
  /** The ways to sign in, in the order of the sign-in page. */
  readonly providers: readonly ProviderInput[]
  /** The first writes, all read. @defaultValue `jwt.secret`, else `NEXTAUTH_SECRET`, `AUTH_SECRET` */
  readonly secret?: string | readonly string[] | undefined
  /** Where the application lives. @defaultValue `AUTH_URL`, else `NEXTAUTH_URL` */
  readonly url?: string | undefined
  /** The path that all routes are under. @defaultValue the path of `url`, else `/api/auth` */
  readonly basePath?: string | undefined
  /** The hosts that the application answers for, in place of `url`. */
  readonly trustHost?: boolean | readonly string[] | undefined
  /** Where users, accounts, sessions and one-time tokens are kept: ours, those of Auth.js, and any of their shape. */
  readonly adapter?: Adapter | ForeignAdapter | undefined
  /** How sessions are kept, and how long: below. */
  readonly session?: SessionOptions | undefined
  /** How session tokens are written: below. */
  readonly jwt?: JwtOptions | undefined
  /** Pages of the application's own, in place of the built-in ones: below. */
  readonly pages?: PagesOptions | undefined
  /** What the application decides: below. */
  readonly callbacks?: CallbackOptions | undefined
  /** What the application is told: below. A listener that fails stops nothing. */
  readonly events?: EventListeners | undefined
  /** Names and attributes of cookies, each replaced as a whole. @defaultValue next-auth v4's */
  readonly cookies?: CookieOverrides | undefined
  /** Whether cookies are `Secure`, with the prefixes of that. @defaultValue whether `url` is https */
  readonly useSecureCookies?: boolean | undefined
  /**
   * The Content-Security-Policy of the built-in pages, or a function of ours.
   *
   * @defaultValue nothing inline, nothing remote but a configured logo, no framing
   */
  readonly contentSecurityPolicy?: PolicyOption | undefined
  /** Further headers of the built-in pages, by name; a text replaces ours, `null` leaves ours out. */
  readonly headers?: HeaderOptions | undefined
  /** What the built-in pages and mails look like. */
  readonly theme?: { readonly [K in keyof Theme]?: Theme[K] | undefined } | undefined
  /** Where next-auth's log codes go. @defaultValue Fastify's, else the console */
  readonly logger?: Partial<Logger> | undefined
  /** Whether every call of the adapter is logged, at the level `debug`. @defaultValue `false` */
  readonly debug?: boolean | undefined
  /** Whether a message that `signIn` or `authorize` throws becomes the code in the URL. @defaultValue `'message'` */
  readonly errors?: ThrownErrors | undefined
  /** What is kept of accounts. */
  readonly account?: AccountOptions | undefined
  /**
   * What becomes of sessions and accounts that were attached to a user before a link proved the address.
   *
   * @defaultValue `{ unproven: 'unlink' }`
   */
  readonly linking?: { readonly unproven?: 'unlink' | 'keep' | undefined } | undefined
  /** Origins beside our own whose pages may post forms to us. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** What must not happen too often; `false` switches the limits off. */
  readonly rateLimit?: false | RateLimitOptions | undefined
  /** Whether browsers may write to the log through `POST /_log`. @defaultValue `false` */
  readonly clientLog?: boolean | undefined
  /** Turns screens and mails into text. @defaultValue plain HTML; `@postern/fastify` passes that of `@postern/pages` */
  readonly renderer?: Renderer | undefined
  /** The clock, chance and the network. */
  readonly runtime?: Partial<Runtime> | undefined
  /** Any constant of the product; seconds, unless the name says otherwise. */
  readonly constants?: { readonly [K in keyof typeof defaults]?: (typeof defaults)[K] | undefined } | undefined
}
