import { markRevocation } from '../adapter/claim-marker.ts'
import { getMarker, type SignInMarkers } from '../adapter/sign-in-markers.ts'
import type { Store, TicketStore } from '../adapter/store.ts'
import { createSuspension, isSuspended, suspensionKey } from '../adapter/suspension-marker.ts'
import { AuthError } from '../errors/auth-error.ts'
import { changeWithEvent, type EventDeps } from '../hooks/security-event.ts'
import type { User } from '../model/user.ts'
import { AccountError } from './account-error.ts'
import type { SessionManager } from './session-manager.ts'

/** What suspending users depends on. */
export interface SuspensionDeps extends EventDeps {
  readonly sessionManager: SessionManager
  /** Whether users may sign in who are not in the store: those of a form, with JWT sessions. */
  readonly hasUnstoredUsers: boolean
}

/**
 * Checks that a user is not suspended: before a sign-in writes anything, and again after it has created the session. A
 * suspension is written before sessions end, so one of the two sees the other.
 *
 * @param user - `null` for a new user.
 * @param markers - Those of the user.
 * @throws AuthError `UserSuspended`
 */
export function requireActiveUser(user: Pick<User, 'id'> | null, providerId: string, markers: SignInMarkers): void {
  if (user && getMarker(markers, 'suspension'))
    throw new AuthError('UserSuspended', `${providerId}: the user is suspended`, { userId: user.id })
}

/** A store that keeps suspensions. */
type SuspensionStore = Store & { readonly tickets: TicketStore }

/** @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
async function requireUserIn({ store, hasUnstoredUsers }: SuspensionDeps, userId: string): Promise<SuspensionStore> {
  if (!store?.tickets)
    throw new AccountError(
      'ADAPTER_INCOMPLETE',
      'expected an adapter that stores tickets (createTicket, consumeTicket, …)'
    )
  // The query also fails for an id that ending the sessions would fail for.
  if (!(await store.getUser(userId)) && !hasUnstoredUsers)
    throw new AccountError('UNKNOWN_USER', 'there is no user with this id')
  return { ...store, tickets: store.tickets }
}

/**
 * Suspends a user, and then ends their sessions, pending operations and known devices. A repeated call completes one that
 * failed.
 *
 * @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER`; nothing is changed.
 */
export async function suspend(userId: string, deps: SuspensionDeps): Promise<void> {
  const { sessionManager, now } = deps
  sessionManager.require('endAll')
  const { tickets } = await requireUserIn(deps, userId)
  const write = async (writing: Store | null): Promise<unknown> =>
    writing?.tickets?.create(createSuspension(userId, now()))
  if (!(await isSuspended(userId, tickets)))
    await changeWithEvent({ type: 'suspend', userId }, write, true, deps).catch(async (error: unknown) => {
      // A concurrent call may have written it.
      if (!(await isSuspended(userId, tickets))) throw error
    })
  // A form may have checked the password before: its sign-in ends with the sessions, also if the user is resumed soon.
  await markRevocation(userId, tickets, now())
  await tickets.delete(userId)
  await sessionManager.endAll(userId)
}

/** Ends the suspension of a user. @throws AccountError `ADAPTER_INCOMPLETE`, `UNKNOWN_USER` */
export async function resume(userId: string, deps: SuspensionDeps): Promise<void> {
  const { tickets } = await requireUserIn(deps, userId)
  if (!(await isSuspended(userId, tickets))) return
  const remove = async (writing: Store | null): Promise<unknown> => writing?.tickets?.consume(suspensionKey(userId))
  await changeWithEvent({ type: 'resume', userId }, remove, true, deps).catch(async (error: unknown) => {
    if (await isSuspended(userId, tickets)) throw error
  })
}
