import type { Store } from '../adapter/store.ts'
import type { User } from '../model/user.ts'
import { SignInConflict } from './sign-in-errors.ts'

/**
 * Requires that a user has the address that was read: a callback, or the application, may have changed it meanwhile.
 *
 * @throws SignInConflict; a transaction is aborted on commit instead.
 */
export async function requireSameAddress({ id, email = null }: User, store: Store): Promise<void> {
  const isSame = store.versions
    ? await store.versions.requireAddress(id, email)
    : ((await store.getUser(id))?.email ?? null) === email
  if (!isSame) throw new SignInConflict(null)
}
