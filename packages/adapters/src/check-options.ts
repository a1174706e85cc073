import { ConfigError, checkShape, type Problem, type Shape } from '@postern/core'

/** What is known of the options that a function takes. */
export interface Expected {
  /** The function, as it is called: `sqliteAdapter`. */
  readonly of: string
  readonly shape: Shape
  /** What others call an option, in small letters and without lines: what it is called here. */
  readonly otherNames: Readonly<Record<string, string>>
  /** What to write where no options came: `{ file }`. */
  readonly example: string
}

/** An object of somebody else's that the methods are called of. */
interface Duck {
  readonly option: string
  /** `a pool of node-postgres` */
  readonly expected: string
  readonly methods: readonly string[]
  readonly mend: string
}

/** Whether this is an object with members by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether this may have members by name: a client may be callable as well. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'function' || isObject(value)
}

/** What came, without saying more of it than its kind: a text may hold a password. */
export function told(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === '') return 'an empty text'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isObject(value)) return typeof value.then === 'function' ? 'a promise' : 'an object'
  return `a ${typeof value}`
}

/** The methods of these that a value does not have; those that every function has count for nothing. */
export function lackingOf(value: unknown, methods: readonly string[]): readonly string[] {
  if (!hasMembers(value)) return methods
  return methods.filter(
    (name) => typeof value[name] !== 'function' || value[name] === Reflect.get(Function.prototype, name)
  )
}

/** @returns The mistake that something is that does not have the methods it is used by. */
export function checkMethods(value: unknown, { option, expected, methods, mend }: Duck): Problem[] {
  const lacking = lackingOf(value, methods)
  if (lacking.length === 0) return []
  const came = told(value)
  const got = came === 'an object' ? `an object without ${lacking.join(', ')}` : came
  return [{ option, message: `expected ${expected}, got ${got}; ${came === 'a promise' ? 'await it' : mend}` }]
}

/** @returns Unknown names, with the one that was likely meant, and values of the wrong kind. */
export function checkNames(options: unknown, { of, shape, otherNames, example }: Expected): Problem[] {
  if (!isObject(options)) return [{ option: of, message: `expected an object, got ${told(options)}; write ${example}` }]
  const meantBy = (name: string): string | undefined =>
    Object.hasOwn(shape, name) ? undefined : otherNames[name.toLowerCase().replaceAll(/[_-]/g, '')]
  const entries = Object.entries(options)
  const foreign = entries.flatMap(([name]): Problem[] => {
    const meant = meantBy(name)
    return meant === undefined
      ? []
      : [{ option: `${of}.${name}`, message: `there is no such option; did you mean ${of}.${meant}?` }]
  })
  const rest = Object.fromEntries(entries.filter(([name]) => meantBy(name) === undefined))
  return [...foreign, ...checkShape(rest, shape, of)]
}

/**
 * @param ways - The options of which one says where the database is.
 * @returns The mistake that none of them is, or more than one; `found` are the mistakes that are known already.
 */
export function checkWays(
  options: Readonly<Record<string, unknown>>,
  ways: readonly string[],
  { of, example }: Expected,
  found: readonly Problem[]
): Problem[] {
  const isMisspelt = found.some(({ message }) => ways.some((way) => message.endsWith(`did you mean ${of}.${way}?`)))
  const given = ways.filter((way) => options[way] !== undefined)
  if (given.length === 1 || (given.length === 0 && isMisspelt)) return []
  const expected = `expected one of ${ways.join(', ')}`
  if (given.length > 1) return [{ option: of, message: `${expected}, got ${given.join(' and ')}; leave one of them` }]
  const empty = ways.find((way) => way in options)
  const why =
    empty === undefined ? `write ${example}` : `is a variable of the environment that ${empty} comes from set?`
  return [{ option: empty === undefined ? of : `${of}.${empty}`, message: `${expected}, got nothing; ${why}` }]
}

/** @throws ConfigError with all of the mistakes, where there is one. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigError(problems)
}
