import type { AccountKey } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { Provider } from '../model/provider.ts'
import type { User } from '../model/user.ts'
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

/** The accounts of a user, by whether a claim keeps them. */
export interface ClaimedAccounts {
  /** Those that have proven the email address, now or before. */
  readonly proven: readonly AccountKey[]
  readonly unproven: readonly AccountKey[]
}

/**
 * Finds the accounts of a user that a claim keeps, and those that it removes: they have not proven the email address.
 *
 * The evidence is the record of a previous sign-in with the account, otherwise the stored ID Token.
 *
 * @param claiming - The account that proves the address now.
 * @throws AuthError `StoreUnavailable`
 */
export async function findClaimedAccounts(
  { id, email }: Pick<User, 'id' | 'email'>,
  claiming: AccountKey,
  { store, providers }: { readonly store: Store; readonly providers: ReadonlyMap<string, Provider> }
): Promise<ClaimedAccounts> {
  const address = email?.toLowerCase() ?? ''
  const accounts = (await store.getAccounts?.(id)) ?? []
  const recorded = accounts.length > 0 && store.evidence ? await store.evidence.list(id) : []
  const [proven, unproven]: [AccountKey[], AccountKey[]] = [[], []]
  for (const account of accounts) {
    const { provider, providerAccountId } = account
    const isProven =
      isSameAccount(account, claiming) ||
      recorded.some((evidence) => evidence.email === address && isSameAccount(evidence, account)) ||
      (await isEmailInIdToken(account, address, providers.get(provider)))
    const list = isProven ? proven : unproven
    list.push({ provider, providerAccountId })
  }
  return { proven, unproven }
}

const isSameAccount = (one: AccountKey, other: AccountKey): boolean =>
  one.provider === other.provider && one.providerAccountId === other.providerAccountId
