import type { Delivery, EmailProvider, VerificationRequest } from './email-provider.ts'
import type { Profile } from './identity.ts'
import type { ProviderStyle } from './page.ts'
import type {
  AuthorizeRequest,
  ClientKey,
  ClientMetadata,
  Jwk,
  ProfileUser,
  TokenRequestContext,
  TokenSet,
  UserinfoRequestContext
} from './provider.ts'
import type { ProviderHooks } from './provider-hooks.ts'
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

/** The token endpoint as next-auth and Auth.js write it. */
export type TokenEndpointConfig =
  | string
  | (Exclude<EndpointConfig<TokenRequestContext, { readonly tokens: TokenSet }>, string> & {
      /** Rewrites the answer before it is read. */
      readonly conform?: ((answer: Response) => Awaitable<Response | undefined>) | undefined
      /** Signs client assertions (`private_key_jwt`). */
      readonly clientPrivateKey?: ClientKey | undefined
    })

/** A way in through an authorization server (OAuth 2, OpenID Connect), as next-auth v4 and Auth.js describe it. */
export interface OAuthConfig {
  /** Part of the redirect URI, of account rows and of the names of environment variables. */
  readonly id: string
  /** What the button says. */
  readonly name: string
  /** `'oidc'` where an ID Token is to be expected. */
  readonly type: 'oauth' | 'oidc'
  /** @defaultValue `AUTH_<ID>_ID` */
  readonly clientId?: string | undefined
  /** @defaultValue `AUTH_<ID>_SECRET` */
  readonly clientSecret?: string | undefined
  /** The address of the metadata document, or the issuer that has it at the usual place below. */
  readonly wellKnown?: string | undefined
  /** The issuer; with `type: 'oidc'` the metadata document is found under it. */
  readonly issuer?: string | undefined
  /** Where visitors are sent, and the parameters: `scope` above all. @defaultValue what the metadata says */
  readonly authorization?: EndpointConfig | undefined
  /** Where the code is exchanged. @defaultValue what the metadata says */
  readonly token?: TokenEndpointConfig | undefined
  /** Where the profile is read. @defaultValue what the metadata says */
  readonly userinfo?: EndpointConfig<UserinfoRequestContext, Profile> | undefined
  /** Where the provider publishes its keys. @defaultValue what the metadata says */
  readonly jwks_endpoint?: string | undefined
  /** Keys: private ones sign client assertions, public ones are the provider's own and stand in for those it publishes. */
  readonly jwks?: { readonly keys: readonly Jwk[] } | undefined
  /** @defaultValue `state` always, PKCE unless left out here, `nonce` for OpenID Connect */
  readonly checks?: 'pkce' | 'state' | 'nonce' | 'none' | readonly ('pkce' | 'state' | 'nonce' | 'none')[] | undefined
  /** The client's registration, in the words of RFC 7591: how it proves itself, what answers are signed with. */
  readonly client?: ClientMetadata | undefined
  /** Sends no `nonce`, for an OpenID Provider that leaves it out of its ID Tokens. @defaultValue `false` */
  readonly expectNoNonce?: boolean | undefined
  /** Whether the profile is the ID Token's claims. @defaultValue `true` where OpenID Connect is spoken */
  readonly idToken?: boolean | undefined
  /** Makes the user of the profile; `id` is a must. @defaultValue the standard claims */
  readonly profile?: ((profile: never, tokens: TokenSet) => Awaitable<ProfileUser>) | undefined
  /** Chooses what the account row keeps of the tokens. @defaultValue the standard fields */
  readonly account?: ((tokens: TokenSet) => Awaitable<Readonly<Record<string, unknown>> | undefined>) | undefined
  /** The version of OAuth; 1.0a is refused. */
  readonly version?: string | undefined
  /** How the button looks. */
  readonly style?: ProviderStyle | undefined
  /** Whether an address that both sides have proven joins this account to its user. @defaultValue `false` */
  readonly allowDangerousEmailAccountLinking?: boolean | undefined
  /** Whether every address that this provider reports has been proven to it. @defaultValue `false` */
  readonly verifiesEmail?: boolean | undefined
  /** Allows http, loopback and private addresses: a test issuer, an intranet. @defaultValue `false` */
  readonly allowInsecureRequests?: boolean | undefined
  /** Milliseconds that a call to this provider may take. @defaultValue 5000 */
  readonly httpOptions?: { readonly timeout?: number | undefined } | undefined
  /** What of the provider is no data. */
  readonly hooks?: ProviderHooks | undefined
  /** What the user passed to the factory; merged over the rest. */
  readonly options?: object | undefined
}

/** What the factory of an OAuth provider takes: whatever is given goes over the provider's own. */
export type OAuthOptions = Partial<Omit<OAuthConfig, 'type' | 'options'>>

/** A way in through a mailed link. */
export interface EmailConfig {
  /** Part of the address of the callback. */
  readonly id: string
  /** What the sign-in page calls it. */
  readonly name: string
  /** Always `'email'`. */
  readonly type: 'email'
  /** `smtp://user:password@host:587`, or the options of a nodemailer transport. @defaultValue `EMAIL_SERVER` */
  readonly server?: MailServer | undefined
  /** Whom mails come from. @defaultValue `EMAIL_FROM` */
  readonly from?: string | undefined
  /** Seconds that a link is good for. @defaultValue `86400` */
  readonly maxAge?: number | undefined
  /** When a link needs a button: in browsers that did not ask, in every one, in none. @defaultValue `'auto'` */
  readonly confirm?: EmailProvider['confirm'] | undefined
  /**
   * Whether the mail carries a code: beside the link, not at all, or instead of it (`'only'`).
   *
   * @defaultValue `true`, or `false` where `pages.verifyRequest` is set
   */
  readonly code?: EmailProvider['code'] | undefined
  /** Sends the mail in place of ours. */
  readonly sendVerificationRequest?: ((request: VerificationRequest) => Awaitable<unknown>) | undefined
  /** Makes the token of a link. @defaultValue 32 random bytes */
  readonly generateVerificationToken?: (() => Awaitable<string>) | undefined
  /** Replaces the strict grammar; throws for what is no address. */
  readonly normalizeIdentifier?: ((identifier: string) => string) | undefined
  /** Takes domains in other letters than ASCII; they are kept, compared and sent to as A-labels. @defaultValue `false` */
  readonly internationalDomains?: boolean | undefined
  /** Hands the rendered mail to a service in place of a mail server. */
  readonly deliver?: ((delivery: Delivery) => Awaitable<unknown>) | undefined
  /** Options of its own that the service cannot do without: each has to be a text. */
  readonly needs?: readonly string[] | undefined
  /** The key of that service. @defaultValue `AUTH_<ID>_KEY` */
  readonly apiKey?: string | undefined
  /** What the user passed to the factory; merged over the rest. */
  readonly options?: object | undefined
}

/** What the factories of sending services take. */
export type MailServiceOptions = Partial<Omit<EmailConfig, 'type' | 'options' | 'server' | 'deliver' | 'needs'>>

/** A field of the credentials form; attributes beyond the named ones go to the input as they are. */
export interface CredentialInput {
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly [attribute: string]: string | number | boolean | undefined
}

/** What was posted: a text for every field of the form. `credentials()` knows which they are; a plain object does not. */
export type Posted = ReturnType<typeof JSON.parse>

/** A way in through the application's own form. */
export interface CredentialsConfig {
  readonly id: string
  readonly name: string
  readonly type: 'credentials'
  readonly credentials?: Readonly<Record<string, CredentialInput>> | undefined
  readonly authorize?: ((credentials: Posted, request: AuthorizeRequest) => Awaitable<unknown>) | undefined
  readonly options?: object | undefined
}

/** A provider object of another library; it is checked at registration. */
export interface ForeignProvider {
  readonly id: string
  readonly name: string
  readonly type: string
}

export type ProviderConfig = OAuthConfig | EmailConfig | CredentialsConfig

/**
 * What `providers` may hold: our providers, those of next-auth v4 and Auth.js, plain objects of their shape, and the
 * functions that make them, where the environment says the rest: they are called without options.
 */
export type ProviderInput = ProviderConfig | ForeignProvider | ((options: never) => ProviderConfig | ForeignProvider)
