import { type SerializedError, serializeError } from './serialize-error.ts'

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
export interface LogMetadata extends SerializedError {
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
