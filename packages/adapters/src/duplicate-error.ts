/**
 * Two rows would have had the same key: an address, an account, a session or a token that is there already.
 *
 * All adapters of this package throw it, whatever their driver calls the violation; `cause` is the driver's own error.
 */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError'
  readonly code = 'Duplicate'
}
