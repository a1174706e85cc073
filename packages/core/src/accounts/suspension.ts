import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import type { SessionManager } from '../sessions/session-manager.ts'
import { maxRestarts } from '../sessions/user-versions.ts'
import type { AccountRules } from './account-rules.ts'
import { deleteUserTickets } from './delete-tickets.ts'
import { requireSameAddress } from './require-same-address.ts'

/** @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
async function findUser(userId: string, { store }: SessionManager, { hasUnstoredUsers }: AccountRules) {
  if (!store?.versions)
    throw new AccountError(
      'ADAPTER_INCOMPLETE',
      'expected an adapter that stores the versions of users (getUserVersion, advanceUser)'
    )
  // The query also fails for an id that ending the sessions would fail for.
  const user = await store.getUser(userId)
  if (!user && !hasUnstoredUsers) throw new AccountError('UNKNOWN_USER', 'there is no user with this id')
  return { user, versions: store.versions, hasTransactions: store.transact !== null }
}

/** Whether a user is suspended. @throws AuthError `StoreUnavailable` */
export async function isSuspended(userId: string, { versions }: Pick<Store, 'versions'>): Promise<boolean> {
  return versions !== null && (await versions.get(userId)).suspendedAt !== null
}

/**
 * Suspends a user, and ends their sessions, pending operations and known devices.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER`; nothing is changed.
 */
export async function suspend(userId: string, sessions: SessionManager, rules: AccountRules): Promise<void> {
  sessions.require('endAll')
  let tries = 0
  await sessions.userVersions.decide({ userId, isForced: true }, async ({ suspendedAt }) => {
    const { user, hasTransactions } = await findUser(userId, sessions, rules)
    const isLast = tries++ === maxRestarts
    const write = async (writing: Store): Promise<void> => {
      // The row of a user who is deleted meanwhile is not suspended. A change of the address at each try prevents nothing.
      if (user && hasTransactions && !isLast) await requireSameAddress(user, writing)
      await deleteUserTickets(userId, writing, sessions.store, rules.features)
    }
    return {
      raises: true,
      suspendedAt: suspendedAt ?? new Date(rules.now()),
      events: suspendedAt ? [] : [{ type: 'suspend', userId }],
      ended: { userId, sessionId: null },
      write
    }
  })
}

/** Ends the suspension of a user; it brings nothing back. @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
export async function resume(userId: string, sessions: SessionManager, rules: AccountRules): Promise<void> {
  const { versions } = await findUser(userId, sessions, rules)
  if ((await versions.get(userId)).suspendedAt === null) return
  const change = { userId, raises: false, isForced: true, suspendedAt: null } as const
  await sessions.userVersions.change({ ...change, events: [{ type: 'resume', userId }] }, async () => undefined)
}
