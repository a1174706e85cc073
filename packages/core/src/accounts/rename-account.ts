import type { AccountKey, AdapterAccount, AdapterUser } from '../adapter/adapter.ts'
import { type Store, StoreError } from '../adapter/store.ts'
import type { Identity } from '../model/identity.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { isSameAccount } from './account-evidence.ts'

/** Writes an account under its new id. It keeps its evidence. */
async function write(former: AccountKey, renamed: AdapterAccount, store: Store): Promise<void> {
  const { userId, providerAccountId } = renamed
  // Another request may have renamed or removed the account since.
  if ((await store.getUserByAccount(former))?.id !== userId) return
  const all = (await store.evidence?.list(userId)) ?? []
  const evidence = all.find((row) => isSameAccount(row, former))
  // A second account is better than none if this process ends in between.
  await store.linkAccount(renamed).catch(async (error: unknown) => {
    if (!(await store.getUserByAccount(renamed))) throw error
  })
  if (evidence) await store.evidence?.put({ ...evidence, providerAccountId })
  await store.unlinkAccount?.(former)
}

/**
 * Renames an account that next-auth has stored under another id of the person, because that id can pass to another person. The account
 * gets the tokens of this sign-in. Does not wait for the sign-in: the provider has proven both ids.
 *
 * @returns The owner of the account, or `null` if nobody has it under either id.
 * @throws AuthError `StoreUnavailable`, also if the adapter cannot remove an account.
 */
export async function renameFormerAccount(
  { account: { provider, providerAccountId }, row, formerAccountId }: Identity,
  store: Store,
  userVersions: UserVersions
): Promise<AdapterUser | null> {
  if (!formerAccountId || formerAccountId === providerAccountId) return null
  const former = { provider, providerAccountId: formerAccountId }
  const owner = await store.getUserByAccount(former)
  // Another request of this user may have renamed the account since.
  if (!owner) return store.getUserByAccount(row)
  if (!store.unlinkAccount)
    throw new StoreError('unlinkAccount', 'expected the adapter to have it: an account has to be renamed')
  const renamed = { ...row, userId: owner.id }
  // A removal of the account, which may have read it under its former id, begins again.
  const change = userVersions.change({ userId: owner.id, raises: false }, (writing) => write(former, renamed, writing))
  await change.catch(async (error: unknown) => {
    if (!(await store.getUserByAccount(row))) throw error
  })
  return store.getUserByAccount(row)
}
