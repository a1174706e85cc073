import type { AdapterCall } from '../adapter/adapter.ts'
import { isCommitted, type Store, StoreError } from '../adapter/store.ts'
import { applyCall, type FeatureCall, isRefused } from '../hooks/security-event.ts'

/** A write of a feature that changes a user: together with other writes of the feature. */
export type FeatureWrite =
  | FeatureCall
  | Extract<AdapterCall, { readonly method: 'updateUser' | 'unlinkAccount' | 'requireAddress' }>
  /**
   * Deletes what depends on the address of a user: invitations, the `addressRequests` of every feature, and sign-ins that are not
   * complete.
   */
  | { readonly method: 'deleteRequests'; readonly args: readonly [userId: string] }

/** A write with the names of the store. */
export type StoreWrite = Exclude<FeatureWrite, { readonly method: 'deleteRequests' }>

/** Makes one write: a transaction records it. @returns `false` if it finds nothing to change. */
export async function applyWrite(write: StoreWrite, store: Store): Promise<boolean> {
  switch (write.method) {
    case 'updateUser':
      await store.updateUser(...write.args)
      return true
    case 'unlinkAccount':
      if (!store.unlinkAccount) throw new TypeError('commit: the adapter does not have unlinkAccount; name it in needs')
      await store.unlinkAccount(...write.args)
      return true
    case 'requireAddress':
      return store.versions ? store.versions.requireAddress(...write.args) : true
    default:
      return !isRefused(write, await applyCall(write, store))
  }
}

/**
 * Makes writes in one transaction if the store supports it, otherwise one after another, until one finds nothing to change.
 *
 * @returns `false` if a ticket or the version of a factor does not exist, or if the store refused a write, such as a key or
 * an address that exists: without transactions, the writes before it have been made.
 * @throws AuthError `StoreUnavailable`
 */
export async function commitWrites(writes: readonly StoreWrite[], store: Store): Promise<boolean> {
  if (store.transact) return isCommitted(await store.transact(writes))
  try {
    for (const write of writes) if (!(await applyWrite(write, store))) return false
    return true
  } catch (error) {
    if (error instanceof StoreError && !error.isOutage) return false
    throw error
  }
}
