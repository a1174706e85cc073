import type { Remembered } from '../hooks/session-lifetime.ts'

/** The lifetime of sessions, in seconds. */
export interface Lifetime {
  readonly maxAge: number
  readonly updateAge: number
  /** The maximum age of a session since sign-in, which no renewal exceeds; `null` for no limit. */
  readonly absoluteMaxAge: number | null
  /** Whether `maxAge` limits the time without use, also of sessions that were written with a longer lifetime. */
  readonly isIdleLimited: boolean
}

/** @returns The lifetime that a sign-in set for its session: a shorter session is renewed more often. */
export function resolveLifetime(lifetime: Lifetime, remembered: Remembered): Lifetime {
  if (!remembered) return lifetime
  const maxAge = Math.min(remembered, lifetime.maxAge)
  return { ...lifetime, maxAge, updateAge: Math.min(lifetime.updateAge, Math.floor(maxAge / 2)) }
}

/** @returns The expiry of a session that is used now, capped by the absolute limit. */
export function nextExpiry(now: number, startedAt: Date | null, { maxAge, absoluteMaxAge }: Lifetime): Date {
  const rolling = now + maxAge * 1000
  const limit = startedAt && absoluteMaxAge !== null ? startedAt.getTime() + absoluteMaxAge * 1000 : rolling
  return new Date(Math.min(rolling, limit))
}

/** @returns The expiry of a token that was written at `writtenAt`, limited by the idle timeout. */
export function limitIdle(expires: Date, writtenAt: Date | null, { isIdleLimited, maxAge }: Lifetime): Date {
  if (!isIdleLimited || writtenAt === null) return expires
  return new Date(Math.min(expires.getTime(), writtenAt.getTime() + maxAge * 1000))
}

/** Allows for the clocks of other servers. */
const margin = 60_000

/** @returns Whether the expiry of a stored session is later than a session may be idle. */
export function exceedsIdle(expires: Date, latest: Date, { isIdleLimited }: Lifetime): boolean {
  return isIdleLimited && expires.getTime() > latest.getTime() + margin
}

/** @returns Whether the session has expired. */
export function isExpired(now: number, expires: Date, startedAt: Date | null, { absoluteMaxAge }: Lifetime): boolean {
  if (expires.getTime() <= now) return true
  return startedAt !== null && absoluteMaxAge !== null && startedAt.getTime() + absoluteMaxAge * 1000 <= now
}

/**
 * Whether a session that was written at `writtenAt` is due for renewal. `DatabaseSessions` and `JwtSessions` then write it with the
 * {@link nextExpiry}.
 */
export function needsRenewal(now: number, writtenAt: number, { updateAge }: Lifetime): boolean {
  return writtenAt + updateAge * 1000 <= now
}
