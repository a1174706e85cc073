import type { Profile } from './identity.ts'
import type { ProviderStyle } from './page.ts'
import type {
  AuthorizeRequest,
  ClientMetadata,
  EmailProvider,
  ProfileUser,
  TokenRequestContext,
  TokenSet,
  UserinfoRequestContext,
  VerificationRequest
} from './provider.ts'
import type { MailServer } from './runtime.ts'

type Awaitable<T> = T | Promise<T>

/** An endpoint as next-auth and Auth.js write it: an address, or an address with parameters and a `request` function. */
export type EndpointConfig<Context = never, Result = unknown> =
  | string
  | {
      readonly url?: string | undefined
      readonly params?: Readonly<Record<string, unknown>> | undefined
      readonly request?: ((context: Context) => Awaitable<Result>) | undefined
    }

/** What `afterProfile` may call: GET of a JSON document with the access token, in the provider's limits. */
export type GetJson = (url: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>

/** What of a provider is no data. */
export interface ProviderHooks {
  /** Completes the raw profile by further calls. */
  readonly afterProfile?: ((profile: Profile, tokens: TokenSet, get: GetJson) => Awaitable<Profile>) | undefined
}

/** A way in through an authorization server (OAuth 2, OpenID Connect), as next-auth v4 and Auth.js describe it. */
export interface OAuthConfig {
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The address of the metadata document. */
  readonly wellKnown?: string | undefined
  /** The issuer; with `type: 'oidc'` the metadata document is found under it. */
  readonly issuer?: string | undefined
  readonly authorization?: EndpointConfig | undefined
  readonly token?: EndpointConfig<TokenRequestContext, { tokens: TokenSet }> | undefined
  readonly userinfo?: EndpointConfig<UserinfoRequestContext, Profile> | undefined
  readonly jwks_endpoint?: string | undefined
  /** @defaultValue `state` always, PKCE unless left out here, `nonce` for OpenID Connect */
  readonly checks?: 'pkce' | 'state' | 'nonce' | 'none' | readonly ('pkce' | 'state' | 'nonce' | 'none')[] | undefined
  readonly client?: ClientMetadata | undefined
  /** Whether the profile is the ID Token's claims. @defaultValue `true` where OpenID Connect is spoken */
  readonly idToken?: boolean | undefined
  readonly profile?: ((profile: never, tokens: TokenSet) => Awaitable<ProfileUser>) | undefined
  readonly style?: ProviderStyle | undefined
  readonly allowDangerousEmailAccountLinking?: boolean | undefined
  /** Whether every address that this provider reports has been proven to it. @defaultValue `false` */
  readonly verifiesEmail?: boolean | undefined
  /** Allows http, loopback and private addresses: a test issuer, an intranet. @defaultValue `false` */
  readonly allowInsecureRequests?: boolean | undefined
  readonly httpOptions?: { readonly timeout?: number | undefined } | undefined
  readonly hooks?: ProviderHooks | undefined
  /** What the user passed to the factory; merged over the rest. */
  readonly options?: object | undefined
}

/** A way in through a mailed link. */
export interface EmailConfig {
  readonly id: string
  readonly name: string
  readonly type: 'email'
  readonly server?: MailServer | undefined
  readonly from?: string | undefined
  /** Seconds that a link is good for. @defaultValue `86400` */
  readonly maxAge?: number | undefined
  /** @defaultValue `'auto'` */
  readonly confirm?: EmailProvider['confirm'] | undefined
  /** @defaultValue `true`, or `false` where `pages.verifyRequest` is set */
  readonly code?: EmailProvider['code'] | undefined
  readonly sendVerificationRequest?: ((request: VerificationRequest) => Awaitable<unknown>) | undefined
  readonly generateVerificationToken?: (() => Awaitable<string>) | undefined
  /** Replaces the strict grammar; throws for what is no address. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
  readonly options?: object | undefined
}

/** A field of the credentials form; attributes beyond the named ones go to the input as they are. */
export interface CredentialInput {
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly [attribute: string]: string | number | boolean | undefined
}

/** A way in through the application's own form. */
export interface CredentialsConfig {
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  readonly authorize?: ((credentials: never, request: AuthorizeRequest) => Awaitable<unknown>) | undefined
  readonly options?: object | undefined
}

/** A provider object of another library; it is checked at registration. */
export interface ForeignProvider {
  readonly id: string
  readonly name: string
  readonly type: string
}

export type ProviderConfig = OAuthConfig | EmailConfig | CredentialsConfig

/** What `providers` may hold: our providers, those of next-auth v4 and Auth.js, and plain objects of their shape. */
export type ProviderInput = ProviderConfig | ForeignProvider
