import type { ada } from '../subjects/subject.ts'

/** The user as the session shows them. */
export interface SessionUser {
  readonly name: string | null
  readonly email: string | null
  readonly image: string | null
}

export interface Session {
  readonly user: SessionUser
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** A session of a request. */
export interface FoundSession extends Session {
  /** The cookie of the same session with a new end, if a renewal is due. */
  renew(): string | null
}

/** Where sessions are kept. */
export interface Sessions {
  read(cookies: string | undefined): FoundSession | null
}

export const cookieName = 'next-auth.session-token'
/** Seconds. */
export const maxAge: number = 30 * 24 * 60 * 60
/** Seconds. */
const updateAge = 24 * 60 * 60

/** Whether a session is extended: a day after its end was set. */
export function isRenewalDue(expires: number, now: number): boolean {
  return expires - (maxAge - updateAge) * 1000 <= now
}

/** The one person who signs in by the form. */
export type Person = typeof ada
