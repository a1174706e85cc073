import type { AdapterUser } from '../adapter/adapter.ts'
import type { Store } from '../adapter/store.ts'

/** @returns The user with this email address, compared exactly. */
export async function findUserByEmail(
  address: string | null | undefined,
  store: Pick<Store, 'getUserByEmail'>
): Promise<AdapterUser | null> {
  return address ? store.getUserByEmail(address) : null
}
