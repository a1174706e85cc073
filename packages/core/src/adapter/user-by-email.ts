import type { AdapterUser } from './adapter.ts'
import type { Store } from './store.ts'

/** @returns Who has exactly this address: a store that compares addresses loosely must not decide who somebody is. */
export async function userByAddress(
  address: string | null | undefined,
  store: Pick<Store, 'getUserByEmail'>
): Promise<AdapterUser | null> {
  const found = address ? await store.getUserByEmail(address) : null
  return found?.email?.toLowerCase() === address ? found : null
}
