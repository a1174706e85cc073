import type { AccountKey, Adapter, AdapterAccount } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import { AccountError } from './account-error.ts'

function needed<T>(method: T | null | undefined, name: keyof Adapter): T {
  if (!method) throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the method ${name}`)
  return method
}

/**
 * Takes an account from a user, unless it is their last way in.
 *
 * @param hasMail - Whether the application signs in by e-mail: a proven address is a way in then.
 * @returns The account as it was, with its tokens.
 * @throws AccountError
 */
export async function unlink(
  userId: string,
  account: AccountKey,
  store: Store | null,
  hasMail: boolean
): Promise<AdapterAccount> {
  const accounts = await needed(store?.getAccounts, 'getAccounts')(userId)
  const isThis = ({ provider, providerAccountId }: AccountKey): boolean =>
    provider === account.provider && providerAccountId === account.providerAccountId
  const found = accounts.find(isThis)
  if (!found) throw new AccountError('UNKNOWN_ACCOUNT', 'the user does not have this account')
  const user = await store?.getUser(userId)
  const canMail = hasMail && Boolean(user?.email)
  if (accounts.length === 1 && !canMail)
    throw new AccountError('LAST_WAY_IN', 'the account is the last way in that the user has')
  const { provider, providerAccountId } = account
  await needed(store?.unlinkAccount, 'unlinkAccount')({ provider, providerAccountId })
  return found
}

/** Deletes a user with everything that is theirs; their sessions end first. @throws AccountError */
export async function deleteUser(userId: string, store: Store | null): Promise<void> {
  const remove = needed(store?.deleteUser, 'deleteUser')
  await store?.deleteSessions?.(userId)
  await remove(userId)
}
