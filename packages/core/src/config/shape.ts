import type { Problem } from '../errors/config-error.ts'
import { isJsonObject } from '../model/json-object.ts'
import { nearest } from './nearest.ts'

/** What an option may be. */
export type Kind =
  | 'text'
  | 'texts'
  | 'seconds'
  | 'count'
  | 'flag'
  | 'function'
  | 'object'
  | 'logger'
  | 'list'
  | 'milliseconds'
  | 'any'
  | readonly unknown[]
  | Shape

/** An option that others have and we do not: the sentence says why, or what to do instead. */
export interface Refused {
  readonly refused: string
}

/** Several kinds that are alternatives. */
interface OneOf {
  readonly oneOf: readonly Kind[]
}

/** The options of a group, each with what it may be; several kinds are alternatives. */
export interface Shape {
  readonly [name: string]: Kind | OneOf | Refused
}

/**
 * @param text - What a text is called: another one where texts are expected.
 * @returns What came, without saying more of it than its kind.
 */
export function told(value: unknown, text: string = 'another text'): string {
  if (value === undefined || value === '') return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string') return text
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const simple: Readonly<Record<string, { readonly name: string; readonly is: (value: unknown) => boolean }>> = {
  text: { name: 'text', is: (value) => typeof value === 'string' },
  texts: {
    name: 'a list of texts',
    is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')
  },
  seconds: {
    name: 'a number of seconds above 0',
    is: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0
  },
  count: { name: 'a whole number, 0 or more', is: (value) => Number.isInteger(value) && Number(value) >= 0 },
  flag: { name: 'true or false', is: (value) => typeof value === 'boolean' },
  function: { name: 'a function', is: (value) => typeof value === 'function' },
  object: { name: 'an object', is: isJsonObject },
  // What a whole logger has besides, as `console` does, is its own affair.
  logger: {
    name: 'an object',
    is: (value) => isJsonObject(value) && ['error', 'warn', 'debug'].every((name) => typeof value[name] === 'function')
  },
  list: { name: 'a list', is: Array.isArray },
  milliseconds: {
    name: 'a number of milliseconds above 0',
    is: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0
  },
  any: { name: 'anything', is: () => true }
}

function nameOf(kind: Kind): string {
  if (typeof kind === 'string') return simple[kind]?.name ?? kind
  return Array.isArray(kind) ? kind.map((value) => JSON.stringify(value)).join(' or ') : 'an object'
}

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return simple[kind]?.is(value) ?? false
  return Array.isArray(kind) ? kind.includes(value) : isJsonObject(value)
}

const isRefused = (expected: Shape[string]): expected is Refused =>
  typeof expected === 'object' && 'refused' in expected && typeof expected.refused === 'string'

const isOneOf = (expected: Shape[string]): expected is OneOf => typeof expected === 'object' && 'oneOf' in expected

const isShape = (kind: Kind): kind is Shape => typeof kind === 'object' && !Array.isArray(kind)

/** What helps most often where something of this kind came. */
function mendOf(given: unknown, kinds: readonly Kind[]): string {
  if (typeof given === 'function') return kinds.includes('object') || kinds.includes('list') ? '; call it' : ''
  const isQuoted = given === 'true' || given === 'false' || (typeof given === 'string' && /^\d+$/.test(given))
  return isQuoted && !kinds.includes('text') ? '; write it without quotes' : ''
}

/** Lengths of time and counts are no secrets: the number says more than that it is one. */
function toldOf(given: unknown, kinds: readonly Kind[]): string {
  const isCounted = kinds.some((kind) => kind === 'seconds' || kind === 'count' || kind === 'milliseconds')
  if (isCounted && typeof given === 'number') return String(given)
  const mayBeText = kinds.some((kind) => kind === 'text' || kind === 'texts' || Array.isArray(kind))
  return told(given, mayBeText ? 'another text' : 'text')
}

/** Groups up to this size are listed where nothing like the given name is in them. */
const fewNames = 12

function meantOf(name: string, shape: Shape, at: (name: string) => string): string {
  const meant = nearest(name, Object.keys(shape))
  if (meant) return `; did you mean ${at(meant)}?`
  const names = Object.keys(shape).filter((known) => {
    const expected = shape[known]
    return expected !== undefined && !isRefused(expected)
  })
  return names.length <= fewNames ? `; there are ${names.join(', ')}` : ''
}

/** @returns The mistakes of a group of options: unknown names, with the one that was likely meant, and wrong kinds. */
export function checkShape(value: unknown, shape: Shape, path: string): Problem[] {
  const at = (name: string): string => (path ? `${path}.${name}` : name)
  if (!isJsonObject(value))
    return [{ option: path || 'options', message: `expected an object, got ${told(value, 'text')}` }]
  return Object.entries(value).flatMap(([name, given]): Problem[] => {
    const expected = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (expected === undefined) {
      return [{ option: at(name), message: `there is no such option${meantOf(name, shape, at)}` }]
    }
    if (given === undefined) return []
    if (isRefused(expected)) return [{ option: at(name), message: expected.refused }]
    const kinds = isOneOf(expected) ? expected.oneOf : [expected]
    const fitting = kinds.find((kind) => fits(given, kind))
    if (fitting === undefined) {
      const expectation = `expected ${[...new Set(kinds.map(nameOf))].join(' or ')}, got ${toldOf(given, kinds)}`
      return [{ option: at(name), message: expectation + mendOf(given, kinds) }]
    }
    return isShape(fitting) ? checkShape(given, fitting, at(name)) : []
  })
}
