export type ErrorClass = abstract new (...args: never) => Error

/** Error classes by name, for `instanceof` in both processes. */
export type ErrorClasses = Readonly<Record<string, ErrorClass>>

/** An error as a plain object. */
export interface ErrorContent {
  readonly kind: string | null
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly own: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Serializes an error. */
export function encodeError(error: Error, classes: ErrorClasses): ErrorContent {
  const { name, message, stack, cause } = error
  const kind = Object.entries(classes).find(([, match]) => error.constructor === match)?.[0] ?? null
  const isOwn = ([key]: readonly [string, unknown]): boolean => !['name', 'message', 'stack', 'cause'].includes(key)
  const own = Object.fromEntries(Object.entries(error).filter(isOwn))
  return { kind, name, message, stack, own, ...('cause' in error ? { cause } : {}) }
}

const builtIn: Readonly<Record<string, ErrorClass>> = { TypeError, RangeError, SyntaxError, ReferenceError, EvalError }

/** Restores an error from {@link encodeError}. */
export function decodeError(content: ErrorContent, classes: ErrorClasses): Error {
  const { kind, name, message, stack, own } = content
  if (name === 'AbortError' || (name === 'TimeoutError' && !('code' in own))) return new DOMException(message, name)
  const error = new Error(message, 'cause' in content ? { cause: content.cause } : undefined)
  const match = (kind === null ? null : classes[kind]) ?? builtIn[name]
  if (match) Object.setPrototypeOf(error, match.prototype)
  Object.assign(error, own)
  Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}

export const isErrorContent = (value: unknown): value is ErrorContent =>
  typeof value === 'object' && value !== null && 'message' in value
