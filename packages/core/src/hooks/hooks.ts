import { describeKind, UserCodeError } from '../errors/user-code.ts'
import type { Account } from '../model/account.ts'
import type { Authentication } from '../model/authentication.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Profile } from '../model/identity.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Session, Token } from '../model/session.ts'
import type { SessionClaims } from '../model/session-claims.ts'
import type { User } from '../model/user.ts'

/** The argument of the `signIn` callback. */
export interface SignInCallbackInput {
  readonly user: User
  readonly account: Account
  /** The provider's raw claims (OAuth). */
  readonly profile?: Profile
  /** Set when a sign-in mail is requested, before it is sent. */
  readonly email?: { readonly verificationRequest: true }
  /** The whole posted body (credentials). */
  readonly credentials?: Readonly<Record<string, unknown>>
  /**
   * Whether the sign-in creates a user: nobody has the account or the address, and nobody is signed in. `false` if the
   * application names the user (credentials), and without an adapter.
   */
  readonly isNewUser: boolean
}

/** The argument of the `jwt` callback. */
export interface JwtCallbackInput {
  readonly token: Token
  /** Set at sign-in only. */
  readonly user?: User
  readonly account?: Account | null
  readonly profile?: Profile
  readonly trigger?: 'signIn' | 'signUp' | 'update'
  readonly isNewUser?: boolean
  /** The data that the client sent (`trigger: 'update'`). */
  readonly session?: unknown
}

/** The argument of the `session` callback. */
export interface SessionCallbackInput {
  readonly session: Session
  /** Set with JWT sessions. */
  readonly token?: Token
  /** With database sessions. */
  readonly user?: User
  /** The data that the client sent (`trigger: 'update'`, database sessions). */
  readonly newSession?: unknown
  readonly trigger?: 'update'
  /** The claims of features, by the id of the feature; set if there are any. */
  readonly claims?: SessionClaims
}

/** The second argument of the `session` callback; the first is next-auth's. */
export interface SessionContext {
  /** Reads how the user was authenticated. With database sessions, this takes a query. */
  readonly getAuthentication: () => Promise<Authentication | null>
}

/**
 * The signatures of the callbacks. They are methods, because next-auth v4's types declare fields that only some calls
 * have, and method parameters are bivariant.
 */
interface Callbacks {
  signIn(question: SignInCallbackInput): Awaitable<boolean | string>
  jwt(question: JwtCallbackInput): Awaitable<Token | null>
  session(question: SessionCallbackInput, context: SessionContext): Awaitable<Session>
}

/** The callbacks of the application, as next-auth v4's `callbacks`. */
export interface Hooks {
  /** `null` if the application defines none: what only the callback needs is not read. */
  readonly signIn: Callbacks['signIn'] | null
  /** `null` if the application defines none: users stay on its origin. */
  readonly redirect: ((question: { readonly url: string; readonly baseUrl: string }) => Awaitable<string>) | null
  /** `null` if the application defines none: the token is then not checked for changes. */
  readonly jwt: Callbacks['jwt'] | null
  readonly session: Callbacks['session'] | null
  /** `null` if every session lasts as long as configured. */
  readonly remember: ((question: SignInCallbackInput) => Awaitable<boolean | number>) | null
}

/** The application defines the session; it only has to be an object. */
function isSession(value: unknown): value is Session {
  return isJsonObject(value)
}

const isOmittedByJson = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

/** Whether `GET /session` sends `{}` for this object, which clients of next-auth v4 read as signed out. */
function isEmptySession(session: object): boolean {
  if (!('toJSON' in session) || typeof session.toJSON !== 'function')
    return Object.values(session).every(isOmittedByJson)
  const text: string | undefined = JSON.stringify(session)
  return text === undefined || text === '{}' || !text.startsWith('{')
}

/**
 * Validates the result of the `session` callback: a session, or `null` for signed out. An empty object means signed
 * out, as next-auth v4's `getServerSession` returns `null` for it.
 *
 * @throws UserCodeError if it returned anything else.
 */
export function parseCallbackSession(result: unknown): Session | null {
  if (result === null) return null
  if (isSession(result)) return isEmptySession(result) ? null : result
  throw new UserCodeError(`callbacks.session returned ${describeKind(result)}, not a session`)
}
