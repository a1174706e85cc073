/**
 * The database rejected a statement, or did not respond.
 *
 * `code` is the driver's: a SQLSTATE, MySQL's error name, or a network error code. The driver's own error is not
 * attached, because it contains the statement with its values, including tokens and addresses.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
