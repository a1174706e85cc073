import type { AdapterUser, NewUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'
import type { Account } from '../model/account.ts'

/** Makes a user and their account one after the other, for a store that cannot make both at once. */
export async function createThenLink(row: NewUser, account: Account, store: Store): Promise<AdapterUser> {
  const user = await store.createUser(row)
  // A user without the account would keep the address from its owner at the next sign-in.
  await store.linkAccount({ ...account, userId: user.id }).catch(async (error: unknown) => {
    await store.deleteUser?.(user.id).catch(() => undefined)
    throw error
  })
  return user
}
