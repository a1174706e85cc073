import { isJsonObject } from '../model/json-object.ts'

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
  | Whole
  | Methods
  | Every
  | Shape

/** A whole number within bounds. */
interface Whole {
  readonly least: number
  readonly most?: number
}

/** An object with these methods; the mend says where to get one. */
interface Methods {
  readonly methods: readonly string[]
  readonly mend: string
}

/** A group of which nothing may be left out. */
export interface Every {
  readonly every: Readonly<Record<string, Kind>>
}

/** An option that others have and we do not: the sentence says why, or what to do instead. */
export interface Refused {
  readonly refused: string
}

/** Several kinds that are alternatives. */
export interface OneOf {
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

/** Seconds after which no browser and no database has a date any more: some three thousand years. */
export const longestTime = 100_000_000_000

/** Milliseconds that a timer can wait; a longer time would be over at once. */
export const longestTimer = 2_147_483_647

const isWithin = (value: unknown, most: number): boolean => typeof value === 'number' && value > 0 && value <= most

const levels = ['error', 'warn', 'debug']

const simple: Readonly<Record<string, { readonly name: string; readonly is: (value: unknown) => boolean }>> = {
  text: { name: 'text', is: (value) => typeof value === 'string' },
  texts: {
    name: 'a list of texts',
    is: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')
  },
  seconds: { name: 'a number of seconds above 0', is: (value) => isWithin(value, longestTime) },
  count: { name: 'a whole number, 0 or more', is: (value) => Number.isInteger(value) && Number(value) >= 0 },
  flag: { name: 'true or false', is: (value) => typeof value === 'boolean' },
  function: { name: 'a function', is: (value) => typeof value === 'function' },
  object: { name: 'an object', is: isJsonObject },
  // What a whole logger has besides, as `console` does, is its own affair; so is what the instance of a class has.
  logger: {
    name: 'an object',
    is: (value) => {
      if (!isJsonObject(value)) return false
      const isLevel = (name: string): boolean => typeof value[name] === 'function'
      return levels.every(isLevel) || (Object.getPrototypeOf(value) !== Object.prototype && levels.some(isLevel))
    }
  },
  list: { name: 'a list', is: Array.isArray },
  milliseconds: { name: 'a number of milliseconds above 0', is: (value) => isWithin(value, longestTimer) },
  any: { name: 'anything', is: () => true }
}

const isWhole = (kind: Kind): kind is Whole =>
  typeof kind === 'object' && 'least' in kind && Number.isInteger(kind.least)

const isMethods = (kind: Kind): kind is Methods =>
  typeof kind === 'object' && 'mend' in kind && typeof kind.mend === 'string'

export const isEvery = (kind: Kind): kind is Every => typeof kind === 'object' && Object.hasOwn(kind, 'every')

export function nameOf(kind: Kind): string {
  if (typeof kind === 'string') return simple[kind]?.name ?? kind
  if (isWhole(kind)) {
    const { least, most } = kind
    return most === undefined ? `a whole number, ${least} or more` : `a whole number from ${least} to ${most}`
  }
  if (isMethods(kind)) return `an object with ${kind.methods.map((name) => `${name}()`).join(' and ')}`
  return Array.isArray(kind) ? kind.map((value) => JSON.stringify(value)).join(' or ') : 'an object'
}

export function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return simple[kind]?.is(value) ?? false
  if (isWhole(kind)) {
    const { least, most = Number.POSITIVE_INFINITY } = kind
    return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  }
  if (Array.isArray(kind)) return kind.includes(value)
  return isJsonObject(value) && (!isMethods(kind) || kind.methods.every((name) => typeof value[name] === 'function'))
}

export const isShape = (kind: Kind): kind is Shape =>
  typeof kind === 'object' && !Array.isArray(kind) && !isWhole(kind) && !isMethods(kind) && !isEvery(kind)

const isAbove = (value: unknown, most: number): boolean => typeof value === 'number' && value > most

/** What helps most often where something of this kind came. */
export function mendOf(given: unknown, kinds: readonly Kind[]): string {
  const made = kinds.find(isMethods)
  if (made) return `; ${made.mend}`
  if (kinds.includes('seconds') && isAbove(given, longestTime))
    return `; write at most ${longestTime}: a longer time has no end that a browser or a database could write down`
  if (kinds.includes('milliseconds') && isAbove(given, longestTimer))
    return `; write at most ${longestTimer}, which is as long as a timer can wait`
  if (typeof given === 'function') return kinds.includes('object') || kinds.includes('list') ? '; call it' : ''
  const isQuoted = given === 'true' || given === 'false' || (typeof given === 'string' && /^\d+$/.test(given))
  return isQuoted && !kinds.includes('text') ? '; write it without quotes' : ''
}

/** Lengths of time and counts are no secrets: the number says more than that it is one. */
export function toldOf(given: unknown, kinds: readonly Kind[]): string {
  const isCounted = kinds.some(
    (kind) => kind === 'seconds' || kind === 'count' || kind === 'milliseconds' || isWhole(kind)
  )
  if (isCounted && typeof given === 'number') return String(given)
  const mayBeText = kinds.some((kind) => kind === 'text' || kind === 'texts' || Array.isArray(kind))
  return told(given, mayBeText ? 'another text' : 'text')
}
