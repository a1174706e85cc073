import type { Profile } from './identity.ts'
import type { OAuthProvider, TokenSet } from './provider.ts'

type Awaitable<T> = T | Promise<T>

/** A call of the protocol before it goes out. It goes out within the provider's limits, whatever a hook makes of it. */
export interface OutboundCall {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What `afterProfile` may use. */
export interface ProfileContext {
  readonly provider: OAuthProvider
  readonly tokens: TokenSet
  /** What the callback brought beside the code; a visitor can write it, so it proves nothing. */
  readonly answer: URLSearchParams
  /** GETs a document with the access token, in the provider's limits; any status but 200 throws. */
  readonly get: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
}

/** What of a provider is no data. Whatever a hook returns is checked as if the provider's server had sent it. */
export interface ProviderHooks {
  /** Changes the request to the token endpoint. */
  readonly tokenRequest?: ((call: OutboundCall, provider: OAuthProvider) => Awaitable<OutboundCall>) | undefined
  /** Rewrites the answer of the token endpoint before it is read. */
  readonly tokenResponse?: ((answer: Response, provider: OAuthProvider) => Awaitable<Response>) | undefined
  /** Changes the request for the profile of a provider without ID Token. */
  readonly userinfoRequest?:
    | ((call: OutboundCall, tokens: TokenSet, provider: OAuthProvider) => Awaitable<OutboundCall>)
    | undefined
  /** Completes or unwraps the raw profile. */
  readonly afterProfile?: ((profile: Profile, context: ProfileContext) => Awaitable<Profile>) | undefined
  /** Rewrites the metadata document. With this hook the document may name any issuer of its own server. */
  readonly discoveryResponse?: ((answer: Response, provider: OAuthProvider) => Awaitable<Response>) | undefined
  /** Makes the client's secret, for every token request anew. `now` is in milliseconds. */
  readonly clientSecret?: ((provider: OAuthProvider, now: number) => Awaitable<string>) | undefined
}
