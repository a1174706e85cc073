/**
 * The database refused a statement, or did not answer.
 *
 * `code` is the driver's: a SQLSTATE, MySQL's name of the error, or that of the network's. The driver's own error is
 * left behind: it carries the statement with its values, tokens and addresses among them.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
