import { describeKind, UserCodeError } from '../errors/user-code.ts'

/** The lifetime of one session if its sign-in sets it: seconds, or 0 until the browser is closed. */
export type Remembered = number | null

/**
 * Converts the result of `session.remember` to a lifetime.
 *
 * @returns `null` for the configured lifetime.
 * @throws UserCodeError if it is neither a boolean nor a number of seconds.
 */
export function parseSessionLifetime(result: unknown): Remembered {
  if (result === true) return null
  if (result === false) return 0
  if (typeof result === 'number' && Number.isFinite(result) && result >= 1) return Math.floor(result)
  throw new UserCodeError(
    `session.remember returned ${describeKind(result)}, expected true, false or a number of seconds`
  )
}
