import type { AdapterUser } from '../adapter/adapter.ts'
import type { SignInQuestion } from '../hooks/hooks.ts'
import type { Account } from '../model/account.ts'
import type { Profile } from '../model/identity.ts'
import type { Session, Token } from '../model/session.ts'
import type { User } from '../model/user.ts'

type Awaitable<T> = T | Promise<T>

/** What a client has sent, as `JSON.parse` gives it: check it before you use it. */
export type Sent = ReturnType<typeof JSON.parse>

/** What the `jwt` callback is called with; the types are next-auth v4's. */
export interface JwtParameters {
  token: Token
  /** At sign-in; `undefined` at every other call. */
  user: User
  /** At sign-in; `undefined` at every other call. */
  account: Account | null
  /** At sign-in at a provider: its claims. */
  profile?: Profile
  trigger?: 'signIn' | 'signUp' | 'update'
  isNewUser?: boolean
  /** What the client sent (`trigger: 'update'`). */
  session?: Sent
}

/** What the `session` callback is called with; the types are next-auth v4's. */
export interface SessionParameters {
  session: Session
  /** With signed-token sessions; `undefined` with database sessions. */
  token: Token
  /** With database sessions; `undefined` with signed-token sessions. */
  user: AdapterUser
  /** What the client sent (`trigger: 'update'`, database sessions). */
  newSession: Sent
  trigger: 'update'
}

/** The callbacks as methods: one that asks for narrower types than ours, as next-auth's are in places, fits as well. */
interface Callbacks {
  /** Whether this sign-in may go on; a text sends the visitor there instead. @defaultValue always */
  signIn(question: SignInQuestion): Awaitable<boolean | string>
  /** Where a visitor may be sent. @defaultValue addresses of our own origin */
  redirect(question: { readonly url: string; readonly baseUrl: string }): Awaitable<string>
  /** What the session token holds. */
  jwt(parameters: JwtParameters): Awaitable<Token>
  /** What visitors see of their session. */
  session(parameters: SessionParameters): Awaitable<Session>
}

/** The application's say in a sign-in, as next-auth v4's `callbacks`. */
export type CallbackOptions = { readonly [Name in keyof Callbacks]?: Callbacks[Name] | undefined }
