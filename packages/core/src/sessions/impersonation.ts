import { AuthError } from '../errors/auth-error.ts'
import type { Actor } from '../model/authentication.ts'
import { isJsonObject } from '../model/json-object.ts'

/** What a session is bound to in which one user acts as another. It ends with the session of the actor. */
export interface Impersonation {
  readonly actor: Actor
  /** The id of the actor's session, as in the list of sessions. */
  readonly sessionId: string
  /** The version of the actor's revocations, for JWT sessions; 0 for database sessions. */
  readonly version: number
  /** When it ends at the latest, in seconds since 1970. No renewal changes it. */
  readonly until: number
}

/** The maximum duration of an impersonation, in seconds. */
export const maxImpersonation = 3600

/** @returns The error for what only the user may do, and not another user who acts as them. @param what - For the log. */
export function createImpersonationError(what: string): AuthError {
  return new AuthError('ImpersonationForbidden', `${what} is not available while a user is impersonated`)
}

/** The claim of a JWT session. */
export function toActorClaim({ actor, sessionId, version, until }: Impersonation): object {
  return { sub: actor.userId, sid: sessionId, version, until }
}

/** Reads the claim of a JWT session. @returns `null` if it is damaged. */
export function parseActorClaim(claim: unknown): Impersonation | null {
  if (!isJsonObject(claim)) return null
  const { sub, sid, version, until } = claim
  const isValid = typeof sub === 'string' && sub !== '' && typeof sid === 'string' && sid !== ''
  if (!isValid || !Number.isSafeInteger(version) || !Number.isSafeInteger(until)) return null
  return { actor: { userId: sub }, sessionId: sid, version: Number(version), until: Number(until) }
}
