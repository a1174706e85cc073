/** An error in the form that is logged: name, code and message, without other properties. */
export interface SerializedError {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: SerializedError
}

const deepest = 5

/** Returns the message of an error without the text that a JSON parser quotes: it may contain a token. */
export function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  return message.endsWith(' is not valid JSON') ? message.replace(/, .*/s, ' in what should be JSON') : message
}

/**
 * Serializes an error for the log.
 *
 * Causes of protocol errors contain whole responses, including tokens; only names, codes and messages are copied.
 */
export function serializeError(error: unknown, depth: number = 0): SerializedError {
  if (!(error instanceof Error)) return { name: typeof error, message: 'a value that is not an Error was thrown' }
  const { name, cause } = error
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
      ? { code: String(error.code) }
      : {}
  const deeper = cause instanceof Error && depth < deepest ? { cause: serializeError(cause, depth + 1) } : {}
  return {
    name,
    message: getErrorMessage(error)
      .replaceAll(/[\r\n]+/g, ' ')
      .slice(0, 500),
    ...code,
    ...deeper
  }
}

/** A copy of an error for the log, without its other properties. JSON contains its name, code and message. */
class LoggedError extends Error {
  override readonly name: string
  readonly #serialized: SerializedError

  constructor(serialized: SerializedError, stack: string) {
    super(serialized.message, serialized.cause && { cause: new LoggedError(serialized.cause, '') })
    this.#serialized = serialized
    this.name = serialized.name
    this.stack = `${serialized.name}: ${serialized.message}${stack}`
  }

  toJSON(): SerializedError {
    return this.#serialized
  }
}

/** The lines of a stack below the message. */
function getFrames({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return frames.map((line) => `\n${line}`).join('')
}

/** The metadata of an error in the log, as in next-auth v4. */
interface LogMetadata extends SerializedError {
  readonly error: Error
  readonly providerId?: string
  /** The code in the URL. */
  readonly errorCode: string
  /** The id that the user sees. */
  readonly ref: string
}

/** Creates the metadata of an error. */
export function toLogMetadata(
  error: unknown,
  { errorCode, ref, providerId }: Pick<LogMetadata, 'errorCode' | 'ref'> & { readonly providerId: string | null }
): LogMetadata {
  const serialized = serializeError(error)
  const copy = new LoggedError(serialized, error instanceof Error ? getFrames(error) : '')
  return { ref, ...(providerId === null ? {} : { providerId }), errorCode, error: copy, ...serialized }
}
