/** An error as a log may hold it: what it says of itself, and never what it carries. */
export interface Description {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: Description
}

const deepest = 5

/**
 * Describes an error for the log.
 *
 * Causes of protocol errors carry whole answers, tokens among them; only names, codes and messages are taken over.
 */
export function describe(error: unknown, depth: number = 0): Description {
  if (!(error instanceof Error)) return { name: typeof error, message: 'something that is no error was thrown' }
  const { name, message, cause } = error
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
      ? { code: String(error.code) }
      : {}
  const deeper = cause instanceof Error && depth < deepest ? { cause: describe(cause, depth + 1) } : {}
  return { name, message: message.replaceAll(/[\r\n]+/g, ' ').slice(0, 500), ...code, ...deeper }
}
