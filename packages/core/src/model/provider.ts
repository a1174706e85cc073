import type { AccountTokens } from './account.ts'
import type { Awaitable } from './awaitable.ts'
import type { EmailProvider } from './email-provider.ts'
import type { Profile } from './identity.ts'
import type { CredentialField, ProviderStyle } from './page.ts'
import type { ProviderTraits } from './provider-traits.ts'
import type { User } from './user.ts'

/** A token response; non-standard fields are kept for `profile` and `request` functions. */
export type TokenSet = AccountTokens & { readonly [field: string]: unknown }

/** The result of a provider's `profile` function. `id` is required; the email address is converted to lower case. */
export interface ProfileUser extends Omit<User, 'id' | 'name' | 'email' | 'image' | 'emailVerified'> {
  id: string | number
  name?: string | null | undefined
  email?: string | null | undefined
  image?: string | null | undefined
  /**
   * Whether the provider states that the email address is verified. If unset, the claim `email_verified` applies. The address is
   * only proven if the provider is trusted for it (`verifiesEmail`).
   */
  emailVerified?: boolean | Date | null
}

/** How the client authenticates at the token endpoint (OpenID Connect Core §9). */
export type ClientAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none'

/** Client metadata, with the names of RFC 7591 §2. */
export interface ClientMetadata {
  readonly token_endpoint_auth_method?: string | undefined
  readonly id_token_signed_response_alg?: string | undefined
  readonly userinfo_signed_response_alg?: string | undefined
  /** The maximum seconds since the user last authenticated. */
  readonly default_max_age?: number | undefined
  readonly require_auth_time?: boolean | undefined
  readonly [field: string]: unknown
}

/** The object that `request()` functions receive instead of openid-client's. */
export interface ProviderClient {
  /** Fetches userinfo with the access token. */
  userinfo(
    accessToken: string | { access_token?: string | null | undefined } | null | undefined,
    options?: { params?: Record<string, unknown> }
  ): Promise<Profile>
  /** Exchanges the code; the authorization response is already validated. */
  callback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  oauthCallback(redirectUri?: string, params?: unknown, checks?: unknown, extras?: unknown): Promise<TokenSet>
  /** Sends any other grant to the token endpoint. */
  grant(parameters: Readonly<Record<string, string>>): Promise<TokenSet>
}

/**
 * The provider as its own `request()` functions receive it: resolved, with its URLs and every other configured option.
 */
export interface ProviderInUse extends OAuthProvider {
  readonly signinUrl: string
  readonly callbackUrl: string
  readonly [field: string]: unknown
}

/** The argument of a `token.request` function. */
export interface TokenRequestContext {
  readonly provider: ProviderInUse
  /** The parameters of the callback, and the endpoint's own `params`. */
  readonly params: Readonly<Record<string, unknown>>
  readonly checks: Readonly<Record<string, string | undefined>>
  readonly client: ProviderClient
}

/** The argument of a `userinfo.request` function. */
export interface UserinfoRequestContext {
  readonly provider: ProviderInUse
  readonly tokens: TokenSet
  readonly client: ProviderClient
}

/** One endpoint of a provider: its URL, its parameters, and the function that replaces the call. */
export interface Endpoint<Context = never, Result = never> {
  readonly url: string | null
  readonly params: Readonly<Record<string, string>>
  readonly request: ((context: Context) => Awaitable<Result>) | null
}

/** A JSON Web Key (RFC 7517 §4); only the members that Postern reads. */
export interface Jwk {
  readonly kty: string
  readonly kid?: string | undefined
  readonly alg?: string | undefined
  readonly crv?: string | undefined
  readonly [member: string]: unknown
}

/** A WebCrypto key. */
export type WebKey = InstanceType<typeof CryptoKey>

/**
 * A private key that signs client assertions, with its `kid` if the provider knows several keys. A string is a private
 * key in PEM (PKCS #8: `-----BEGIN PRIVATE KEY-----`); RSA keys sign with RS256.
 */
export type ClientKey = WebKey | string | { readonly key: WebKey | string; readonly kid?: string } | Jwk

/** What a sign-in at a provider must prove, beyond the identity. */
export interface AuthenticationRequirements {
  /** One of these values; empty for any. */
  readonly acr: readonly string[]
  /** All of these values; empty for none. */
  readonly amr: readonly string[]
  /** The maximum seconds since the user authenticated there; `null` for any. */
  readonly maxAge: number | null
}

/** A resolved authorization server; `null` means none. */
export interface OAuthProvider {
  readonly kind: 'oauth'
  readonly traits: ProviderTraits
  readonly id: string
  readonly name: string
  readonly type: 'oauth' | 'oidc'
  readonly clientId: string
  readonly clientSecret: string | null
  readonly client: ClientMetadata
  readonly authMethod: ClientAuthMethod | null
  readonly clientKey: ClientKey | null
  /** The configured issuer; discovery compares with it. */
  readonly issuer: string | null
  /** The URL of the metadata document, or `null` if all endpoints are configured. */
  readonly wellKnown: string | null
  readonly authorization: Endpoint
  /** The parameters that the query of a sign-in request may add to the authorization request. */
  readonly allowedAuthorizationParams: readonly string[]
  readonly token: Endpoint<TokenRequestContext, { readonly tokens: TokenSet }>
  readonly userinfo: Endpoint<UserinfoRequestContext, Profile>
  /** Transforms a non-standard token response before it is parsed. */
  readonly conformTokens: ((response: Response) => Awaitable<Response | undefined>) | null
  readonly jwksUri: string | null
  /** The provider's keys if the application configures them; nothing is fetched then. */
  readonly keys: readonly Jwk[] | null
  /** Whether an ID Token is expected and verified. */
  readonly idToken: boolean
  /** Whether the profile comes from userinfo even if there is an ID Token. */
  readonly profileFromUserinfo: boolean
  /** Additional checks; `state` is always sent. */
  readonly pkce: boolean
  readonly nonce: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<ProfileUser>
  /** Selects the token fields that the account row stores; `null` selects the standard fields. */
  readonly account: ((tokens: TokenSet) => Awaitable<Readonly<Record<string, unknown>> | undefined>) | null
  readonly hooks: ProviderHooks
  readonly style: ProviderStyle | null
  readonly allowDangerousEmailAccountLinking: boolean
  /** Whose email addresses the provider proves: all (`true`), or those of these domains, in lower case. */
  readonly verifiesEmail: true | readonly string[]
  /** Whether a sign-in counts as a fresh authentication although the provider does not state when the user authenticated. */
  readonly assumeFresh: boolean
  /** What every sign-in must prove. */
  readonly requires: AuthenticationRequirements
  /** Whether logout tokens must have the type `logout+jwt`. */
  readonly requireLogoutTokenType: boolean
  readonly allowInsecureRequests: boolean
  /** Milliseconds. */
  readonly timeout: number
  /** Replaces the runtime's `fetch` for this provider, for example to use a proxy. */
  readonly fetch: ((url: string, init: RequestInit) => Promise<Response>) | null
  /** The complete configuration, for the provider's own functions. */
  readonly given: Readonly<Record<string, unknown>>
}

/** The request as passed to `authorize`. */
export interface AuthorizeRequest {
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly method: string
}

/** A provider that signs users in with the application's own form. */
export interface CredentialsProvider {
  readonly kind: 'credentials'
  readonly traits: ProviderTraits
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly fields: readonly CredentialField[]
  /** The field with the username, for the password rate limits, or `null` if the form has none. */
  readonly identifierField: string | null
  /** Fields that the form does not declare; their values are counted too, because `authorize` may read them. */
  readonly otherIdentifierFields: readonly string[]
  /** What `authorize` verifies, as values of `amr` (RFC 8176). */
  readonly amr: readonly string[]
  /** Whether the field with the username was guessed. */
  readonly isIdentifierGuessed: boolean
  /** Replaces the default normalization of identifiers, for counting only. */
  readonly normalizeIdentifier: ((value: string) => unknown) | null
  readonly authorize: (credentials: Readonly<Record<string, string>>, request: AuthorizeRequest) => Awaitable<unknown>
}

/** A sign-in method of a feature, as a provider; the registry of features has its functions. */
export interface FeatureProvider {
  readonly kind: 'feature'
  readonly traits: ProviderTraits
  readonly id: string
  readonly name: string
  readonly type: string
}

/** The kinds of providers. Adding a kind makes its handler mandatory. */
export interface ProviderKinds {
  readonly oauth: OAuthProvider
  readonly email: EmailProvider
  readonly credentials: CredentialsProvider
  readonly feature: FeatureProvider
}

/** A resolved provider, of one kind or any. */
export type Provider<K extends keyof ProviderKinds = keyof ProviderKinds> = {
  [P in K]: { readonly kind: P } & ProviderKinds[P]
}[K]

/** A request of the protocol before it is sent. The provider's limits apply, whatever a hook changes. */
export interface OutboundCall {
  readonly method: string
  readonly url: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The context of `afterProfile`. */
export interface ProfileContext {
  readonly provider: OAuthProvider
  readonly tokens: TokenSet
  /** The parameters of the callback except the code. The user can change them, so they prove nothing. */
  readonly response: URLSearchParams
  /** The metadata of the provider. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Sends a GET request with the access token, within the provider's limits. Any status except 200 throws. */
  readonly get: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
}

/** A refresh that the token endpoint refused. */
export interface RefusedRefresh {
  readonly status: number
  /** The code of the server, such as `invalid_grant`; `null` if the response has none. */
  readonly error: string | null
  /** The parsed response. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A sign-out at the provider, before the browser is sent there. */
export interface EndSessionCall {
  /** The end session endpoint of the metadata; `null` if there is none. */
  readonly url: string | null
  /** The parameters of OpenID Connect RP-Initiated Logout 1.0. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One region of a provider. */
export interface Region {
  /** Precedes the account ids of this region, because regions may issue equal ones. */
  readonly id: string
  readonly token: string
  readonly userinfo: string
}

/** The regions of a provider, one of which the callback names. */
export interface Regions {
  /** The parameter of the callback. Without it, the endpoints of the provider apply. */
  readonly parameter: string
  /** The regions by the value of the parameter; `null` for that of the provider's own endpoints. */
  readonly byValue: Readonly<Record<string, Region | null>>
}

/** The functions of a provider that is otherwise data. A hook's result is validated like a response of the provider. */
export interface ProviderHooks {
  /**
   * Changes the request to the token endpoint. `redirectUri` is `null` for a refresh if the origin is taken from the
   * request.
   */
  readonly tokenRequest?:
    | ((call: OutboundCall, provider: OAuthProvider, redirectUri: string | null) => Awaitable<OutboundCall>)
    | undefined
  /** Transforms the token response before it is parsed. */
  readonly tokenResponse?: ((response: Response, provider: OAuthProvider) => Awaitable<Response>) | undefined
  /** Changes the userinfo request of a provider without ID Tokens. */
  readonly userinfoRequest?:
    | ((call: OutboundCall, tokens: TokenSet, provider: OAuthProvider) => Awaitable<OutboundCall>)
    | undefined
  /** Completes or unwraps the raw profile. */
  readonly afterProfile?: ((profile: Profile, context: ProfileContext) => Awaitable<Profile>) | undefined
  /** Transforms the metadata document. With this hook, the document may name any issuer on its own server. */
  readonly discoveryResponse?: ((response: Response, provider: OAuthProvider) => Awaitable<Response>) | undefined
  /**
   * Returns the id that next-auth v4 stored for this user, or `null` if there is none. Accounts with that id get the id of
   * `profile` at the next sign-in. It must not have the form of an id of `profile`: it would name the account of another user.
   */
  readonly formerAccountId?: ((profile: Profile) => Awaitable<string | null>) | undefined
  /**
   * Whether the provider is authoritative for the email address of this profile, such as the owner of its domain. `verifiesEmail`
   * replaces it. @defaultValue it is not
   */
  readonly isEmailAuthority?: ((profile: Profile) => Awaitable<boolean>) | undefined
  /** Generates the client secret for each token request. `now` is in milliseconds since 1970. */
  readonly clientSecret?: ((provider: OAuthProvider, now: number) => Awaitable<string>) | undefined
  /**
   * Whether a refused refresh says that the grant is over; `null` leaves the decision to the general rule: `invalid_grant`, or
   * a response of status 4xx that names neither the client nor a limit.
   */
  readonly isGrantOver?: ((refused: RefusedRefresh) => boolean | null) | undefined
  /** Whether an authorization response with an error says that the user canceled, in addition to `access_denied`. */
  readonly isCanceled?: ((response: URLSearchParams) => boolean) | undefined
  /** Changes the sign-out at the provider. */
  readonly endSession?: ((call: EndSessionCall, provider: OAuthProvider) => Awaitable<EndSessionCall>) | undefined
  /** The regions of a provider that names the region of the user in the callback; it may name no other. */
  readonly regions?: Regions | undefined
}
