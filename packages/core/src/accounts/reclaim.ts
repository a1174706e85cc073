import type { AccountKey, AdapterUser } from '../adapter/adapter.ts'
import type { FactorKey } from '../adapter/factor.ts'
import type { Store } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Account } from '../model/account.ts'
import type { User } from '../model/user.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { findUnprovenAccounts } from './account-evidence.ts'
import type { AccountRules } from './account-rules.ts'

/** What somebody else may have added to a user. */
export interface Unproven {
  /** The accounts that have not proven the address. */
  readonly accounts: readonly AccountKey[]
  /** Factors do not prove an address: none of them stays. */
  readonly factors: readonly FactorKey[]
}

export const nothingUnproven: Unproven = { accounts: [], factors: [] }

/** @throws AuthError `OAuthAccountNotLinked` */
function requireMethods({ provider }: Account, { missingToReclaim }: AccountRules): void {
  if (missingToReclaim.length === 0) return
  throw new AuthError(
    'OAuthAccountNotLinked',
    `${provider}: the user's address is unverified, and the adapter cannot remove the accounts and sessions of the user; ` +
      `add ${missingToReclaim.join(', ')} to the adapter`
  )
}

/**
 * Finds what a reclaim removes, and calls the application's listener, which removes what the application stores: if it fails,
 * the address stays unproven.
 *
 * @param account - The account that proves the address.
 * @throws AuthError `OAuthAccountNotLinked` if the adapter cannot remove it; what the listener throws
 * @see "Pre-hijacked accounts", arXiv 2205.10174
 */
export async function prepareReclaim(
  user: User,
  account: Account,
  userVersions: UserVersions,
  rules: AccountRules
): Promise<Unproven> {
  const { store } = userVersions
  if (!store) return nothingUnproven
  const { providers, reclaimUser } = rules
  requireMethods(account, rules)
  if (reclaimUser) {
    const accounts = await findUnprovenAccounts(user, account, { store, providers })
    await reclaimUser({ user, account, removed: { accounts }, phase: 'before' })
  }
  // The application may have changed the user meanwhile.
  const accounts = await findUnprovenAccounts(user, account, { store, providers })
  const factors = (await store.factors?.listKeys(user.id)) ?? []
  // Without the rows of users, the sessions end before.
  if (!store.versions)
    await userVersions.change({ userId: user.id, raises: true, isForced: true }, async () => undefined)
  return { accounts, factors }
}

/**
 * Checks that an adapter without transactions has removed the accounts of others, also those that were linked meanwhile.
 *
 * @throws AuthError `OAuthAccountNotLinked`
 */
async function requireRemoved(user: User, account: Account, store: Store, { providers }: AccountRules): Promise<void> {
  if (store.transact || (await findUnprovenAccounts(user, account, { store, providers })).length === 0) return
  throw new AuthError(
    'OAuthAccountNotLinked',
    `${account.provider}: the user still has accounts that did not prove the address; expected unlinkAccount to remove them`
  )
}

/** Removes it, with every pending operation of the user, and verifies the address. Their sessions end with the row. */
export async function writeReclaim(
  user: User,
  account: Account,
  { accounts, factors }: Unproven,
  { store, rules }: { readonly store: Store; readonly rules: AccountRules }
): Promise<AdapterUser> {
  const { id, email = null } = user
  for (const key of accounts) await store.unlinkAccount?.(key)
  for (const key of factors) await store.factors?.delete(key)
  await store.tickets?.delete(id)
  await requireRemoved(user, account, store, rules)
  return store.updateUser({ id, email, emailVerified: new Date(rules.now()) })
}

/**
 * Calls the application's listener again after a reclaim: the application may have stored a password in between. If that fails, the
 * address is unproven again, so that its owner reclaims the user once more.
 */
export async function reportReclaim(
  user: User,
  account: Account,
  store: Store,
  { reclaimUser }: AccountRules
): Promise<void> {
  await reclaimUser?.({ user, account, removed: { accounts: [] }, phase: 'after' }).catch(async (error: unknown) => {
    await store.updateUser({ id: user.id, emailVerified: null })
    throw error
  })
}
