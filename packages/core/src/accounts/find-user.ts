import type { FoundUser, Store } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { renameFormerAccount } from './rename-account.ts'

/** Finds the user with an email address, compared exactly; `null` also if there is no address. */
export async function findUserByEmail(address: string | null | undefined, store: Store): Promise<FoundUser | null> {
  return address ? store.findUser({ email: address }) : null
}

/**
 * Finds the user of a proven identity: the owner of the account or of the mailbox, or the stored user that the method
 * names. Returns `null` if there is none, or if the application names the user. An account that has another id since is renamed.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function findUserByIdentity(
  identity: Identity,
  policy: AccountPolicy,
  store: Store,
  userVersions: UserVersions
): Promise<FoundUser | null> {
  const { account, user } = identity
  const { provider, providerAccountId } = account
  if (policy === 'application') return null
  if (policy === 'stored') return store.findUser({ userId: user.id })
  if (policy === 'mailbox') return findUserByEmail(user.email, store)
  const by = { account: { provider, providerAccountId } }
  const found = await store.findUser(by)
  if (found) return found
  return (await renameFormerAccount(identity, store, userVersions)) ? store.findUser(by) : null
}
