import type { Problem, ProblemDetail } from '../errors/config-error.ts'
import type { ProblemCode } from '../errors/problem-codes.ts'
import { isJsonObject } from '../model/json-object.ts'
import { suggest } from './suggest.ts'

/** The type of an option. */
export type Kind =
  | 'string'
  | 'strings'
  | 'seconds'
  | 'nonNegativeInteger'
  | 'boolean'
  | 'function'
  | 'object'
  | 'logger'
  | 'list'
  | 'milliseconds'
  | 'any'
  | readonly unknown[]
  | IntegerRange
  | Methods
  | Required
  | Shape

/** An integer within a range. */
interface IntegerRange {
  readonly min: number
  readonly max?: number
}

/** An object with these methods; the hint says where to get one. */
interface Methods {
  readonly methods: readonly string[]
  readonly hint: string
}

/** A group whose options are all required. */
interface Required {
  readonly allRequired: Readonly<Record<string, Kind>>
}

/** An option that other libraries have and Postern does not; the message gives the reason or the alternative. */
export interface Unsupported {
  readonly refused: string
}

/** Several kinds that are alternatives. */
export interface OneOf {
  readonly oneOf: readonly Kind[]
}

/** The options of a group with their types; several types are alternatives. */
export interface Shape {
  readonly [name: string]: Kind | OneOf | Unsupported
}

/**
 * @param text - The name for a string: another one if strings are expected.
 * @returns The type of a value, without its content.
 */
export function describeType(value: unknown, text: string = 'another string'): string {
  if (value === undefined || value === '') return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string') return text
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The maximum duration in seconds: beyond some three thousand years, browsers and databases have no date. */
export const maxSeconds = 100_000_000_000

/** The maximum delay of a timer in milliseconds; a longer timer fires immediately. */
export const maxTimerMilliseconds = 2_147_483_647

const isWithin = (value: unknown, max: number): boolean => typeof value === 'number' && value > 0 && value <= max

const levels = ['error', 'warn', 'debug']

const simple: Readonly<Record<string, { readonly name: string; readonly is: (value: unknown) => boolean }>> = {
  string: { name: 'a string', is: (value) => typeof value === 'string' },
  strings: {
    name: 'a list of strings',
    is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')
  },
  seconds: { name: 'a number of seconds above 0', is: (value) => isWithin(value, maxSeconds) },
  nonNegativeInteger: {
    name: 'a whole number, 0 or more',
    is: (value) => Number.isInteger(value) && Number(value) >= 0
  },
  boolean: { name: 'true or false', is: (value) => typeof value === 'boolean' },
  function: { name: 'a function', is: (value) => typeof value === 'function' },
  object: { name: 'an object', is: isJsonObject },
  // Loggers, such as `console`, and class instances may have additional members.
  logger: {
    name: 'an object',
    is: (value) => {
      if (!isJsonObject(value)) return false
      const isLevel = (name: string): boolean => typeof value[name] === 'function'
      return levels.every(isLevel) || (Object.getPrototypeOf(value) !== Object.prototype && levels.some(isLevel))
    }
  },
  list: { name: 'a list', is: Array.isArray },
  milliseconds: { name: 'a number of milliseconds above 0', is: (value) => isWithin(value, maxTimerMilliseconds) },
  any: { name: 'anything', is: () => true }
}

const isIntegerRange = (kind: Kind): kind is IntegerRange =>
  typeof kind === 'object' && 'min' in kind && Number.isInteger(kind.min)

const isMethods = (kind: Kind): kind is Methods =>
  typeof kind === 'object' && 'hint' in kind && typeof kind.hint === 'string'

const isRequired = (kind: Kind): kind is Required => typeof kind === 'object' && Object.hasOwn(kind, 'allRequired')

function getKindName(kind: Kind): string {
  if (typeof kind === 'string') return simple[kind]?.name ?? kind
  if (isIntegerRange(kind)) {
    const { min, max } = kind
    return max === undefined ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`
  }
  if (isMethods(kind)) return `an object with ${kind.methods.map((name) => `${name}()`).join(' and ')}`
  return Array.isArray(kind) ? kind.map((value) => JSON.stringify(value)).join(' or ') : 'an object'
}

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return simple[kind]?.is(value) ?? false
  if (isIntegerRange(kind)) {
    const { min, max = Number.POSITIVE_INFINITY } = kind
    return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  }
  if (Array.isArray(kind)) return kind.includes(value)
  return isJsonObject(value) && (!isMethods(kind) || kind.methods.every((name) => typeof value[name] === 'function'))
}

const isShape = (kind: Kind): kind is Shape =>
  typeof kind === 'object' && !Array.isArray(kind) && !isIntegerRange(kind) && !isMethods(kind) && !isRequired(kind)

const isAbove = (value: unknown, max: number): boolean => typeof value === 'number' && value > max

/** Returns the most likely fix for a value that fits none of these types. */
function hintFor(given: unknown, kinds: readonly Kind[]): string {
  const methods = kinds.find(isMethods)
  if (methods) return `; ${methods.hint}`
  if (kinds.includes('seconds') && isAbove(given, maxSeconds))
    return `; write at most ${maxSeconds}: browsers and databases cannot represent a later time`
  if (kinds.includes('milliseconds') && isAbove(given, maxTimerMilliseconds))
    return `; write at most ${maxTimerMilliseconds}, the maximum of a timer`
  if (typeof given === 'function') return kinds.includes('object') || kinds.includes('list') ? '; call it' : ''
  const isQuoted = given === 'true' || given === 'false' || (typeof given === 'string' && /^\d+$/.test(given))
  return isQuoted && !kinds.includes('string') ? '; write it without quotes' : ''
}

const isNumeric = (kind: Kind): boolean =>
  kind === 'seconds' || kind === 'nonNegativeInteger' || kind === 'milliseconds' || isIntegerRange(kind)

/** @returns The code of a value that fits none of these types. */
function mismatchCode(given: unknown, kinds: readonly Kind[]): ProblemCode {
  if (typeof given === 'number' && kinds.some(isNumeric)) return 'OUT_OF_RANGE'
  if (isJsonObject(given) && kinds.some(isMethods)) return 'METHODS_MISSING'
  const isOther = kinds.some((kind) => Array.isArray(kind) && kind.some((value) => typeof value === typeof given))
  return isOther ? 'INVALID_VALUE' : 'INVALID_TYPE'
}

/** Describes a value. Durations and counts are not secret, so they are included. */
function describeValue(given: unknown, kinds: readonly Kind[]): string {
  if (typeof given === 'number' && kinds.some(isNumeric)) return String(given)
  const mayBeText = kinds.some((kind) => kind === 'string' || kind === 'strings' || Array.isArray(kind))
  return describeType(given, mayBeText ? 'another string' : 'a string')
}

const isUnsupported = (expected: Shape[string]): expected is Unsupported =>
  typeof expected === 'object' && 'refused' in expected && typeof expected.refused === 'string'

const isOneOf = (expected: Shape[string]): expected is OneOf => typeof expected === 'object' && 'oneOf' in expected

/** The maximum size of a group whose names are listed if no name is similar to the unknown one. */
const fewNames = 12

function unknownOption(name: string, shape: Shape, at: (name: string) => string): ProblemDetail {
  const code = 'UNKNOWN_OPTION'
  const message = 'unknown option'
  const meant = suggest(name, Object.keys(shape))
  if (meant) return { code, message: `${message}; did you mean ${at(meant)}?`, suggestion: at(meant) }
  const names = Object.keys(shape).filter((known) => {
    const expected = shape[known]
    return expected !== undefined && !isUnsupported(expected)
  })
  return { code, message: names.length <= fewNames ? `${message}; there are ${names.join(', ')}` : message }
}

/** @returns The problems of a group of options: unknown names, with the most similar known one, and wrong types. */
export function checkShape(value: unknown, shape: Shape, path: string): Problem[] {
  const at = (name: string): string => (path ? `${path}.${name}` : name)
  if (!isJsonObject(value))
    return [
      {
        option: path || 'options',
        code: 'INVALID_TYPE',
        message: `expected an object, got ${describeType(value, 'a string')}`
      }
    ]
  return Object.entries(value).flatMap(([name, given]): Problem[] => {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (expected === undefined) return [{ option: at(name), ...unknownOption(name, shape, at) }]
    if (given === undefined) return []
    return isUnsupported(expected)
      ? [{ option: at(name), code: 'UNSUPPORTED_OPTION', message: expected.refused }]
      : checkOption(given, isOneOf(expected) ? expected.oneOf : [expected], at(name))
  })
}

function checkOption(given: unknown, kinds: readonly Kind[], option: string): Problem[] {
  const fitting = kinds.find((kind) => fits(given, kind))
  if (fitting === undefined) {
    const expectation = `expected ${[...new Set(kinds.map(getKindName))].join(' or ')}, got ${describeValue(given, kinds)}`
    return [{ option, code: mismatchCode(given, kinds), message: expectation + hintFor(given, kinds) }]
  }
  if (isRequired(fitting))
    return [...missing(given, fitting, option), ...checkShape(given, fitting.allRequired, option)]
  return isShape(fitting) ? checkShape(given, fitting, option) : []
}

/** @returns The required options that are missing from a group. */
function missing(given: unknown, { allRequired }: Required, option: string): Problem[] {
  const named: Readonly<Record<string, unknown>> = isJsonObject(given) ? given : {}
  return Object.entries(allRequired)
    .filter(([name]) => named[name] === undefined)
    .map(([name, kind]) => ({
      option: `${option}.${name}`,
      code: 'OPTION_MISSING',
      message: `expected ${getKindName(kind)}, got nothing; pass ${name} too`
    }))
}
