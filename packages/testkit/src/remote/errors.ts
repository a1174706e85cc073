export type ErrorClass = abstract new (...args: never) => Error

/** Classes of errors that `instanceof` is to know in both processes, by name. */
export type ErrorClasses = Readonly<Record<string, ErrorClass>>

/** An error as plain members. */
export interface ErrorContent {
  readonly kind: string | null
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly own: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** What there is to write of an error. */
export function encodeError(error: Error, classes: ErrorClasses): ErrorContent {
  const { name, message, stack, cause } = error
  const kind = Object.entries(classes).find(([, known]) => error.constructor === known)?.[0] ?? null
  const isOwn = ([key]: readonly [string, unknown]): boolean => !['name', 'message', 'stack', 'cause'].includes(key)
  const own = Object.fromEntries(Object.entries(error).filter(isOwn))
  return { kind, name, message, stack, own, ...('cause' in error ? { cause } : {}) }
}

const builtIn: Readonly<Record<string, ErrorClass>> = { TypeError, RangeError, SyntaxError, ReferenceError, EvalError }

/** The error that {@link encodeError} told of. */
export function decodeError(content: ErrorContent, classes: ErrorClasses): Error {
  const { kind, name, message, stack, own } = content
  if (name === 'AbortError' || name === 'TimeoutError') return new DOMException(message, name)
  const error = new Error(message, 'cause' in content ? { cause: content.cause } : undefined)
  const known = (kind === null ? null : classes[kind]) ?? builtIn[name]
  if (known) Object.setPrototypeOf(error, known.prototype)
  Object.assign(error, own)
  Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true })
  if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}

export const isErrorContent = (value: unknown): value is ErrorContent =>
  typeof value === 'object' && value !== null && 'message' in value
