import type { Remembered } from '../hooks/remember.ts'

/** How long sessions last. Seconds. */
export interface Lifetime {
  readonly maxAge: number
  readonly updateAge: number
  /** Seconds after sign-in that no renewal goes beyond, or `null`. */
  readonly absoluteMaxAge: number | null
}

/** @returns How long a session lasts whose sign-in said so: one that ends sooner is renewed sooner. */
export function lifetimeOf(lifetime: Lifetime, remembered: Remembered): Lifetime {
  if (!remembered) return lifetime
  const maxAge = Math.min(remembered, lifetime.maxAge)
  return { ...lifetime, maxAge, updateAge: Math.min(lifetime.updateAge, Math.floor(maxAge / 2)) }
}

/** @returns When a session that is used now ends: never later than the absolute limit allows. */
export function nextExpiry(now: number, since: Date | null, { maxAge, absoluteMaxAge }: Lifetime): Date {
  const rolling = now + maxAge * 1000
  const limit = since && absoluteMaxAge !== null ? since.getTime() + absoluteMaxAge * 1000 : rolling
  return new Date(Math.min(rolling, limit))
}

/** @returns Whether the session is over at this moment. */
export function isOver(now: number, expires: Date, since: Date | null, lifetime: Lifetime): boolean {
  return expires.getTime() <= now || nextExpiry(now, since, lifetime).getTime() <= now
}

/** @returns Whether what was written at `writtenAt` is old enough to be written again. */
export function isDue(now: number, writtenAt: number, { updateAge }: Lifetime): boolean {
  return writtenAt + updateAge * 1000 <= now
}
