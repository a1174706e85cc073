import { isJsonObject } from '../model/json-object.ts'
import { checkShape, describeType, type Shape } from '../schema/schema.ts'

type Arguments = Readonly<Record<string, unknown>>

function refuse(call: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new TypeError(`${call}: ${problems.join('; ')}`)
}

/**
 * Asserts that all arguments are non-empty strings. Otherwise a call could silently apply to no user, or to another
 * one.
 *
 * @param call - The name of the call, as the application writes it.
 * @throws TypeError if a value is not a string, or empty.
 */
export function assertTexts(call: string, given: Arguments): void {
  const lacking = Object.entries(given).filter(([, value]) => typeof value !== 'string' || value === '')
  refuse(
    call,
    lacking.map(([name, value]) => `expected ${name} to be a string, got ${describeType(value)}`)
  )
}

/**
 * @param required - The names that must have a value.
 * @throws TypeError for an unknown name, with the most similar known one, a value of a wrong type, and a missing value.
 */
export function assertShape(call: string, given: unknown, shape: Shape, required: readonly string[] = []): void {
  const named: Arguments = isJsonObject(given) ? given : {}
  const missing = required.filter((name) => named[name] === undefined)
  refuse(call, [
    ...checkShape(given, shape, '').map(({ option, message }) => `${option}: ${message}`),
    ...missing.map((name) => `${name}: expected a value, got nothing`)
  ])
}
