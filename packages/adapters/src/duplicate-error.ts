/**
 * A unique key exists already: that of an address, an account, a session or a token.
 *
 * All adapters of this package throw it, whatever the driver's error; `cause` is the driver's error.
 */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
  readonly code = 'Duplicate'
}
