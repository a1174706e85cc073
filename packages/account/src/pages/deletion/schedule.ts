import type { AdapterUser, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { ticketKinds } from '../../ticket-kinds.ts'
import { changeInSession } from '../change-access.ts'
import { dayLength } from '../day-length.ts'
import { createDecisionLink } from '../decision.ts'
import { storeRequest } from '../stored-request.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { deletionKey, readScheduledDeletion, type ScheduledDeletion, toDeletionTicket } from './scheduled-deletion.ts'
import { linkPath } from './show-deletion.ts'

/** When an account is deleted. */
interface DeletionTime {
  readonly days: number
  /** Whether the owner of the address may delete it at once. */
  readonly isConfirmable: boolean
}

/**
 * Creates a deletion. The owner of the address gets the link that deletes the account at once or keeps it, before anything is written: a
 * deletion that nobody could cancel must not wait.
 *
 * @throws AuthError `EmailSignin`
 */
async function createDeletion(
  request: FeatureRequest,
  user: AdapterUser,
  { days, isConfirmable }: DeletionTime,
  context: FeatureContext
): Promise<ScheduledDeletion> {
  const [scheduledAt, addresses] = [context.now(), listAddresses(user)]
  const deleteAt = scheduledAt + days * dayLength
  const deletion = { userId: user.id, scheduledAt, deleteAt, addresses, scheduledBy: storeRequest(request) }
  if (!isConfirmable) return deletion
  const { url, hash } = createDecisionLink(deletionKey(user.id), linkPath, request, context)
  const facts = { time: new Date(scheduledAt), date: new Date(deleteAt), client: request.client ?? '–', url }
  for (const email of addresses) await context.sendMail(email, 'deletion-waiting', facts, { request, user })
  return { ...deletion, token: hash }
}

/** Writes the ticket of a deletion, for the session that asks for it. All sessions end if nobody can confirm the deletion. */
function write(
  deletion: ScheduledDeletion,
  request: FeatureRequest,
  context: FeatureContext
): Promise<'changed' | 'conflict' | 'known'> {
  const { userId, token } = deletion
  const ticket = toDeletionTicket(deletion)
  return changeInSession<'known'>(request)(async () => {
    if (await readScheduledDeletion(userId, context)) return 'known'
    const event = context.createEvent('deletion-scheduled', { userId, request })
    return {
      ends: token === undefined ? 'all' : 'nothing',
      writes: [
        // One that cannot be read without its secret would prevent the new one.
        { method: 'deleteTickets', args: [userId, ticketKinds.deletion.name] },
        { method: 'createTicket', args: [ticket] },
        { method: 'addEvents', args: [[event]] }
      ]
    }
  })
}

/**
 * Schedules the deletion of the account, and notifies the owner. A repeated call changes nothing; the lease lets one of several
 * calls do it, so that the owner gets one mail.
 *
 * @throws AuthError `EmailSignin` if the owner of the address could not be notified.
 */
export function scheduleDeletion(
  request: FeatureRequest,
  user: AdapterUser,
  time: DeletionTime,
  context: FeatureContext
): Promise<ScheduledDeletion> {
  return context.withLease(`deletion ${user.id}`, async () => {
    await request.confirmUser()
    const known = await readScheduledDeletion(user.id, context)
    if (known) return known
    const deletion = await createDeletion(request, user, time, context)
    const outcome = await write(deletion, request, context)
    if (outcome !== 'changed') return (await readScheduledDeletion(user.id, context)) ?? deletion
    if (time.isConfirmable) return deletion
    const { deleteAt, addresses } = deletion
    const values = { date: new Date(deleteAt) }
    notifyOwner(addresses, { mail: 'deletion-scheduled', user, request, values, path: '/account' }, context)
    return deletion
  })
}
