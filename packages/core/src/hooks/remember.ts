import { ForeignError, kindOf } from '../errors/user-code.ts'

/** How long one session lasts where its sign-in says so: seconds, or 0 for as long as the browser is open. */
export type Remembered = number | null

/**
 * What `session.remember` answered, as a lifetime.
 *
 * @returns `null` for the configured lifetime.
 * @throws ForeignError neither true or false nor seconds.
 */
export function rememberedOf(answer: unknown): Remembered {
  if (answer === true) return null
  if (answer === false) return 0
  if (typeof answer === 'number' && Number.isFinite(answer) && answer >= 1) return Math.floor(answer)
  throw new ForeignError(`session.remember returned ${kindOf(answer)}, which is neither true or false nor seconds`)
}
