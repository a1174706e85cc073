import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import type { FeatureHooks } from '../hooks/feature-hooks.ts'
import type { SessionManager } from '../sessions/session-manager.ts'
import { maxRestarts, type UserVersions } from '../sessions/user-versions.ts'
import { deleteUserTickets } from './delete-tickets.ts'
import { requireSameAddress } from './require-same-address.ts'

/** What suspending users depends on. */
export interface SuspensionDeps {
  readonly store: Store | null
  readonly sessionManager: SessionManager
  readonly userVersions: UserVersions
  readonly features: Pick<FeatureHooks, 'lastingTickets'>
  /** Whether users may sign in who are not in the store: those of a form, with JWT sessions. */
  readonly hasUnstoredUsers: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
async function findUser({ store, hasUnstoredUsers }: SuspensionDeps, userId: string) {
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
export async function suspend(userId: string, deps: SuspensionDeps): Promise<void> {
  const { sessionManager, userVersions, now } = deps
  sessionManager.require('endAll')
  let tries = 0
  await userVersions.decide({ userId, isForced: true }, async ({ suspendedAt }) => {
    const { user, hasTransactions } = await findUser(deps, userId)
    const isLast = tries++ === maxRestarts
    const write = async (writing: Store): Promise<void> => {
      // The row of a user who is deleted meanwhile is not suspended. A change of the address at each try prevents nothing.
      if (user && hasTransactions && !isLast) await requireSameAddress(user, writing)
      await deleteUserTickets(userId, writing, deps)
    }
    return {
      raises: true,
      suspendedAt: suspendedAt ?? new Date(now()),
      events: suspendedAt ? [] : [{ type: 'suspend', userId }],
      ended: { userId, sessionId: null },
      write
    }
  })
}

/** Ends the suspension of a user; it brings nothing back. @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
export async function resume(userId: string, deps: SuspensionDeps): Promise<void> {
  const { versions } = await findUser(deps, userId)
  if ((await versions.get(userId)).suspendedAt === null) return
  const change = { userId, raises: false, isForced: true, suspendedAt: null } as const
  await deps.userVersions.change({ ...change, events: [{ type: 'resume', userId }] }, async () => undefined)
}
