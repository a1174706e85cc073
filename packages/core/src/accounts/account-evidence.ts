import type { AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'
import { isEmailInIdToken } from '../oauth/id-token-evidence.ts'

/** Records that an account has proven its email address. A later join by this address then keeps the account. */
export async function recordEvidence(
  { account, user, emailVerified }: Identity,
  userId: string,
  { store, now }: { readonly store: Store; readonly now: () => number }
): Promise<void> {
  const { provider, providerAccountId } = account
  if (!store.evidence || !emailVerified || !user.email) return
  await store.evidence.put({ provider, providerAccountId, userId, email: user.email, verifiedAt: new Date(now()) })
}

/**
 * Finds the accounts of a user that have not proven an email address.
 *
 * The evidence is the record of a previous sign-in with the account, otherwise the stored ID Token.
 *
 * @param email - The address, in lower case.
 * @throws AuthError `StoreUnavailable`
 */
export async function accountsWithoutEvidence(
  userId: string,
  email: string,
  { store, providers }: { readonly store: Store; readonly providers: ReadonlyMap<string, Provider> }
): Promise<readonly AdapterAccount[]> {
  const accounts = (await store.getAccounts?.(userId)) ?? []
  const recorded = accounts.length > 0 && store.evidence ? await store.evidence.list(userId) : []
  const unproven: AdapterAccount[] = []
  for (const account of accounts) {
    const isRecorded = recorded.some(
      (evidence) =>
        evidence.email === email &&
        evidence.provider === account.provider &&
        evidence.providerAccountId === account.providerAccountId
    )
    if (isRecorded || (await isEmailInIdToken(account, email, providers.get(account.provider)))) continue
    unproven.push(account)
  }
  return unproven
}
