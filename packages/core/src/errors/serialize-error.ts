/** An error as a log may hold it: what it says of itself, and never what it carries. */
export interface Description {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly cause?: Description
}

const deepest = 5

/** What an error says of itself, without the piece of text that a JSON parser quotes: a token may be in it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error
  return message.endsWith(' is not valid JSON') ? message.replace(/, .*/s, ' in what should be JSON') : message
}

/**
 * Describes an error for the log.
 *
 * Causes of protocol errors carry whole answers, tokens among them; only names, codes and messages are taken over.
 */
export function describe(error: unknown, depth: number = 0): Description {
  if (!(error instanceof Error)) return { name: typeof error, message: 'something that is no error was thrown' }
  const { name, cause } = error
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
      ? { code: String(error.code) }
      : {}
  const deeper = cause instanceof Error && depth < deepest ? { cause: describe(cause, depth + 1) } : {}
  return {
    name,
    message: messageOf(error)
      .replaceAll(/[\r\n]+/g, ' ')
      .slice(0, 500),
    ...code,
    ...deeper
  }
}
