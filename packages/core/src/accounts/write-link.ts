import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import { isDuplicateError } from '../errors/duplicate-error.ts'
import type { Account } from '../model/account.ts'

/** The account exists, and has another user. */
export class ForeignAccountError extends AuthError {
  constructor({ provider }: Account, cause: unknown) {
    super('OAuthAccountNotLinked', `${provider}: the account was linked to another user during the sign-in`, { cause })
  }
}

/**
 * Writes the account of a user. If only the reply of the store is lost, the account counts as written by this call.
 *
 * @param row - The account as it is stored.
 * @returns `false` if another request of the same user has just written it.
 * @throws ForeignAccountError, or StoreError: then the account may exist, now or later.
 */
export async function writeLink({ id }: AdapterUser, row: Account, store: Store): Promise<boolean> {
  try {
    await store.linkAccount({ ...row, userId: id })
    return true
  } catch (error) {
    const owner = await store.getUserByAccount(row)
    if (!owner) throw error
    if (owner.id !== id) throw new ForeignAccountError(row, error)
    return !isDuplicateError(error)
  }
}
