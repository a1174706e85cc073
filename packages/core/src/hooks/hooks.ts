import { ForeignError, kindOf } from '../errors/user-code.ts'
import type { Account } from '../model/account.ts'
import type { Profile } from '../model/identity.ts'
import type { Session, Token } from '../model/session.ts'
import type { User } from '../model/user.ts'

type Awaitable<T> = T | Promise<T>

/** What the `signIn` callback is asked about. */
export interface SignInQuestion {
  readonly user: User
  readonly account: Account
  /** The provider's raw claims (OAuth). */
  readonly profile?: Profile
  /** Present while a mail is asked for, before anything is sent. */
  readonly email?: { readonly verificationRequest: true }
  /** The whole posted body (credentials). */
  readonly credentials?: Readonly<Record<string, unknown>>
}

export interface TokenQuestion {
  readonly token: Token
  /** Only at sign-in. */
  readonly user?: User
  readonly account?: Account | null
  readonly profile?: Profile
  readonly trigger?: 'signIn' | 'signUp' | 'update'
  readonly isNewUser?: boolean
  /** What the client sent (`trigger: 'update'`). */
  readonly session?: unknown
}

export interface SessionQuestion {
  readonly session: Session
  /** With signed-token sessions. */
  readonly token?: Token
  /** With database sessions. */
  readonly user?: User
  /** What the client sent (`trigger: 'update'`, database sessions). */
  readonly newSession?: unknown
  readonly trigger?: 'update'
}

/**
 * How the callbacks are called. As methods: next-auth v4's types promise them fields that are there at some calls only,
 * and a method may be given less than it declares.
 */
interface Callbacks {
  jwt(question: TokenQuestion): Awaitable<Token>
  session(question: SessionQuestion): Awaitable<Session>
}

/** The application's say, as next-auth v4's `callbacks`; each one has a default. */
export interface Hooks {
  readonly signIn: (question: SignInQuestion) => Awaitable<boolean | string>
  readonly redirect: (question: { readonly url: string; readonly baseUrl: string }) => Awaitable<string>
  /** `null` where the application has none: the token is not looked at for changes then. */
  readonly jwt: Callbacks['jwt'] | null
  readonly session: Callbacks['session'] | null
  /** `null` where every session lasts as long as configured. */
  readonly remember: ((question: SignInQuestion) => Awaitable<boolean | number>) | null
}

/** What visitors see is the application's own; that it is an object is all that we ask. */
function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * What the `session` callback returned: a session, or `null` for nobody.
 *
 * @throws ForeignError it returned something else.
 */
export function sessionOf(answer: unknown): Session | null {
  if (answer === null || isSession(answer)) return answer
  throw new ForeignError(`callbacks.session returned ${kindOf(answer)}, not a session`)
}

/** v4's default: a path on our origin, or a URL of it; anything else is the origin itself. */
export function defaultRedirect({ url, baseUrl }: { readonly url: string; readonly baseUrl: string }): string {
  if (!URL.canParse(url, baseUrl)) return baseUrl
  const target = new URL(url, baseUrl)
  return target.origin === baseUrl ? target.href : baseUrl
}
