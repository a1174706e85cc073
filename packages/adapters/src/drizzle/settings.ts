import { DatabaseError } from '../database-error.ts'

/**
 * A setting of a connection that reading or writing relies on. Each dialect lists its own: they are set on the connections
 * that Postern opens, and checked at startup, since the application may have opened them.
 */
export interface Setting {
  readonly name: string
  /** SQL for its value, as text. */
  readonly read: string
  /** SQL for the value on connections that Postern opens; `null` if those always have an accepted one. */
  readonly value: string | null
  readonly accepts: (value: string) => boolean
  /** The accepted values, for the message. */
  readonly expected: string
  /** How the application corrects another value. */
  readonly hint: string
}

/**
 * @param values - The value of each setting.
 * @throws DatabaseError with every setting that has another value.
 */
export function requireSettings(of: string, settings: readonly Setting[], values: readonly string[]): void {
  const wrong = settings.flatMap(({ name, accepts, expected, hint }, index) => {
    const value = values[index] ?? ''
    return accepts(value) ? [] : [`${name} to be ${expected}, got '${value}' (${hint})`]
  })
  if (wrong.length > 0) throw new DatabaseError('Setting', `${of}: expected ${wrong.join('; ')}`)
}
