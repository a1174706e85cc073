import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { userByAddress } from '../adapter/user-by-email.ts'
import type { Identity } from '../model/identity.ts'

/**
 * Whose a proven identity is already: the account's owner, or whoever has the mailbox.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function ownerOf({ account, user }: Identity, store: Store): Promise<AdapterUser | null> {
  return account.type === 'email' ? userByAddress(user.email, store) : store.getUserByAccount(account)
}
