/** Whether the name or the code of an error, or of one of its causes, matches. */
function matches(error: unknown, pattern: RegExp): boolean {
  if (!(error instanceof Error)) return false
  return (
    pattern.test(error.name) || ('code' in error && pattern.test(String(error.code))) || matches(error.cause, pattern)
  )
}

/** A unique key that exists already: of `@postern/adapters`, PostgreSQL, MySQL, SQLite, Prisma and MongoDB. */
const duplicate = /^(DuplicateError|23505|ER_DUP_ENTRY\w*|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|P2002|11000)$/

/** A constraint that the deletion of a row violates: rows that refer to it, or whose column would become `null`. */
const reference =
  /^(23\d{3}|ER_ROW_IS_REFERENCED\w*|ER_BAD_NULL_ERROR|SQLITE_CONSTRAINT(_(FOREIGNKEY|TRIGGER|NOTNULL|CHECK))?|P20(03|04|11|14))$/

/** Whether the store refused a key that another row has. */
export const isDuplicateError = (error: unknown): boolean => matches(error, duplicate)

/** Whether the store found several users for one address. */
export const isAmbiguousError = (error: unknown): boolean => matches(error, /^AmbiguousAddressError$/)

/** Whether the store refused to delete a row because of others. */
export const isReferencedError = (error: unknown): boolean => matches(error, reference)
