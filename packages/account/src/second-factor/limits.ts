import { AuthError } from '@postern/core/feature'

/**
 * The limits of guessed TOTP codes, for someone who has the first factor, with any number of sign-ins, browsers, addresses and
 * processes.
 *
 * Three of 10^6 codes are accepted at a time ({@link findStep}), so that one guess succeeds with p = 3 × 10^-6, whatever
 * was guessed before: the codes of the next step are others. An attempt is counted in the row of the factor before its code is
 * compared, so that parallel attempts count too. After 30 failures in 365 days, a code alone is not compared anymore, and after
 * 33 no code is: someone who reads the mailbox can reset a password, so that a mailed code may be no other proof than the first
 * factor. The chance of a year is at most 1 - (1 - 3 × 10^-6)^33 ≈ 33 × 3 × 10^-6 = 9.9 × 10^-5 < 10^-4.
 *
 * A right code removes its own attempt only, never the failures before it.
 */
export const maxYearlyFailures = 33

/** The failures in 365 days after which a code of the app is only compared with a mailed code. */
const maxYearlyAlone = 30

/** Seconds. */
const year = 365 * 24 * 60 * 60
const hour = 60 * 60

/** The failures in an hour, after which attempts are delayed. */
const maxHourlyFailures = 20

/** Seconds. */
const maxDelay = 30

/** More failures than any limit counts. */
const maxKept = 64

/** An attempt that failed, or is being compared. */
export interface Attempt {
  readonly id: string
  /** Seconds since 1970. */
  readonly time: number
  /** The browser, if the user has signed in with it before: its attempts are delayed separately. */
  readonly device: string | null
}

const isWithin = (seconds: number, now: number): ((attempt: Attempt) => boolean) => {
  // An attempt in the future counts, so that a clock that is set back resets nothing.
  return ({ time }) => time > now / 1000 - seconds
}

/** @returns The attempts with one more. */
export function addAttempt(attempts: readonly Attempt[], added: Attempt): readonly Attempt[] {
  return [...attempts.filter(isWithin(year, added.time * 1000)), added].slice(-maxKept)
}

/**
 * What a code is compared with: `alone` nothing else is needed, `mailed` another proof, `never` no code is compared anymore.
 *
 * @param now - Milliseconds since 1970.
 */
export function getAllowance(attempts: readonly Attempt[], now: number): 'alone' | 'mailed' | 'never' {
  const { length } = attempts.filter(isWithin(year, now))
  if (length >= maxYearlyFailures) return 'never'
  return length >= maxYearlyAlone ? 'mailed' : 'alone'
}

/**
 * The seconds until an attempt is allowed: after 20 failures in an hour, each failure doubles the time, up to 30 s. A browser
 * that the user has signed in with waits for its own failures only, so that others cannot make its user wait.
 */
export function getDelay(attempts: readonly Attempt[], device: string | null, now: number): number {
  const recent = attempts.filter(isWithin(hour, now)).filter((attempt) => attempt.device === device)
  const last = recent.at(-1)
  if (!last || recent.length < maxHourlyFailures) return 0
  const delay = Math.min(maxDelay, 2 ** (recent.length - maxHourlyFailures))
  return Math.min(maxDelay, Math.max(0, Math.ceil(last.time + delay - now / 1000)))
}

/** @throws AuthError `RateLimited` */
export function requireNoDelay(attempts: readonly Attempt[], device: string | null, now: number): void {
  const retryAfter = getDelay(attempts, device, now)
  if (retryAfter > 0)
    throw new AuthError('RateLimited', `factors: too many wrong codes; again in ${retryAfter} s`, { retryAfter })
}
