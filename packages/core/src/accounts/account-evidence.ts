import type { AccountKey, AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
import { isEmailInIdToken } from '../oauth/profile.ts'

/** Records that an account has proven its email address. A later reclaim by this address then keeps the account. */
export async function recordEvidence(
  { account, user, emailVerified }: Identity,
  userId: string,
  store: Store,
  now: () => number
): Promise<void> {
  const { provider, providerAccountId } = account
  if (!store.evidence || !emailVerified || !user.email) return
  await store.evidence.put({ provider, providerAccountId, userId, email: user.email, verifiedAt: new Date(now()) })
}

/**
 * Finds the accounts of a user that have not proven the email address, and that a reclaim therefore removes.
 *
 * The evidence is the record of a previous sign-in with the account, otherwise the stored ID Token.
 *
 * @param proving - The account that proves the address now.
 * @throws AuthError `StoreUnavailable`
 */
export async function findUnprovenAccounts(
  { id, email }: Pick<User, 'id' | 'email'>,
  proving: AccountKey,
  { store, providers }: { readonly store: Store; readonly providers: ReadonlyMap<string, Provider> }
): Promise<readonly AccountKey[]> {
  const address = email?.toLowerCase() ?? ''
  const accounts = (await store.getAccounts?.(id)) ?? []
  const recorded = accounts.length > 0 && store.evidence ? await store.evidence.list(id) : []
  const isProven = async (account: AdapterAccount): Promise<boolean> =>
    isSameAccount(account, proving) ||
    recorded.some((evidence) => evidence.email === address && isSameAccount(evidence, account)) ||
    isEmailInIdToken(account, address, providers.get(account.provider))
  const unproven: AccountKey[] = []
  for (const account of accounts) {
    const { provider, providerAccountId } = account
    if (!(await isProven(account))) unproven.push({ provider, providerAccountId })
  }
  return unproven
}

export const isSameAccount = (one: AccountKey, other: AccountKey): boolean =>
  one.provider === other.provider && one.providerAccountId === other.providerAccountId
