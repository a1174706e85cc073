import type { FeatureContext, FeatureRequest, FeatureWrite } from '@postern/core/feature'
import { withLocks } from '../email/locks.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { deletionKey, readScheduledDeletion } from './scheduled-deletion.ts'

/**
 * Cancels the deletion of the account of the signed-in user, and notifies the owner. A repeated call changes nothing.
 *
 * @returns `'due'` if it is too late; `'busy'` if another change of the account is running.
 */
export function cancelDeletion(
  request: FeatureRequest,
  userId: string,
  context: FeatureContext
): Promise<'cancelled' | 'due' | 'busy'> {
  const cancel = async (release: readonly FeatureWrite[]): Promise<'cancelled' | 'due' | 'busy'> => {
    // The session may have been ended by another process, which this one has not read yet.
    await request.confirmUser()
    const deletion = await readScheduledDeletion(userId, context)
    if (!deletion) return 'cancelled'
    if (deletion.deleteAt <= context.now()) return 'due'
    const event = context.createEvent('deletion-cancelled', { userId, request })
    const isCancelled = await context.commit([
      { method: 'consumeTicket', args: [await deletionKey(userId)] },
      { method: 'addEvents', args: [[event]] },
      ...release
    ])
    if (!isCancelled) return (await readScheduledDeletion(userId, context)) ? 'busy' : 'cancelled'
    const user = await context.users.getUser(userId)
    // Another library may have deleted the user.
    if (!user) return 'cancelled'
    const addresses = [...new Set([...deletion.addresses, ...(await listAddresses(user, context))])]
    notifyOwner(addresses, { mail: 'deletion-cancelled', user, request, path: '/account' }, context)
    return 'cancelled'
  }
  return withLocks({ userId, email: null }, cancel, context)
}
