import { ConfigError, checkShape, type Problem, type Shape } from '@postern/core'
import { hasMembers, isObject } from './is-object.ts'

/** The expected options of a function. */
export interface Expected {
  /** The name of the function, such as `sqliteAdapter`. */
  readonly of: string
  readonly shape: Shape
  /** The names of options in other libraries, in lower case without separators, and their names here. */
  readonly otherNames: Readonly<Record<string, string>>
  /** An example of the options: `{ file }`. */
  readonly example: string
}

/** A third-party object whose methods are called. */
interface Duck {
  readonly option: string
  /** `a pool of node-postgres` */
  readonly expected: string
  readonly methods: readonly string[]
  readonly hint: string
}

/** Describes the type of a value without its content, because a string may contain a password. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === '') return 'an empty string'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'a string'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isObject(value)) return typeof value.then === 'function' ? 'a promise' : 'an object'
  return `a ${typeof value}`
}

/** Returns the methods that a value lacks; methods that every function has do not count. */
export function getMissingMethods(value: unknown, methods: readonly string[]): readonly string[] {
  if (!hasMembers(value)) return methods
  return methods.filter(
    (name) => typeof value[name] !== 'function' || value[name] === Reflect.get(Function.prototype, name)
  )
}

/** @returns The problem of a value that lacks required methods. */
export function checkMethods(value: unknown, { option, expected, methods, hint }: Duck): Problem[] {
  const lacking = getMissingMethods(value, methods)
  if (lacking.length === 0) return []
  const came = describeType(value)
  const got = came === 'an object' ? `an object without ${lacking.join(', ')}` : came
  const message = `expected ${expected}, got ${got}; ${came === 'a promise' ? 'await it' : hint}`
  if (came === 'a promise') return [{ option, code: 'PROMISE_NOT_AWAITED', message }]
  return [{ option, code: hasMembers(value) ? 'METHODS_MISSING' : 'INVALID_TYPE', message }]
}

/** @returns The problems of unknown names, with suggestions, and of values of the wrong type. */
export function checkNames(options: unknown, { of, shape, otherNames, example }: Expected): Problem[] {
  if (!isObject(options))
    return [
      {
        option: of,
        code: 'INVALID_TYPE',
        message: `expected an object, got ${describeType(options)}; write ${example}`
      }
    ]
  const findSuggestion = (name: string): string | undefined =>
    Object.hasOwn(shape, name) ? undefined : otherNames[name.toLowerCase().replaceAll(/[_-]/g, '')]
  const entries = Object.entries(options)
  const foreign = entries.flatMap(([name]): Problem[] => {
    const meant = findSuggestion(name)
    if (meant === undefined) return []
    const suggestion = `${of}.${meant}`
    const message = `unknown option; did you mean ${suggestion}?`
    return [{ option: `${of}.${name}`, code: 'UNKNOWN_OPTION', message, suggestion }]
  })
  const rest = Object.fromEntries(entries.filter(([name]) => findSuggestion(name) === undefined))
  return [...foreign, ...checkShape(rest, shape, of)]
}

/**
 * @param signInMethods - The options of which exactly one must locate the database.
 * @returns The problem if none is given, or more than one; `found` are the problems found so far.
 */
export function checkAlternatives(
  options: Readonly<Record<string, unknown>>,
  signInMethods: readonly string[],
  { of, example }: Expected,
  found: readonly Problem[]
): Problem[] {
  const isMisspelled = found.some(({ suggestion }) => signInMethods.some((method) => suggestion === `${of}.${method}`))
  const given = signInMethods.filter((method) => options[method] !== undefined)
  if (given.length === 1 || (given.length === 0 && isMisspelled)) return []
  const expected = `expected one of ${signInMethods.join(', ')}`
  if (given.length > 1) {
    const message = `${expected}, got ${given.join(' and ')}; pass only one`
    return [{ option: of, code: 'OPTIONS_CONFLICT', message }]
  }
  const empty = signInMethods.find((method) => method in options)
  const why = empty === undefined ? `write ${example}` : `is the environment variable for ${empty} set?`
  const option = empty === undefined ? of : `${of}.${empty}`
  return [{ option, code: 'OPTION_MISSING', message: `${expected}, got nothing; ${why}` }]
}

/** @throws ConfigError with all problems, if there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigError(problems)
}
