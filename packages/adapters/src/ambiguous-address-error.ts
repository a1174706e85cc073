/**
 * Several users have an address that differs only in the case of its letters, and none has exactly the address.
 *
 * All adapters of this package throw it: signing in one of the users would be a guess. The message has their ids.
 */
export class AmbiguousAddressError extends Error {
  override readonly name = 'AmbiguousAddressError'
  readonly code = 'AmbiguousAddress'

  constructor(database: string, users: readonly { readonly id: string }[]) {
    const ids = users.map(({ id }) => id).join(', ')
    super(`${database}: expected one user with this address, but those of ${ids} differ only in the case of letters`)
  }
}
