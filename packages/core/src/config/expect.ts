import { type Shape, told } from './kinds.ts'
import { checkShape } from './shape.ts'

type Arguments = Readonly<Record<string, unknown>>

function refuse(call: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new TypeError(`${call}: ${problems.join('; ')}`)
}

/**
 * For calls that would otherwise be about nobody, or about somebody else, and say nothing of it.
 *
 * @param call - Its name, as the application writes it.
 * @throws TypeError one of the values is no text, or empty.
 */
export function expectTexts(call: string, given: Arguments): void {
  const lacking = Object.entries(given).filter(([, value]) => typeof value !== 'string' || value === '')
  refuse(
    call,
    lacking.map(([name, value]) => `expected ${name} to be a text, got ${told(value)}`)
  )
}

/** @throws TypeError a name that there is not, with the one that was likely meant, or a value of a wrong kind. */
export function expectShape(call: string, given: unknown, shape: Shape): void {
  refuse(
    call,
    checkShape(given, shape, '').map(({ option, message }) => `${option}: ${message}`)
  )
}
