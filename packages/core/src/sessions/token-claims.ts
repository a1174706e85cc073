import { ForeignError, kindOf } from '../errors/user-code.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Remembered } from '../hooks/remember.ts'
import type { Token } from '../model/session.ts'
import { subjectOf } from '../tokens/session-jwt.ts'
import type { Revocable } from './revocation-list.ts'
import type { Admission, SignedIn } from './strategy.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Seconds since 1970 as a date. */
export function toDate(seconds: unknown): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}

export function signedInOf(token: Token): SignedIn | null {
  const { name, email, auth_time, iat } = token
  const userId = subjectOf(token)
  return userId === null ? null : { userId, name: text(name), email: text(email), since: toDate(auth_time ?? iat) }
}

/** How long the session of a token lasts, where its sign-in said so. */
export function rememberedOf({ session_age }: Token): Remembered {
  return typeof session_age === 'number' ? session_age : null
}

/** The id of the session of a token; one from before sessions had names goes by its own. */
export function sessionIdOf({ session_id, jti }: Token): string | null {
  return text(session_id) ?? text(jti)
}

/** What says whether a token was revoked. */
export function revocableOf(token: Token): Revocable {
  const { session_version } = token
  return {
    userId: subjectOf(token) ?? '',
    sessionId: sessionIdOf(token),
    version: typeof session_version === 'number' ? session_version : 0
  }
}

/** Claims that outlive every change of a token: when they signed in, and for how long. */
export function keptClaims({ iat, auth_time = iat, session_age }: Token): Token {
  return {
    ...(auth_time ? { auth_time } : {}),
    ...(session_age === undefined ? {} : { session_age })
  }
}

/** @throws ForeignError the callback returned what is no token. */
export function tokenOf(answer: unknown): Token {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return { ...answer }
  throw new ForeignError(`callbacks.jwt returned ${kindOf(answer)}, not a token`)
}

/** @returns The token of somebody who signs in, as the `jwt` callback wants it. @throws ForeignError */
export async function signInToken(
  { user, account, profile, isNewUser, remembered }: Admission,
  jwt: Hooks['jwt'],
  now: number
): Promise<Token> {
  const { id, name = null, email = null, image = null } = user
  const signIn: Token = { name, email, picture: image, sub: id }
  const trigger = isNewUser ? 'signUp' : 'signIn'
  const question = { token: signIn, user, account, isNewUser, trigger, ...(profile ? { profile } : {}) } as const
  const answer: unknown = jwt ? await jwt(question) : signIn
  const age = remembered === null ? {} : { session_age: remembered }
  const token: Token = { ...tokenOf(answer), auth_time: Math.floor(now / 1000), ...age }
  // A token that does not say whose it is would be nobody's session.
  return subjectOf(token) === null ? { ...token, sub: id } : token
}
