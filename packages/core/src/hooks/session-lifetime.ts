import { describeKind, UserCodeError } from '../errors/user-code.ts'

/** The lifetime of one session if its sign-in sets it: seconds, or 0 until the browser is closed. */
export type Remembered = number | null

/**
 * Converts the result of `session.remember` to a lifetime.
 *
 * @returns `null` for the configured lifetime.
 * @throws UserCodeError if it is neither a boolean nor a number of seconds.
 */
export function parseSessionLifetime(answer: unknown): Remembered {
  if (answer === true) return null
  if (answer === false) return 0
  if (typeof answer === 'number' && Number.isFinite(answer) && answer >= 1) return Math.floor(answer)
  throw new UserCodeError(
    `session.remember returned ${describeKind(answer)}, expected true, false or a number of seconds`
  )
}
