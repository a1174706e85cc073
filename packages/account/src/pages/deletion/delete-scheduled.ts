import type { AdapterUser, FeatureContext, RequestInfo, UserState } from '@postern/core/feature'
import { putTicket } from '../../put-ticket.ts'
import type { ChangeAccess } from '../change-access.ts'
import { toRequestInfo } from '../stored-request.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import {
  deletionKey,
  isDue,
  parseDeletion,
  readScheduledDeletion,
  type ScheduledDeletion,
  toDeletionTicket,
  toOutcomeTicket
} from './scheduled-deletion.ts'

/** Milliseconds after which another process does what a process has begun, which has ended. */
const maxDuration = 60_000

/** Why a deletion is not begun: it is not scheduled, or another request is deleting the user. */
type Refusal = 'gone' | 'busy'

/** A deletion that may happen now. */
interface AllowedDeletion {
  readonly userId: string
  /** Asked after the user was read. */
  readonly isAllowed: (deletion: ScheduledDeletion, current: UserState) => boolean
  readonly changeAccess: ChangeAccess<Refusal>
}

/**
 * Begins a deletion: it cannot be canceled anymore, and of several requests, one does it. If its process ends now, another one does it
 * later.
 */
function begin(
  { userId, isAllowed, changeAccess }: AllowedDeletion,
  context: FeatureContext
): Promise<'changed' | 'conflict' | Refusal> {
  const now = context.now()
  return changeAccess(async (current) => {
    const ticket = await context.tickets.read(deletionKey(userId))
    const deletion = parseDeletion(ticket)
    if (!ticket || !deletion || !isAllowed(deletion, current)) return 'gone'
    if (deletion.begunAt !== undefined && now - deletion.begunAt < maxDuration) return 'busy'
    const begun = toDeletionTicket({ ...deletion, deleteAt: Math.min(deletion.deleteAt, now), begunAt: now })
    return { ends: 'nothing', writes: [{ method: 'putTicket', args: [begun, ticket] }] }
  })
}

/** Deletes the user of a deletion that has begun. @returns Whether there was one. */
async function finish(
  deletion: ScheduledDeletion,
  request: RequestInfo | null,
  context: FeatureContext
): Promise<boolean> {
  const { userId, addresses, scheduledBy } = deletion
  const user = await context.users.getUser(userId)
  if (user) await context.postern.deleteUser(userId, request ? { request } : {})
  // Another library may have deleted the user without the ticket.
  await context.tickets.consume(deletionKey(userId))
  if (!user) return false
  const notified = [...new Set([...listAddresses(user), ...addresses])]
  notifyOwner(notified, { mail: 'deleted', user, request: request ?? toRequestInfo(scheduledBy, context) }, context)
  const deleted = toOutcomeTicket('deleted', deletion, context)
  // Another process may have done the same.
  if (deleted) await putTicket(deleted, null, context)
  return true
}

/**
 * Deletes the user of a scheduled deletion that may happen now. A deletion that was interrupted is repeated.
 *
 * @param request - `null` if the timer deletes the user.
 * @returns `'busy'` if another request is deleting the user.
 */
async function deleteScheduled(
  allowed: AllowedDeletion,
  request: RequestInfo | null,
  context: FeatureContext
): Promise<'done' | 'nothing' | 'busy'> {
  const deletion = await readScheduledDeletion(allowed.userId, context)
  if (!deletion) return 'nothing'
  // Nothing begins that the store refuses.
  await context.postern.checkDeletion(allowed.userId)
  const outcome = await begin(allowed, context)
  if (outcome !== 'changed') return outcome === 'busy' ? 'busy' : 'nothing'
  return (await finish(deletion, request, context)) ? 'done' : 'nothing'
}

/** Deletes a user whose grace period has ended. */
export async function deleteIfDue(userId: string, context: FeatureContext): Promise<'done' | 'nothing' | 'busy'> {
  const deletion = await readScheduledDeletion(userId, context)
  if (!deletion || !isDue(deletion, context)) return 'nothing'
  const isAllowed = (current: ScheduledDeletion): boolean => isDue(current, context)
  const changeAccess: ChangeAccess<Refusal> = (plan) => context.changeAccess(userId, plan)
  return deleteScheduled({ userId, isAllowed, changeAccess }, null, context)
}

/** What allows a deletion before its time. */
export interface Confirmation {
  readonly request: RequestInfo
  readonly isAllowed?: (user: AdapterUser) => boolean
  readonly changeAccess: ChangeAccess<Refusal>
}

/** Deletes the account at once, in place of the deletion that waits. Of concurrent calls, one does it. */
export async function deleteConfirmed(
  { userId, token }: ScheduledDeletion,
  { request, isAllowed = () => true, changeAccess }: Confirmation,
  context: FeatureContext
): Promise<'deleted' | 'gone'> {
  // The mailbox may be why the user was suspended.
  const isSame = (current: ScheduledDeletion, { user, isSuspended }: UserState): boolean =>
    token !== undefined && current.token === token && user !== null && !isSuspended && isAllowed(user)
  const outcome = await deleteScheduled({ userId, isAllowed: isSame, changeAccess }, request, context)
  return outcome === 'nothing' ? 'gone' : 'deleted'
}
