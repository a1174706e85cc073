import { decodeError, type ErrorClasses, encodeError, isErrorContent } from './errors.ts'
import { isTagged, type Tagged, tagKey } from './tag.ts'
import { decodeWeb, encodeWeb } from './web.ts'

export type Callable = (...args: readonly unknown[]) => unknown

/** The object and name of a method. */
export interface Owner {
  readonly self: object
  readonly name: PropertyKey
}

/** A function of this process that the other may call. */
export interface Kept {
  readonly call: Callable
  readonly owner: Owner | null
}

/** What a process needs to serialize values for the other. */
export interface Ends {
  /** Registers a function and its owner. @returns The number that the other process calls it by. */
  readonly keep: (call: Callable, owner: Owner | null) => number
  /** A function that calls one of the other process. */
  readonly reach: (number: number) => Callable
  /** A function that calls one of the other process without waiting for a result. */
  readonly notify: (number: number) => Callable
  /** The number of a function that {@link Ends.reach} made. */
  readonly getNumber: (call: Callable) => number | undefined
  readonly stored: (number: number) => Kept
  /** For `instanceof` in both processes. */
  readonly classes: ErrorClasses
}

const notices = new WeakSet<object>()

/**
 * Marks a function whose callers ignore the result. A call from another process does not wait for it; it is processed
 * before later results.
 */
export function notice<A extends readonly unknown[]>(call: (...args: A) => void): (...args: A) => void {
  notices.add(call)
  return call
}

/** A value cannot be passed to another process, because it is bound to its own. */
export class CannotCross extends TypeError {
  override readonly name: string = 'CannotCross'
}

export const isCallable = (value: unknown): value is Callable => typeof value === 'function'

/**
 * Serializes a value as cloneable data. A function becomes its number, and is called in its own process.
 *
 * @throws CannotCross
 */
export function encode(value: unknown, ends: Ends, owner: Owner | null = null): unknown {
  if (isCallable(value)) return encodeFunction(value, ends, owner)
  if (typeof value === 'symbol') return encodeSymbol(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => encode(item, ends))
  if (value instanceof Date || value instanceof RegExp || value instanceof Uint8Array) return value
  if (value instanceof Error) return tagged('error', encodeError(value, ends.classes), ends)
  if (value instanceof Map || value instanceof Set)
    return tagged(value instanceof Map ? 'map' : 'set', [...value], ends)
  const web = encodeWeb(value)
  return web ? tagged(web.kind, web.content, ends) : encodeObject(value, ends)
}

/** Serializes an argument of a call: one that cannot be passed throws when it is accessed. */
export function encodeArgument(value: unknown, ends: Ends): unknown {
  try {
    return encode(value, ends)
  } catch (error) {
    if (!(error instanceof CannotCross)) throw error
    return { [tagKey]: 'hidden', content: error.message }
  }
}

function hidden(reason: string): object {
  const refuse = (): never => {
    throw new CannotCross(reason)
  }
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse })
}

/** Restores a value from {@link encode}. */
export function decode(value: unknown, ends: Ends): unknown {
  if (Array.isArray(value)) return value.map((item) => decode(item, ends))
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date || value instanceof RegExp || value instanceof Uint8Array) return value
  if (isTagged(value)) return decodeTagged(value, ends)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item, ends)]))
}

const tagged = (kind: string, content: unknown, ends: Ends): Tagged => ({
  [tagKey]: kind,
  content: encode(content, ends)
})

function encodeFunction(call: Callable, { keep, getNumber }: Ends, owner: Owner | null): Tagged {
  const number = getNumber(call)
  if (number !== undefined) return { [tagKey]: 'home', content: number }
  return { [tagKey]: notices.has(call) ? 'notice' : 'function', content: keep(call, owner) }
}

function encodeSymbol(symbol: symbol): Tagged {
  const key = Symbol.keyFor(symbol)
  if (key === undefined) throw new CannotCross(`${String(symbol)} is known to one process only`)
  return { [tagKey]: 'symbol', content: key }
}

/** The methods that an object inherits from its class. */
function getMethods(value: object): readonly (readonly [string, Callable])[] {
  const methods: [string, Callable][] = []
  let kind: object | null = Object.getPrototypeOf(value)
  while (kind !== null && kind !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(kind)) {
      if (name === 'constructor') continue
      const method: unknown = Reflect.get(value, name)
      if (!isCallable(method)) throw new CannotCross(`${kind.constructor.name} has more than methods`)
      methods.push([name, method])
    }
    kind = Object.getPrototypeOf(kind)
  }
  return methods
}

const encodeKey = (key: symbol): Tagged =>
  Symbol.keyFor(key) === undefined ? { [tagKey]: 'key', content: key.description ?? '' } : encodeSymbol(key)

/**
 * An instance of a class is passed as its methods; its private state stays in its process. A unique symbol as a key
 * becomes another symbol with the same description.
 */
function encodeObject(value: object, ends: Ends): unknown {
  if (value instanceof Promise) throw new CannotCross('a promise inside of a value')
  if (tagKey in value) throw new CannotCross(`an object has a member "${tagKey}"`)
  const members = [...Object.entries(value), ...getMethods(value)]
  const named = Object.fromEntries(members.map(([name, item]) => [name, encode(item, ends, { self: value, name })]))
  const keys = Object.getOwnPropertySymbols(value)
  if (keys.length === 0) return named
  const symbols = keys.map((key) => [encodeKey(key), encode(Reflect.get(value, key), ends, { self: value, name: key })])
  return { [tagKey]: 'object', content: { named, symbols } }
}

interface ObjectContent {
  readonly named: object
  readonly symbols: readonly (readonly [symbol, unknown])[]
}

const isObjectContent = (value: unknown): value is ObjectContent =>
  typeof value === 'object' && value !== null && 'named' in value

const isEntries = (value: unknown): value is readonly (readonly [unknown, unknown])[] => Array.isArray(value)

function decodeTagged({ [tagKey]: kind, content }: Tagged, ends: Ends): unknown {
  if (kind === 'home') return ends.stored(Number(content)).call
  if (kind === 'function') return ends.reach(Number(content))
  if (kind === 'notice') return ends.notify(Number(content))
  if (kind === 'symbol') return Symbol.for(String(content))
  if (kind === 'hidden') return hidden(String(content))
  if (kind === 'key') return Symbol(String(content))
  const read = decode(content, ends)
  if (kind === 'object' && isObjectContent(read)) return { ...read.named, ...Object.fromEntries(read.symbols) }
  if (kind === 'map' && isEntries(read)) return new Map(read)
  if (kind === 'set' && Array.isArray(read)) return new Set(read)
  if (kind === 'error' && isErrorContent(read)) return decodeError(read, ends.classes)
  return decodeWeb(kind, read)
}
