import type { Awaitable } from './awaitable.ts'
import type { Captcha } from './captcha.ts'
import type { Delivery, EmailProvider, VerificationRequest } from './email-provider.ts'
import type { Profile } from './identity.ts'
import type { ProviderStyle } from './page.ts'
import type {
  AuthorizeRequest,
  ClientKey,
  ClientMetadata,
  Jwk,
  ProfileUser,
  ProviderHooks,
  TokenRequestContext,
  TokenSet,
  UserinfoRequestContext
} from './provider.ts'
import type { MailServer } from './runtime.ts'
import type { Unchecked } from './unchecked.ts'

/** An endpoint in the format of next-auth and Auth.js: a URL, or a URL with parameters and a `request` function. */
export type EndpointConfig<Context = never, Result = unknown> =
  | string
  | {
      readonly url?: string | undefined
      readonly params?: Readonly<Record<string, unknown>> | undefined
      readonly request?: ((context: Context) => Awaitable<Result>) | undefined
    }

/** The token endpoint in the format of next-auth and Auth.js. */
export type TokenEndpointConfig =
  | string
  | (Exclude<EndpointConfig<TokenRequestContext, { readonly tokens: TokenSet }>, string> & {
      /** Transforms the response before it is parsed. */
      readonly conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined
      /** Signs client assertions (`private_key_jwt`). */
      readonly clientPrivateKey?: ClientKey | undefined
    })

/** An authorization server (OAuth 2, OpenID Connect), in the format of next-auth v4 and Auth.js. */
export interface OAuthConfig {
  /** Part of the redirect URI, of account rows and of the names of environment variables. */
  readonly id: string
  /** The name on the button. */
  readonly name: string
  /** `'oidc'` for a provider that issues ID Tokens. */
  readonly type: 'oauth' | 'oidc'
  /** @defaultValue `AUTH_<ID>_ID` */
  readonly clientId?: string | undefined
  /** @defaultValue `AUTH_<ID>_SECRET` */
  readonly clientSecret?: string | undefined
  /** The URL of the metadata document, or the issuer that serves it at the well-known path. */
  readonly wellKnown?: string | undefined
  /** The issuer. With `type: 'oidc'`, the metadata URL is derived from it. */
  readonly issuer?: string | undefined
  /** The authorization endpoint and its parameters, above all `scope`. @defaultValue the metadata's */
  readonly authorization?: EndpointConfig | undefined
  /**
   * The parameters that the query of POST `/signin/:provider` may add to the authorization request, such as
   * `screen_hint`. Parameters set in `authorization` are never replaced; `scope` may be extended if it is listed.
   *
   * @defaultValue `['login_hint', 'prompt', 'ui_locales']`
   */
  readonly allowedAuthorizationParams?: readonly string[] | undefined
  /** The token endpoint. @defaultValue the metadata's */
  readonly token?: TokenEndpointConfig | undefined
  /** The userinfo endpoint. @defaultValue the metadata's */
  readonly userinfo?: EndpointConfig<UserinfoRequestContext, Profile> | undefined
  /** The URL of the provider's key set. @defaultValue the metadata's */
  readonly jwks_endpoint?: string | undefined
  /** Keys: private keys sign client assertions; public keys replace those that the provider publishes. */
  readonly jwks?: { readonly keys: readonly Jwk[] } | undefined
  /** @defaultValue `state` always, PKCE unless omitted here, `nonce` for OpenID Connect */
  readonly checks?: 'pkce' | 'state' | 'nonce' | 'none' | readonly ('pkce' | 'state' | 'nonce' | 'none')[] | undefined
  /** Client metadata with the names of RFC 7591: how the client authenticates, and which algorithms sign responses. */
  readonly client?: ClientMetadata | undefined
  /** Omits `nonce`, for an OpenID Provider that does not return it in ID Tokens. @defaultValue `false` */
  readonly expectNoNonce?: boolean | undefined
  /** Whether the profile is the ID Token's claims. @defaultValue `true` for OpenID Connect */
  readonly idToken?: boolean | undefined
  /** Converts the profile to a user; `id` is required. @defaultValue the standard claims */
  readonly profile?: ((profile: never, tokens: TokenSet) => Awaitable<ProfileUser>) | undefined
  /** Selects the token fields that the account row stores. @defaultValue the standard fields */
  readonly account?: ((tokens: TokenSet) => Awaitable<Readonly<Record<string, unknown>> | undefined>) | undefined
  /** The version of OAuth; 1.0a is rejected. */
  readonly version?: string | undefined
  /** The appearance of the button. */
  readonly style?: ProviderStyle | undefined
  /**
   * Links this account to the user with the same email address if both sides have verified it. @defaultValue `false`
   */
  readonly allowDangerousEmailAccountLinking?: boolean | undefined
  /**
   * Whose email addresses the provider proves: `true` for every address that it reports, or a list of domains. Addresses that it
   * states as unverified are not proven, and those of other providers are only claimed. @defaultValue what the module of the
   * provider has; otherwise `false`
   */
  readonly verifiesEmail?: boolean | readonly string[] | undefined
  /**
   * What every sign-in must prove: `acr` has one of the values, `amr` has all of them, and the user authenticated at most
   * `maxAge` seconds ago. It is requested, and verified in the ID Token. Needs OpenID Connect. @defaultValue nothing
   */
  readonly requires?:
    | {
        readonly acr?: string | readonly string[] | undefined
        readonly amr?: readonly string[] | undefined
        readonly maxAge?: number | undefined
      }
    | undefined
  /**
   * Whether a sign-in counts as a fresh authentication although the provider does not state when the user authenticated. A
   * provider may sign users in without asking them. @defaultValue `false`
   */
  readonly assumeFresh?: boolean | undefined
  /**
   * Whether logout tokens (OpenID Connect Back-Channel Logout) must have the type `logout+jwt`, as OWASP ASVS 5 requires in
   * 10.5.5. Without it, `JWT` or no type is accepted too, which several servers send. @defaultValue `false`
   */
  readonly requireLogoutTokenType?: boolean | undefined
  /**
   * Allows http, loopback and private addresses, for a test issuer or an intranet.
   * @defaultValue `true` in development, `false` in production
   */
  readonly allowInsecureRequests?: boolean | undefined
  /** The time limit of a call to this provider, in milliseconds. @defaultValue 5000 */
  readonly httpOptions?: { readonly timeout?: number | undefined } | undefined
  /** The names of additional options that the provider requires; each must be a string. */
  readonly needs?: readonly string[] | undefined
  /** The functions of the provider. */
  readonly hooks?: ProviderHooks | undefined
  /** The options that the user passed to the factory; they override all others. */
  readonly options?: object | undefined
}

/** The options of an OAuth provider's factory; they override the provider's own values. */
export type OAuthOptions = Partial<Omit<OAuthConfig, 'type' | 'options' | 'needs'>>

/** Whether a user may be created: for every address or none, or for the addresses for which the function returns `true`. */
export type SignUpPolicy = boolean | ((email: string) => Awaitable<boolean>)

/** A provider that signs users in with a mailed link. */
export interface EmailConfig {
  /** Part of the callback URL. */
  readonly id: string
  /** The name on the sign-in page. */
  readonly name: string
  /** Always `'email'`. */
  readonly type: 'email'
  /** `smtp://user:password@host:587`, or the options of a nodemailer transport. @defaultValue `EMAIL_SERVER` */
  readonly server?: MailServer | undefined
  /** The sender address of mails. @defaultValue `EMAIL_FROM` */
  readonly from?: string | undefined
  /** The lifetime of a link in seconds. @defaultValue `86400` */
  readonly maxAge?: number | undefined
  /**
   * When a link requires confirmation with a button: `'auto'` (in browsers that did not request it), `'always'` or
   * `'never'`. @defaultValue `'auto'`
   */
  readonly confirm?: EmailProvider['confirm'] | undefined
  /**
   * Whether the mail contains a code: in addition to the link, not at all, or instead of it (`'only'`).
   *
   * @defaultValue `true`, or `false` if `pages.verifyRequest` is set
   */
  readonly code?: EmailProvider['code'] | undefined
  /** Sends the mail instead of the built-in function. */
  readonly sendVerificationRequest?: ((request: VerificationRequest) => Awaitable<unknown>) | undefined
  /** Generates the token of a link: 128 random bits. No mail is sent with one below 64 bits. @defaultValue 32 random bytes */
  readonly generateVerificationToken?: (() => Awaitable<string>) | undefined
  /** Replaces the strict validation of addresses; throws an `Error` with a short message if the address is invalid. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
  /**
   * Whether a mailed link may create a user: for nobody with `false`, or for the addresses for which the function returns `true`. It is called
   * before the mail is sent and again before the user is created. Other addresses get the same response and no mail; stored
   * users always get theirs. Unless it is `true`, responses do not wait for the mail server.
   *
   * @defaultValue `true`
   */
  readonly signUp?: SignUpPolicy | undefined
  /**
   * Asked before the form that asks for a mail does any work. The page after it then has no button that sends another mail.
   * @defaultValue none
   */
  readonly captcha?: Captcha | undefined
  /** Passes the rendered mail to a service instead of a mail server. */
  readonly deliver?: ((delivery: Delivery) => Awaitable<unknown>) | undefined
  /** The names of additional options that the service requires; each must be a string. */
  readonly needs?: readonly string[] | undefined
  /** The API key of that service. @defaultValue `AUTH_<ID>_KEY` */
  readonly apiKey?: string | undefined
  /** The options that the user passed to the factory; they override all others. */
  readonly options?: object | undefined
}

/** The options of the factories of sending services. */
export type MailServiceOptions = Partial<Omit<EmailConfig, 'type' | 'options' | 'server' | 'deliver' | 'needs'>>

/** A field of the credentials form, required unless it has `required: false`; unknown attributes are copied to the input. */
export interface CredentialInput {
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly [attribute: string]: string | number | boolean | undefined
}

/**
 * The posted fields: a string for every field of the form. `credentials()` infers their names; a plain object does not.
 */
export type Posted = Unchecked

/** A provider that signs users in with the application's own form. */
export interface CredentialsConfig {
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  /**
   * The field with the username, for the password rate limits.
   *
   * @defaultValue the text input with `autocomplete` `username` or `email`, else the one named `username`, `email`,
   * `login` or `identifier`, else the first text input
   */
  readonly identifier?: string | undefined
  /**
   * What `authorize` verifies, as values of `amr` (RFC 8176), such as `['pwd', 'otp', 'mfa']`.
   *
   * @defaultValue `['pwd']` if the form has a password field, otherwise nothing
   */
  readonly amr?: readonly string[] | undefined
  /**
   * Maps all spellings of a username to one string, for the password rate limits only; `authorize` receives the posted
   * value. It must return a non-empty string, otherwise the default applies.
   *
   * @defaultValue NFKC, lower case, without white space, combining marks and invisible characters
   */
  readonly normalizeIdentifier?: ((value: string) => string) | undefined
  readonly authorize?: ((credentials: Posted, request: AuthorizeRequest) => Awaitable<unknown>) | undefined
  readonly options?: object | undefined
}

/** A provider object of another library; validated at registration. */
export interface ForeignProvider {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** A feature that users sign in with; `Feature` of `@postern/core/feature`. */
export interface FeatureInput {
  readonly id: string
  readonly setup: (context: never) => unknown
}

/** A provider of any kind, as passed to `providers`. */
export type ProviderConfig = OAuthConfig | EmailConfig | CredentialsConfig

/**
 * The values of `providers`: Postern's providers, those of next-auth v4 and Auth.js, plain objects of that shape, and
 * factories, which are called without options and read the environment.
 */
export type ProviderInput =
  | ProviderConfig
  | ForeignProvider
  | FeatureInput
  | ((options: never) => ProviderConfig | ForeignProvider)
