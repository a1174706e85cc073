/**
 * Codes for a value that the type of a column cannot represent: of PostgreSQL (SQLSTATE 22P02, 22003), and of Prisma.
 */
const invalidValueCodes = new Set(['22P02', '22003', 'P2023'])

/** A key contains NUL or a lone surrogate, which no row can have, so the store was not called. */
export class InvalidKeyError extends Error {
  override readonly name: string = 'InvalidKeyError'

  constructor() {
    super('expected a key without NUL and lone surrogates')
  }
}

/** Whether an error, or one of its causes, means that a value does not have the type of its column. */
export function isInvalidValueError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof InvalidKeyError) return true
  return ('code' in error && invalidValueCodes.has(String(error.code))) || isInvalidValueError(error.cause)
}
