import type { AccountTokens } from './account.ts'
import type { Profile } from './identity.ts'
import type { CredentialField, ProviderStyle } from './page.ts'
import type { ProviderHooks } from './provider-config.ts'
import type { MailServer } from './runtime.ts'
import type { User } from './user.ts'

type Awaitable<T> = T | Promise<T>

/** The answer of a token endpoint; fields that are not standard are kept for `profile` and `request` functions. */
export type TokenSet = AccountTokens & { readonly [field: string]: unknown }

/** What a provider's `profile` makes of raw claims. `id` is required; the address is lower-cased afterwards. */
export interface ProfileUser extends Omit<User, 'id' | 'emailVerified'> {
  id: string | number
  /** Whether the provider states that the address is proven. Without it, the claim `email_verified` counts. */
  emailVerified?: boolean | Date | null
}

/** How a provider authenticates us at its token endpoint (OpenID Connect Core §9). */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none'

/** Client metadata, in the standard's words (RFC 7591 §2). */
export interface ClientMetadata {
  readonly token_endpoint_auth_method?: string | undefined
  readonly id_token_signed_response_alg?: string | undefined
  readonly userinfo_signed_response_alg?: string | undefined
  readonly [field: string]: unknown
}

/** The object that `request()` functions get, in place of openid-client's. */
export interface ProviderClient {
  /** GET userinfo with the access token. */
  userinfo(
    accessToken: string | { access_token?: string | null },
    options?: { params?: Record<string, unknown> }
  ): Promise<Profile>
  /** Exchanges the code; the checks have been made. */
  callback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  oauthCallback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  /** Any other grant at the token endpoint. */
  grant(parameters: Readonly<Record<string, string>>): Promise<TokenSet>
}

export interface TokenRequestContext {
  readonly provider: OAuthProvider
  /** What the callback brought, with the endpoint's own `params`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly checks: Readonly<Record<string, string | undefined>>
  readonly client: ProviderClient
}

export interface UserinfoRequestContext {
  readonly provider: OAuthProvider
  readonly tokens: TokenSet
  readonly client: ProviderClient
}

/** One endpoint of a provider: its address, parameters of its own, and the function that replaces the call. */
export interface Endpoint<Context = never, Result = never> {
  readonly url: string | null
  readonly params: Readonly<Record<string, string>>
  readonly request: ((context: Context) => Awaitable<Result>) | null
}

/** A way in through an authorization server. Everything is resolved; `null` is none. */
export interface OAuthProvider {
  readonly kind: 'oauth'
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  readonly clientSecret: string | null
  readonly client: ClientMetadata
  readonly authMethod: ClientAuthMethod | null
  /** The issuer as configured; discovery compares with it. */
  readonly issuer: string | null
  /** Where the metadata document is, or `null` where all endpoints are given. */
  readonly wellKnown: string | null
  readonly authorization: Endpoint
  readonly token: Endpoint<TokenRequestContext, { readonly tokens: TokenSet }>
  readonly userinfo: Endpoint<UserinfoRequestContext, Profile>
  readonly jwksUri: string | null
  /** Whether the profile comes from an ID Token. */
  readonly idToken: boolean
  /** `state` is sent always; these besides. */
  readonly pkce: boolean
  readonly nonce: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<ProfileUser>
  readonly hooks: ProviderHooks
  readonly style: ProviderStyle | null
  readonly allowDangerousEmailAccountLinking: boolean
  /** Whether every address of this provider has been proven to it. */
  readonly verifiesEmail: boolean
  readonly allowInsecureRequests: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** What a sender of sign-in mails is told. */
export interface VerificationRequest {
  readonly identifier: string
  /** The link; empty where only a code is sent. */
  readonly url: string
  readonly code: string | null
  readonly expires: Date
  readonly token: string
  readonly provider: EmailProvider
  readonly theme: Readonly<{ colorScheme?: string; logo?: string; brandColor?: string; buttonText?: string }>
}

/** A way in through a mailed link. */
export interface EmailProvider {
  readonly kind: 'email'
  readonly id: string
  readonly name: string
  readonly type: 'email'
  readonly server: MailServer | null
  readonly from: string
  /** Seconds. */
  readonly maxAge: number
  /** When a link needs a button: in other browsers, in every one, in none (next-auth v4's way). */
  readonly confirm: 'auto' | 'always' | 'never'
  /** Whether the mail carries a code: beside the link, not at all, or instead of it. */
  readonly code: boolean | 'only'
  readonly sendVerificationRequest: ((request: VerificationRequest) => Awaitable<unknown>) | null
  readonly generateVerificationToken: (() => Awaitable<string>) | null
  readonly normalizeIdentifier: ((identifier: string) => string) | null
}

/** The request as `authorize` sees it. */
export interface AuthorizeRequest {
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly method: string
}

/** A way in through the application's own form. */
export interface CredentialsProvider {
  readonly kind: 'credentials'
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly fields: readonly CredentialField[]
  readonly authorize: (credentials: Readonly<Record<string, string>>, request: AuthorizeRequest) => Awaitable<unknown>
}

/** Every kind of provider. A new row makes the compiler ask for its handler. */
export interface ProviderKinds {
  readonly oauth: OAuthProvider
  readonly email: EmailProvider
  readonly credentials: CredentialsProvider
}

export type Provider<K extends keyof ProviderKinds = keyof ProviderKinds> = {
  [P in K]: { readonly kind: P } & ProviderKinds[P]
}[K]
