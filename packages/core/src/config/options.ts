import type { Adapter, ForeignAdapter } from '../adapter/adapter.ts'
import type { RevocationStore } from '../adapter/revocation.ts'
import type { CookieOverrides } from '../cookies/names.ts'
import type { AnyFeature } from '../features/feature.ts'
import type { ThrownErrors } from '../hooks/authorize-sign-in.ts'
import type { EventListeners } from '../hooks/events.ts'
import type { SignInCallbackInput } from '../hooks/hooks.ts'
import type { PolicyOption } from '../http/content-security-policy.ts'
import type { HeaderOptions } from '../http/response-headers.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Logger } from '../model/logger.ts'
import type { Theme } from '../model/page.ts'
import type { EmailConfig, ProviderInput } from '../model/provider-config.ts'
import type { RateLimiter, RateRule } from '../model/rate-limiter.ts'
import type { Renderer } from '../model/renderer.ts'
import type { Runtime } from '../model/runtime.ts'
import type { Token } from '../model/session.ts'
import type { Unchecked } from '../model/unchecked.ts'
import type { SessionStorage } from '../sessions/session-token.ts'
import type { AccountOptions, LinkingOptions } from './account-options.ts'
import type { CallbackOptions } from './callback-options.ts'
import type { defaults } from './defaults.ts'

export interface SessionOptions {
  /** Where sessions are stored. @defaultValue `'database'` with an adapter, otherwise `'jwt'` */
  readonly strategy?: 'jwt' | 'database' | undefined
  /** The lifetime of a session since its last use, in seconds. @defaultValue 30 days */
  readonly maxAge?: number | undefined
  /**
   * Seconds after which a session in use is written again. @defaultValue 1 day, or half of `maxAge` if that is less
   * than two days
   */
  readonly updateAge?: number | undefined
  /** The lifetime of a session since sign-in, in seconds, which no renewal exceeds. @defaultValue none */
  readonly absoluteMaxAge?: number | undefined
  /**
   * Seconds without a request that reads the session after which it ends; 60 or more. Unlike `maxAge`, it is exact to a
   * tenth of itself, at most a minute, because a session in use is written again that often. Requests that a page repeats
   * count as use, too. @defaultValue none
   */
  readonly idleTimeout?: number | undefined
  /**
   * The maximum number of sessions of a user: a sign-in beyond it ends the oldest ones. The adapter must list sessions,
   * and for JWT sessions store revocations. @defaultValue none
   */
  readonly maxPerUser?: number | undefined
  /**
   * "Remember me": whether the browser keeps the session when it closes. A function decides for each sign-in; its
   * `credentials` are the submitted form, without its passwords if the sign-in was interrupted. A number instead of `true`
   * is the lifetime of this session since its last use, in seconds, at most `maxAge`.
   *
   * @defaultValue `true`
   */
  readonly remember?: boolean | ((question: SignInCallbackInput) => Awaitable<boolean | number>) | undefined
  /**
   * How session tokens are stored. `hashed`: as a hash. `both`: as a hash, but rows of next-auth are also accepted until
   * their first use. `plain`: in the form that next-auth v4 can read. A plain token of Postern is valid only together
   * with a second cookie, so a copy of the store does not contain usable cookies. A row that next-auth created is usable
   * as long as it is plain. @defaultValue `'hashed'`
   */
  readonly storage?: SessionStorage | undefined
  /** Whether session cookies of Auth.js v5 are accepted; each is replaced on its next use. @defaultValue `false` */
  readonly readAuthJsCookies?: boolean | undefined
  /**
   * The library whose clients and `session` callback the application has. `auth-js`: if no user is signed in, `GET /session`
   * returns `null`, as Auth.js v5 does, instead of `{}`. With JWT sessions, the user is the one that the `jwt` callback
   * returned. With database sessions, the `session` callback receives the stored session with the whole user: `expires` is a
   * `Date`, `userId` is set, and so is `sessionToken`, which is not copied by `{ ...session }` and never sent.
   * @defaultValue `'next-auth'`
   */
  readonly format?: 'next-auth' | 'auth-js' | undefined
  /** Generates the token of a database session. @defaultValue 32 random bytes */
  readonly generateSessionToken?: (() => Awaitable<string>) | undefined
  /**
   * Where revocations of JWT sessions are stored, so that signing out and `postern.sessions` can end them. Every
   * process reads new revocations every second (`constants.revocationRefresh`), not on each request. If the store
   * does not respond for a minute (`constants.revocationStale`), JWT sessions are rejected. `false`: JWT sessions are
   * valid until they expire.
   *
   * @defaultValue the adapter, if it stores revocations
   */
  readonly revocations?: RevocationStore | false | undefined
}

/** A logger of the application: `error` may declare an `Error`, as Auth.js v5's, but it receives the code. */
export interface ApplicationLogger extends Logger {
  error(code: Unchecked, metadata: unknown): void
}

/** The arguments of `encode`, as in next-auth v4. */
export interface EncodeParameters {
  readonly token?: Token
  readonly secret: string
  /** Seconds. */
  readonly maxAge?: number
  /** Empty, as in next-auth v4; with `session.format: 'auth-js'`, the name of the cookie, as in Auth.js. */
  readonly salt: string
}

export interface DecodeParameters {
  readonly token?: string
  readonly secret: string
  /** As in {@link EncodeParameters}. */
  readonly salt: string
}

export interface JwtOptions {
  /** Encrypts session tokens, and everything else if there is no `secret`. @defaultValue `secret` */
  readonly secret?: string | readonly string[] | undefined
  /** The lifetime of a session token in seconds; at most that of the session. @defaultValue `session.maxAge` */
  readonly maxAge?: number | undefined
  /** Creates session tokens instead of the built-in encryption. @defaultValue next-auth v4's encryption */
  readonly encode?: ((parameters: EncodeParameters) => Awaitable<string>) | undefined
  /** Reads the tokens of `encode`; `null` means no session. */
  readonly decode?: ((parameters: DecodeParameters) => Awaitable<Token | null>) | undefined
}

export interface PagesOptions {
  /** The application's sign-in page. Its query has `callbackUrl`, `error`, `reason`, and `ref`, which the log contains. */
  readonly signIn?: string | undefined
  /** The application's sign-out page. */
  readonly signOut?: string | undefined
  /** The application's page for `error`. */
  readonly error?: string | undefined
  /** The application's page after a mail was sent; mails then contain no code. */
  readonly verifyRequest?: string | undefined
  /** The page for new users after their first sign-in; `true` is the built-in welcome page. */
  readonly newUser?: string | true | undefined
  /**
   * The page with the settings of the signed-in user, which replaces the built-in `/account`. The pages of its sections
   * remain, and link to it. @defaultValue the page of `accountPages()`, if it is registered
   */
  readonly account?: string | undefined
}

/** Rate limits. Each rule is `{points, seconds}`. */
export interface RateLimitOptions {
  /**
   * The store that counts. Several processes need one that they share (`limiterOn` of `@postern/fastify`).
   *
   * @defaultValue in memory with `@postern/fastify`; without a framework, there are no limits
   */
  readonly limiter?: RateLimiter | undefined
  /** Mails to one address, before delays apply. @defaultValue 5 in 15 minutes */
  readonly mailPerIdentifier?: RateRule | undefined
  /** Mails that one client requests. @defaultValue 20 in 1 hour */
  readonly mailPerClient?: RateRule | undefined
  /** Sign-in mails to all addresses together: a breaker for floods. @defaultValue no limit */
  readonly mailPerApplication?: RateRule | undefined
  /** Wrong credentials for one username from one client. @defaultValue 10 in 15 minutes */
  readonly credentialsPerIdentifierAndClient?: RateRule | undefined
  /** Wrong credentials for one username from all clients, before delays apply. @defaultValue 100 in 1 hour */
  readonly credentialsPerIdentifier?: RateRule | undefined
  /** Wrong credentials from one client, for all usernames and forms. @defaultValue 100 in 1 hour */
  readonly credentialsPerClient?: RateRule | undefined
  /** Callbacks, codes and refused logout tokens from one client. @defaultValue 60 in 1 minute */
  readonly callbackPerClient?: RateRule | undefined
}

/** The options of `createPostern` and the Fastify plugin. Names and types are next-auth v4's, if it has the option. */
export interface PosternOptions {
  /** The sign-in methods, in the order of the sign-in page. */
  readonly providers: readonly ProviderInput[]
  /**
   * What a browser presents is accepted if one of these issued it: sessions, cookies and mailed links. The first one issues
   * them. @defaultValue `jwt.secret`, otherwise `NEXTAUTH_SECRET`, `AUTH_SECRET`
   */
  readonly secret?: string | readonly string[] | undefined
  /**
   * Encrypts what the adapter stores: factors, tickets and provider tokens. The first one encrypts, all decrypt, and none is
   * accepted in a session, cookie or link. A former `secret` in this list decrypts what was stored without this option.
   * @defaultValue `AUTH_DATA_SECRET`, otherwise `secret`
   */
  readonly dataSecret?: string | readonly string[] | undefined
  /** The URL of the application. @defaultValue `AUTH_URL`, otherwise `NEXTAUTH_URL` */
  readonly url?: string | undefined
  /** The path of all routes. @defaultValue the path of `url`, otherwise `/api/auth` */
  readonly basePath?: string | undefined
  /**
   * The path that a proxy removes before it passes a request on, such as `/shop`: links, redirects and cookies have it, and routes do
   * not. Register `https://app.example.com/shop/api/auth/callback/<provider>` with providers.
   *
   * @defaultValue none
   */
  readonly pathPrefix?: string | undefined
  /**
   * Identifies the application, 1 to 200 characters: sessions and pending sign-ins are accepted only by registrations
   * with the same id. Applications in different processes that share a secret need different ids and `acceptUnbound:
   * false`. Registrations with the same id are one application.
   *
   * @defaultValue the base path, with the prefix of the Fastify scope
   */
  readonly applicationId?: string | undefined
  /**
   * Whether sessions that name no application are accepted: those of next-auth v4 and of Auth.js v5. The
   * same applies to tokens of a `jwt.encode` that omits the claim `session_app`.
   *
   * @defaultValue `true`, unless another registration of this process shares a secret and has another `applicationId`
   */
  readonly acceptUnbound?: boolean | undefined
  /** The hosts of the application, instead of `url`; `https://app.example.com` also fixes the scheme. */
  readonly trustHost?: boolean | readonly string[] | undefined
  /**
   * Stores users, accounts, sessions and one-time tokens: an adapter of Postern, of Auth.js, or with the same methods.
   */
  readonly adapter?: Adapter | ForeignAdapter | undefined
  /** Storage and lifetime of sessions. */
  readonly session?: SessionOptions | undefined
  /** Format and lifetime of session tokens. */
  readonly jwt?: JwtOptions | undefined
  /** Pages of the application that replace the built-in ones. */
  readonly pages?: PagesOptions | undefined
  /** Callbacks of the application. */
  readonly callbacks?: CallbackOptions | undefined
  /** Event listeners of the application. An error in a listener is logged and has no other effect. */
  readonly events?: EventListeners | undefined
  /** Names and attributes of cookies; each cookie is replaced as a whole. @defaultValue next-auth v4's */
  readonly cookies?: CookieOverrides | undefined
  /** Whether cookies are `Secure`, with the matching name prefixes. @defaultValue whether `url` is https */
  readonly useSecureCookies?: boolean | undefined
  /**
   * The Content-Security-Policy of the built-in pages, or a function of the default policy.
   *
   * @defaultValue nothing inline, nothing remote except a configured logo, no framing
   */
  readonly contentSecurityPolicy?: PolicyOption | undefined
  /** Additional headers of the built-in pages, by name; a string replaces the default header, `null` removes it. */
  readonly headers?: HeaderOptions | undefined
  /** The appearance of the built-in pages and mails. */
  readonly theme?:
    | { readonly [K in keyof Theme]?: (K extends 'links' ? Partial<Theme[K]> : Theme[K]) | undefined }
    | undefined
  /** Receives log entries with next-auth's log codes. @defaultValue Fastify's, otherwise the console */
  readonly logger?: Partial<ApplicationLogger> | undefined
  /** Whether every adapter call is logged, at the level `debug`. @defaultValue `false` */
  readonly debug?: boolean | undefined
  /**
   * Whether the message of an `Error` that `signIn` or `authorize` throws becomes the code in the URL, as in next-auth v4: one
   * line of at most 100 characters, without a `cause`. Other errors, such as a `TypeError`, are never shown. Browsers, proxies
   * and logs record URLs: with `'code'`, only the code of a `SignInError` does. In production, the first such message that is
   * not a known code is logged as a warning, without the message. @defaultValue `'message'`
   */
  readonly errors?: ThrownErrors | undefined
  /** Encryption and revocation of provider tokens. */
  readonly account?: AccountOptions | undefined
  /** How accounts are linked to users. */
  readonly linking?: LinkingOptions | undefined
  /** Further capabilities, such as a second factor; each is called, as `secondFactor()`. */
  readonly features?: readonly AnyFeature[] | undefined
  /**
   * The mail server or service for the mails of features: a provider for email, as `email({ server, from })`. It does not
   * sign users in unless it is also in `providers`.
   *
   * @defaultValue the first provider for email that has one
   */
  readonly mailer?: EmailConfig | undefined
  /** The ids of providers that the built-in sign-in page does not offer. Users can still sign in with them. */
  readonly hiddenProviders?: readonly string[] | undefined
  /**
   * Whether the built-in sign-in page asks for the email address first. The second step offers the same methods for every
   * address, so it states nothing about users. It needs a method with an email address: a provider for email, or
   * `password()`. @defaultValue `false`
   */
  readonly identifierFirst?: boolean | undefined
  /** Additional origins whose pages may post forms to Postern. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Rate limits; `false` disables them. */
  readonly rateLimit?: false | RateLimitOptions | undefined
  /** Whether browsers may write to the log with `POST /_log`. @defaultValue `false` */
  readonly clientLog?: boolean | undefined
  /** Renders screens and mails. @defaultValue plain HTML; `@postern/fastify` passes the renderer of `@postern/pages` */
  readonly renderer?: Renderer | undefined
  /** The clock, randomness, `fetch` and mail transport. */
  readonly runtime?: Partial<Runtime> | undefined
  /** Overrides for the constants, in seconds unless the name contains another unit. */
  readonly constants?: { readonly [K in keyof typeof defaults]?: (typeof defaults)[K] | undefined } | undefined
}
