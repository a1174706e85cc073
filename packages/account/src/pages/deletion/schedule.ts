import {
  type AdapterUser,
  type FeatureContext,
  type FeatureRequest,
  type FeatureWrite,
  getHeader
} from '@postern/core/feature'
import { withLocks } from '../email/locks.ts'
import { formatTime } from '../notify-user.ts'
import { createEntry, findFreeIndex, toDay } from './due-queue.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import {
  dayLength,
  deletionKey,
  readScheduledDeletion,
  type ScheduledDeletion,
  toDeletionTicket
} from './scheduled-deletion.ts'

/** How often other processes may take the number of the entry. */
const maxAttempts = 50

async function createDeletion(
  request: FeatureRequest,
  user: AdapterUser,
  { days, claimMark }: { readonly days: number; readonly claimMark: string },
  context: FeatureContext
): Promise<ScheduledDeletion> {
  const { origin, client, id, cookies } = request
  const scheduledAt = context.now()
  return {
    ...{ userId: user.id, claimMark, scheduledAt, deleteAt: scheduledAt + days * dayLength },
    addresses: await listAddresses(user, context),
    scheduledBy: {
      ...{ origin, client, id },
      acceptLanguage: getHeader(request, 'accept-language'),
      language: cookies.get('postern.language') ?? null
    }
  }
}

/** Writes the ticket of the deletion and its entry. @returns `false` if others took the number of the entry each time. */
async function write(
  deletion: ScheduledDeletion,
  more: readonly FeatureWrite[],
  context: FeatureContext
): Promise<boolean> {
  const { tickets, commit } = context
  const ticket = await toDeletionTicket(deletion)
  // A ticket that cannot be read, without its secret, would prevent the new one.
  await tickets.consume(await deletionKey(deletion.userId))
  let index = await findFreeIndex(toDay(deletion.deleteAt), context)
  for (let attempt = 0; attempt < maxAttempts; attempt++, index++) {
    // Without transactions, the entry is first: a ticket without one would never be due.
    const writes: FeatureWrite[] = [createEntry(deletion, index), { method: 'createTicket', args: [ticket] }, ...more]
    if (await commit(writes)) return true
    if (await readScheduledDeletion(deletion.userId, context)) return true
  }
  return false
}

/**
 * Requires that the session is still valid, and cancels the deletion otherwise: a suspension, for example, cancels deletions, and may
 * have done so before this one was written.
 */
async function confirmSchedule(request: FeatureRequest, userId: string, { tickets }: FeatureContext): Promise<void> {
  try {
    await request.confirmUser()
  } catch (error) {
    await tickets.consume(await deletionKey(userId))
    throw error
  }
}

/**
 * Schedules the deletion of the account, and notifies the owner. A repeated call changes nothing.
 *
 * @returns `'busy'` if another change of the account is running.
 */
export function scheduleDeletion(
  request: FeatureRequest,
  user: AdapterUser,
  days: number,
  context: FeatureContext
): Promise<ScheduledDeletion | 'busy'> {
  const schedule = async (release: readonly FeatureWrite[]): Promise<ScheduledDeletion | 'busy'> => {
    const claimMark = await context.readClaimMark(user.id)
    // All sessions may have been ended meanwhile, by an undo of the email address for example.
    await request.confirmUser()
    const known = await readScheduledDeletion(user.id, context)
    if (known) return known
    const deletion = await createDeletion(request, user, { days, claimMark }, context)
    const { deleteAt, addresses } = deletion
    const event = context.createEvent('deletion-scheduled', { userId: user.id, request })
    if (!(await write(deletion, [{ method: 'addEvents', args: [[event]] }, ...release], context))) return 'busy'
    await confirmSchedule(request, user.id, context)
    const values = { date: formatTime(new Date(deleteAt)) }
    notifyOwner(addresses, { mail: 'deletion-scheduled', user, request, values, path: '/account' }, context)
    return deletion
  }
  return withLocks({ userId: user.id, email: null }, schedule, context)
}
