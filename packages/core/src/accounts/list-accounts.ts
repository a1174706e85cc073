import type { AccountKey } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import type { Provider } from '../model/provider.ts'
import { isSameAccount } from './account-evidence.ts'

/** An account of a user at a provider, without its tokens. */
export interface LinkedAccount extends AccountKey {
  /** `oauth`, `oidc`, `email`, `credentials`, or the type of a feature's sign-in method. */
  readonly type: string
  /** The name of the provider; `null` if it is not configured, so that the account does not allow a sign-in. */
  readonly providerName: string | null
  /** The address that the provider stated as verified at the last sign-in; `null` if that was not recorded. */
  readonly email: string | null
}

/**
 * Lists the accounts of a user, in the order of the store.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter lacks `getAccounts`.
 */
export async function listAccounts(
  userId: string,
  store: Store | null,
  providers: ReadonlyMap<string, Provider>
): Promise<readonly LinkedAccount[]> {
  if (!store?.getAccounts)
    throw new AccountError('ADAPTER_INCOMPLETE', 'expected an adapter with the method getAccounts')
  const [accounts, evidence] = await Promise.all([store.getAccounts(userId), store.evidence?.list(userId) ?? []])
  return accounts.map(({ provider, providerAccountId, type }) => {
    const proof = evidence.find((one) => isSameAccount(one, { provider, providerAccountId }))
    const providerName = providers.get(provider)?.name ?? null
    return { provider, providerAccountId, type, providerName, email: proof?.email ?? null }
  })
}
