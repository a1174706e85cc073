/**
 * Codes for a value that the type of a column cannot represent: of PostgreSQL (SQLSTATE 22P02, 22003), and of Prisma.
 */
const invalidValueCodes = new Set(['22P02', '22003', 'P2023'])

/** Whether an error, or one of its causes, means that a value does not have the type of its column. */
export function isInvalidValueError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && invalidValueCodes.has(String(error.code))) || isInvalidValueError(error.cause)
}
