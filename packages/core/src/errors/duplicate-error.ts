/**
 * Error codes of a unique key that exists, of PostgreSQL (SQLSTATE), MySQL, SQLite, MongoDB and Prisma, and that of
 * Postern's adapters.
 */
const duplicateCodes = /^(Duplicate|23505|1062|ER_DUP_ENTRY|SQLITE_CONSTRAINT\w*|11000|P2002)$/

/** Whether an error, or one of its causes, says that a unique key exists: the call had no effect. */
export function isDuplicateError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'DuplicateError' || ('code' in error && duplicateCodes.test(String(error.code)))) return true
  return isDuplicateError(error.cause)
}
