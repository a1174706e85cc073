import { describeKind, UserCodeError } from '../errors/user-code.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Remembered } from '../hooks/session-lifetime.ts'
import {
  type Authentication,
  type AuthenticationContext,
  parseStoredAuthentication,
  toStoredAuthentication
} from '../model/authentication.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Token } from '../model/session.ts'
import type { User } from '../model/user.ts'
import { parseSubject } from '../tokens/session-jwt.ts'
import { type Impersonation, parseActorClaim, toActorClaim } from './impersonation.ts'
import type { Revocable } from './revocation-list.ts'
import type { NewSession, Principal } from './strategy.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Converts seconds since 1970 to a date. */
export function toDate(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}

/** Seconds that clocks of servers may differ. */
const clockDifference = 10

/** @returns A time in a token, or `null` if it is no time, or later than the token itself: milliseconds, for example. */
function parseTime(value: unknown, { iat }: Token): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  return typeof iat === 'number' && value > iat + clockDifference ? null : value
}

/**
 * The user who signed in. A `jwt` callback may write another `sub`, which is the application's: sessions are ended, linked and
 * listed by the stored user.
 */
function getUserId(token: Token): string | null {
  return text(token['session_user']) ?? parseSubject(token)
}

/**
 * The user of a token. The time of the sign-in is unknown for tokens of next-auth: their `iat` is the last renewal, and what an
 * application wrote to `auth_time` was not verified.
 */
export function getPrincipal(token: Token): Principal | null {
  const { name, email, auth_time, session_auth } = token
  const userId = getUserId(token)
  if (userId === null) return null
  const authenticatedAt = isJsonObject(session_auth) ? toDate(parseTime(auth_time, token)) : null
  return {
    userId,
    actor: getImpersonation(token)?.actor ?? null,
    name: text(name),
    email: text(email),
    signedInAt: getSignInTime(token),
    authenticatedAt,
    storedUser: null
  }
}

/** Who impersonates the user of a token; `null` if the user signed in. */
export function getImpersonation({ session_actor }: Token): Impersonation | null {
  return session_actor === undefined ? null : parseActorClaim(session_actor)
}

/** Whether the claim of an impersonation cannot be read: such a token is no session. */
export function isDamaged(token: Token): boolean {
  return token['session_actor'] !== undefined && getImpersonation(token) === null
}

/** When the sign-in of a token took place; `null` for tokens of other libraries. */
function getSignInTime(token: Token): Date | null {
  const { auth_time, session_auth } = token
  const start = isJsonObject(session_auth) ? parseTime(session_auth['start'], token) : null
  return toDate(start ?? parseTime(auth_time, token))
}

/** How the user of a token was authenticated; `null` for a token without a user. */
export function getAuthentication(token: Token): Authentication | null {
  const principal = getPrincipal(token)
  if (!principal) return null
  const { userId, actor, authenticatedAt: authTime } = principal
  return parseStoredAuthentication(token['session_auth'], { userId, actor, sessionId: getSessionId(token), authTime })
}

/** When a token's session began, as far as that is known: its lifetime counts from here. */
export function getSessionStart(token: Token): Date | null {
  const { session_start, iat } = token
  return getSignInTime(token) ?? toDate(parseTime(session_start, token) ?? iat)
}

/** The lifetime of a token's session, if its sign-in set one. */
export function getSessionAge({ session_age }: Token): Remembered {
  return typeof session_age === 'number' ? session_age : null
}

/** The id of a token's session; the token's own id for sessions from before ids existed. */
export function getSessionId({ session_id, jti }: Token): string | null {
  return text(session_id) ?? text(jti)
}

/** The version of a token; a token of next-auth has the time at which it was written. */
function getVersion({ session_version, iat }: Token): number {
  if (typeof session_version === 'number') return session_version
  return typeof iat === 'number' ? iat * 1000 : 0
}

/** The claims that decide whether a token was revoked. */
export function toRevocable(token: Token): Revocable {
  return { userId: getUserId(token) ?? '', sessionId: getSessionId(token), version: getVersion(token) }
}

/** The sessions that must not be revoked: that of a token, and that of the user who impersonates its user. */
export function toRevocables(token: Token): readonly [own: Revocable, ...actor: readonly Revocable[]] {
  const impersonation = getImpersonation(token)
  const own = toRevocable(token)
  if (!impersonation) return [own]
  const { actor, sessionId, version } = impersonation
  return [own, { userId: actor.userId, sessionId, version }]
}

/** Names the user who signed in, if the `sub` of the token is another one. */
export function userClaim(userId: string | null, token: Token): Token {
  return userId === null || userId === parseSubject(token) ? {} : { session_user: userId }
}

/** Claims that survive every update of a token: time of sign-in, actor, lifetime, application, user, and claims of features. */
export function keptClaims(token: Token): Token {
  const { iat, session_actor, session_age, session_app, session_auth, session_claims } = token
  const auth_time = parseTime(token['auth_time'], token)
  const session_start = parseTime(token['session_start'], token) ?? iat
  return {
    ...(auth_time !== null ? { auth_time } : {}),
    ...(auth_time === null && !session_auth && session_start ? { session_start } : {}),
    ...(session_auth === undefined ? {} : { session_auth }),
    ...(session_actor === undefined ? {} : { session_actor }),
    ...(session_age === undefined ? {} : { session_age }),
    ...(session_app === undefined ? {} : { session_app }),
    ...(session_claims === undefined ? {} : { session_claims })
  }
}

/** @throws UserCodeError if the callback did not return an object. */
export function parseCallbackToken(result: unknown): Token {
  if (isJsonObject(result)) return { ...result }
  throw new UserCodeError(`callbacks.jwt returned ${describeKind(result)}, not a token`)
}

/** The claims that only a sign-in sets. */
function authenticationClaims(
  authentication: AuthenticationContext,
  startedAt: number,
  impersonation: Impersonation | null
): Token {
  const { authTime } = authentication
  const start = Math.floor(startedAt / 1000)
  if (impersonation) return { session_auth: { start }, session_actor: toActorClaim(impersonation) }
  const session_auth = { ...toStoredAuthentication(authentication), ...(authTime === start ? {} : { start }) }
  return { ...(authTime === null ? {} : { auth_time: authTime }), session_auth }
}

/** The claims that only Postern sets. A callback that copies a profile or the data of a client must not replace them. */
const ownClaims: ReadonlySet<string> = new Set([
  'session_actor',
  'session_age',
  'session_app',
  'session_auth',
  'session_claims',
  'session_start',
  'session_user'
])

/** The claims that the `jwt` callback returned, without those that only Postern sets. */
export function withoutOwnClaims(token: Token): Token {
  return Object.fromEntries(Object.entries(token).filter(([name]) => !ownClaims.has(name)))
}

function withoutAuthTime({ auth_time: _, ...claims }: Token): Token {
  return claims
}

/**
 * @param hasUsers - Whether users are stored: otherwise `sub` is the only id of the user.
 * @returns The token of a continuing session, after the `jwt` callback: who signed in, when and how does not change.
 */
export function continuedToken(before: Token, returned: Token, hasUsers: boolean): Token {
  const { sub } = before
  const own = withoutOwnClaims(returned)
  // Tokens of next-auth may have a claim of the application with this name.
  const changed = before['session_auth'] === undefined ? own : withoutAuthTime(own)
  const token: Token = { ...changed, ...(parseSubject(changed) === null ? { sub } : {}), ...keptClaims(before) }
  return { ...token, ...(hasUsers ? userClaim(getUserId(before), token) : {}) }
}

/** The claims of a user who signs in. As in next-auth v4, the session has no claim for a field that the user lacks. */
function toUserClaims({ id, name, email, image }: User): Token {
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(image === undefined ? {} : { picture: image }),
    sub: id
  }
}

/** What the token of a sign-in states that no callback changes. */
interface SignInBasis {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly signedInAt: number
}

/**
 * @param basis - From before the `jwt` callback, which receives the user, and may take long.
 * @param returned - The claims of {@link callJwt}; `null` without the callback.
 * @returns The token of a user who signs in.
 */
export function createSignInToken(newSession: NewSession, basis: SignInBasis, returned: Token | null): Token {
  const { user, remembered, authentication, claims, continues, impersonation, store } = newSession
  const { userId, signedInAt } = basis
  const token: Token = {
    ...(returned ?? toUserClaims(user)),
    ...authenticationClaims(authentication, continues?.startedAt?.getTime() ?? signedInAt, impersonation),
    ...(remembered === null ? {} : { session_age: remembered }),
    ...(claims === null ? {} : { session_claims: claims })
  }
  // A token without a subject would be a session without a user.
  if (parseSubject(token) === null) return { ...token, sub: userId }
  // Without the callback, the subject is the user.
  return returned && store ? { ...token, ...userClaim(userId, token) } : token
}

/** @returns The claims that the `jwt` callback may set at a sign-in. @throws UserCodeError */
export async function callJwt(
  jwt: NonNullable<Hooks['jwt']>,
  { user, account, profile, isNewUser }: NewSession
): Promise<Token> {
  const trigger = isNewUser ? 'signUp' : 'signIn'
  const token = toUserClaims(user)
  // A copy: the session is recorded with the account that was proven.
  const question = { token, user, account: { ...account }, isNewUser, trigger } as const
  const result: unknown = await jwt(profile ? { ...question, profile } : question)
  return withoutAuthTime(withoutOwnClaims(parseCallbackToken(result)))
}
