import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { findUserByEmail } from '../adapter/user-by-email.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'

/**
 * Finds the user of a proven identity: the owner of the account or of the mailbox, or the stored user that the method
 * names. Returns `null` if there is none, or if the application names the user.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findUserByIdentity(
  { account, user }: Identity,
  policy: AccountPolicy,
  store: Store
): Promise<AdapterUser | null> {
  if (policy === 'application') return null
  if (policy === 'stored') return store.getUser(user.id)
  return policy === 'mailbox' ? findUserByEmail(user.email, store) : store.getUserByAccount(account)
}
