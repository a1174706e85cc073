import type { AccountTokens } from './account.ts'
import type { EmailProvider } from './email-provider.ts'
import type { Profile } from './identity.ts'
import type { CredentialField, ProviderStyle } from './page.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import type { User } from './user.ts'

type Awaitable<T> = T | Promise<T>

/** The answer of a token endpoint; fields that are not standard are kept for `profile` and `request` functions. */
export type TokenSet = AccountTokens & { readonly [field: string]: unknown }

/** What a provider's `profile` makes of raw claims. `id` is required; the address is lower-cased afterwards. */
export interface ProfileUser extends Omit<User, 'id' | 'name' | 'email' | 'image' | 'emailVerified'> {
  id: string | number
  name?: string | null | undefined
  email?: string | null | undefined
  image?: string | null | undefined
  /** Whether the provider states that the address is proven. Without it, the claim `email_verified` counts. */
  emailVerified?: boolean | Date | null
}

/** How a provider authenticates us at its token endpoint (OpenID Connect Core §9). */
export type ClientAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none'

/** Client metadata, in the standard's words (RFC 7591 §2). */
export interface ClientMetadata {
  readonly token_endpoint_auth_method?: string | undefined
  readonly id_token_signed_response_alg?: string | undefined
  readonly userinfo_signed_response_alg?: string | undefined
  /** Seconds since the visitor last proved who they are, at most. */
  readonly default_max_age?: number | undefined
  readonly require_auth_time?: boolean | undefined
  readonly [field: string]: unknown
}

/** The object that `request()` functions get, in place of openid-client's. */
export interface ProviderClient {
  /** GET userinfo with the access token. */
  userinfo(
    accessToken: string | { access_token?: string | null | undefined } | null | undefined,
    options?: { params?: Record<string, unknown> }
  ): Promise<Profile>
  /** Exchanges the code; the checks have been made. */
  callback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  oauthCallback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  /** Any other grant at the token endpoint. */
  grant(parameters: Readonly<Record<string, string>>): Promise<TokenSet>
}

/** The provider as its own `request()` functions see it: resolved, with its addresses and whatever else was configured. */
export interface ProviderInUse extends OAuthProvider {
  readonly signinUrl: string
  readonly callbackUrl: string
  readonly [field: string]: unknown
}

export interface TokenRequestContext {
  readonly provider: ProviderInUse
  /** What the callback brought, with the endpoint's own `params`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly checks: Readonly<Record<string, string | undefined>>
  readonly client: ProviderClient
}

export interface UserinfoRequestContext {
  readonly provider: ProviderInUse
  readonly tokens: TokenSet
  readonly client: ProviderClient
}

/** One endpoint of a provider: its address, parameters of its own, and the function that replaces the call. */
export interface Endpoint<Context = never, Result = never> {
  readonly url: string | null
  readonly params: Readonly<Record<string, string>>
  readonly request: ((context: Context) => Awaitable<Result>) | null
}

/** A JSON Web Key (RFC 7517 §4), as far as we look at it. */
export interface Jwk {
  readonly kty: string
  readonly kid?: string | undefined
  readonly alg?: string | undefined
  readonly crv?: string | undefined
  readonly [member: string]: unknown
}

/** A key as WebCrypto has it. */
export type WebKey = InstanceType<typeof CryptoKey>

/**
 * A key of ours that signs client assertions, with its name where the provider knows several. A text is a private key
 * as PEM (PKCS #8: `-----BEGIN PRIVATE KEY-----`); RSA keys sign with RS256.
 */
export type ClientKey = WebKey | string | { readonly key: WebKey | string; readonly kid?: string } | Jwk

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
  readonly clientKey: ClientKey | null
  /** The issuer as configured; discovery compares with it. */
  readonly issuer: string | null
  /** Where the metadata document is, or `null` where all endpoints are given. */
  readonly wellKnown: string | null
  readonly authorization: Endpoint
  readonly token: Endpoint<TokenRequestContext, { readonly tokens: TokenSet }>
  readonly userinfo: Endpoint<UserinfoRequestContext, Profile>
  /** Rewrites the answer of the token endpoint before it is read, where a provider answers in a way of its own. */
  readonly conformTokens: ((answer: Response) => Awaitable<Response | undefined>) | null
  readonly jwksUri: string | null
  /** The provider's keys where the application names them itself; nothing is fetched then. */
  readonly keys: readonly Jwk[] | null
  /** Whether an ID Token is expected, and verified. */
  readonly idToken: boolean
  /** Whether the profile is userinfo, also where an ID Token comes. */
  readonly profileFromUserinfo: boolean
  /** `state` is sent always; these besides. */
  readonly pkce: boolean
  readonly nonce: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<ProfileUser>
  /** Chooses what the account row keeps of the tokens; `null` keeps the standard fields. */
  readonly account: ((tokens: TokenSet) => Awaitable<Readonly<Record<string, unknown>> | undefined>) | null
  readonly hooks: ProviderHooks
  readonly style: ProviderStyle | null
  readonly allowDangerousEmailAccountLinking: boolean
  /** Whether every address of this provider has been proven to it. */
  readonly verifiesEmail: boolean
  readonly allowInsecureRequests: boolean
  /** Milliseconds. */
  readonly timeout: number
  /** Makes this provider's calls in place of the runtime's `fetch`: a proxy, or requests of a kind of their own. */
  readonly fetch: ((url: string, init: RequestInit) => Promise<Response>) | null
  /** Everything that was configured, for the provider's own functions. */
  readonly given: Readonly<Record<string, unknown>>
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
