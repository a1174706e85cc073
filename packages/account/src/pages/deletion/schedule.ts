import type { AdapterUser, FeatureContext, FeatureRequest } from '@postern/core/feature'
import { dayLength } from '../day-length.ts'
import { createDecisionLink } from '../decision.ts'
import { storeRequest } from '../stored-request.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { linkPath } from './pending-deletion.ts'
import {
  deletionKey,
  deletionKind,
  readScheduledDeletion,
  type ScheduledDeletion,
  toDeletionTicket
} from './scheduled-deletion.ts'

function createDeletion(
  request: FeatureRequest,
  user: AdapterUser,
  days: number,
  context: FeatureContext
): ScheduledDeletion {
  const scheduledAt = context.now()
  return {
    userId: user.id,
    scheduledAt,
    deleteAt: scheduledAt + days * dayLength,
    addresses: listAddresses(user),
    scheduledBy: storeRequest(request)
  }
}

/**
 * Mails the owner of the address the link that deletes the account at once or keeps it, before anything is written: a deletion that
 * nobody could cancel must not wait.
 *
 * @returns The hash of its token.
 * @throws AuthError `EmailSignin`
 */
async function mailLink(
  request: FeatureRequest,
  user: AdapterUser,
  { deleteAt, addresses }: ScheduledDeletion,
  context: FeatureContext
): Promise<string> {
  const { url, hash } = createDecisionLink(deletionKey(user.id), linkPath, request, context)
  const facts = { time: new Date(context.now()), date: new Date(deleteAt), client: request.client ?? '–', url }
  for (const email of addresses) await context.sendMail(email, 'deletion-waiting', facts, { request, user })
  return hash
}

/** When an account is deleted. */
interface DeletionTime {
  readonly days: number
  /** Whether the owner of the address may delete it at once. */
  readonly isConfirmable: boolean
}

/** Writes the ticket of a deletion, for the session that asks for it. All sessions end if nobody can confirm the deletion. */
async function write(
  deletion: ScheduledDeletion,
  { isConfirmable }: Pick<DeletionTime, 'isConfirmable'>,
  request: FeatureRequest,
  context: FeatureContext
): Promise<'changed' | 'conflict' | 'known'> {
  const { userId } = deletion
  const ticket = toDeletionTicket(deletion)
  return request.changeAccess<'known'>(
    async () => {
      if (await readScheduledDeletion(userId, context)) return 'known'
      const event = context.createEvent('deletion-scheduled', { userId, request })
      return {
        ends: isConfirmable ? 'nothing' : 'all',
        writes: [
          // One that cannot be read without its secret would prevent the new one.
          { method: 'deleteTickets', args: [userId, deletionKind] },
          { method: 'createTicket', args: [ticket] },
          { method: 'addEvents', args: [[event]] }
        ]
      }
    },
    { isLimited: false }
  )
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
  { days, isConfirmable }: DeletionTime,
  context: FeatureContext
): Promise<ScheduledDeletion> {
  return context.withLease(`deletion ${user.id}`, async () => {
    await request.confirmUser()
    const known = await readScheduledDeletion(user.id, context)
    if (known) return known
    const asked = createDeletion(request, user, days, context)
    const deletion = isConfirmable ? { ...asked, token: await mailLink(request, user, asked, context) } : asked
    const outcome = await write(deletion, { isConfirmable }, request, context)
    if (outcome !== 'changed') return (await readScheduledDeletion(user.id, context)) ?? deletion
    if (isConfirmable) return deletion
    const { deleteAt, addresses } = deletion
    const values = { date: new Date(deleteAt) }
    notifyOwner(addresses, { mail: 'deletion-scheduled', user, request, values, path: '/account' }, context)
    return deletion
  })
}
