import type { AdapterUser } from '../adapter/adapter.ts'
import type { SessionContext, SignInCallbackInput } from '../hooks/hooks.ts'
import type { SignInAccount } from '../model/account.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Profile } from '../model/identity.ts'
import type { Session, Token } from '../model/session.ts'
import type { SessionClaims } from '../model/session-claims.ts'
import type { Unchecked } from '../model/unchecked.ts'
import type { User } from '../model/user.ts'

/** The data that a client sent, as `JSON.parse` returns it. Validate it before use. */
export type Sent = Unchecked

/** The arguments of the `signIn` callback. */
export interface SignInParameters extends Omit<SignInCallbackInput, 'account' | 'credentials'> {
  account: SignInAccount
  /** The whole posted body (credentials). */
  credentials?: Readonly<Record<string, Sent>>
}

/** The arguments of the `jwt` callback; the types are next-auth v4's. */
export interface JwtParameters {
  token: Token
  /** Set at sign-in; otherwise `undefined`. */
  user: User
  /** Set at sign-in; otherwise `undefined`. */
  account: SignInAccount | null
  /** Set at sign-in with an OAuth provider: its claims. */
  profile?: Profile
  trigger?: 'signIn' | 'signUp' | 'update'
  isNewUser?: boolean
  /** The data that the client sent (`trigger: 'update'`). */
  session?: Sent
}

/** The arguments of the `session` callback; the types are next-auth v4's. */
export interface SessionParameters {
  session: Session
  /** Set for JWT sessions; `undefined` for database sessions. */
  token: Token
  /** Set for database sessions; `undefined` for JWT sessions. */
  user: AdapterUser
  /** The data that the client sent (`trigger: 'update'`, database sessions). */
  newSession: Sent
  trigger?: 'update'
  /** What features state about the session, by the id of the feature; set if there are any. */
  claims?: SessionClaims
}

/** The callbacks as methods: a callback may declare narrower types, as some of next-auth's do. */
interface Callbacks {
  /** Whether the sign-in may continue; a string is the URL to redirect to instead. @defaultValue always */
  signIn(parameters: SignInParameters): Awaitable<boolean | string>
  /** The URL to redirect to. @defaultValue `url` if it has the application's origin, otherwise `baseUrl` */
  redirect(question: { readonly url: string; readonly baseUrl: string }): Awaitable<string>
  /** The claims of the session token; `null` ends the session. */
  jwt(parameters: JwtParameters): Awaitable<Token | null>
  /** The session that the client receives. */
  session(parameters: SessionParameters, context: SessionContext): Awaitable<Session>
  /**
   * The language of the mails that notify a user of changes of the account, as a BCP 47 tag such as `de`. The user may be new
   * or deleted, and not stored. `null` stands for the default. @defaultValue the language of the request
   */
  language(question: { readonly user: User }): Awaitable<string | null | undefined>
}

/** Callbacks of the application: next-auth v4's `callbacks`, and `language`. */
export type CallbackOptions = { readonly [Name in keyof Callbacks]?: Callbacks[Name] | undefined }
