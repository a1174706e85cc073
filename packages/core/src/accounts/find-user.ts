import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { findUserByEmail } from '../adapter/user-by-email.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import { renameFormerAccount } from './rename-account.ts'

/**
 * Finds the user of a proven identity: the owner of the account or of the mailbox, or the stored user that the method
 * names. Returns `null` if there is none, or if the application names the user. An account that has another id since is renamed.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findUserByIdentity(
  identity: Identity,
  policy: AccountPolicy,
  store: Store
): Promise<AdapterUser | null> {
  const { account, user } = identity
  if (policy === 'application') return null
  if (policy === 'stored') return store.getUser(user.id)
  if (policy === 'mailbox') return findUserByEmail(user.email, store)
  return (await store.getUserByAccount(account)) ?? renameFormerAccount(identity, store)
}
