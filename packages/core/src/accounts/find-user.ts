import type { AdapterAccount, AdapterUser, UserVersionQuery } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { noUserVersion, type UserVersion } from '../adapter/user-version.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { renameFormerAccount } from './rename-account.ts'

/** A stored user, and the row that was read with them. */
export interface FoundUser {
  readonly user: AdapterUser
  /** Version 0 if the adapter stores no rows. */
  readonly version: UserVersion
  /** The account that the user was found by. */
  readonly account?: AdapterAccount | undefined
}

async function findWithoutVersion(by: UserVersionQuery, store: Store): Promise<AdapterUser | null> {
  if ('userId' in by) return store.getUser(by.userId)
  return 'email' in by ? store.getUserByEmail(by.email) : store.getUserByAccount(by.account)
}

/** Finds a user together with their row. @throws AuthError `StoreUnavailable` */
export async function findUser(by: UserVersionQuery, store: Store): Promise<FoundUser | null> {
  if (store.versions) {
    const found = await store.versions.find(by)
    return found && { ...found, version: found.version ?? noUserVersion(found.user.id) }
  }
  const user = await findWithoutVersion(by, store)
  return user && { user, version: noUserVersion(user.id) }
}

/** Finds the user with an email address, compared exactly; `null` also if there is no address. */
export async function findUserByEmail(address: string | null | undefined, store: Store): Promise<FoundUser | null> {
  return address ? findUser({ email: address }, store) : null
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
  if (policy === 'stored') return findUser({ userId: user.id }, store)
  if (policy === 'mailbox') return findUserByEmail(user.email, store)
  const by = { account: { provider, providerAccountId } }
  const found = await findUser(by, store)
  if (found) return found
  return (await renameFormerAccount(identity, store, userVersions)) ? findUser(by, store) : null
}
