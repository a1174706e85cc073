import type { FeatureContext, FeatureRequest } from '@postern/core/feature'
import type { ChangeAccess } from '../change-access.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { deletionKey, isDue, readScheduledDeletion, toOutcomeTicket } from './scheduled-deletion.ts'

/**
 * Cancels the deletion of the account of a user, and notifies the owner. A repeated call changes nothing.
 *
 * @returns `'due'` if it is too late.
 */
export async function cancelDeletion(
  request: FeatureRequest,
  userId: string,
  changeAccess: ChangeAccess<'due' | 'gone'>,
  context: FeatureContext
): Promise<'cancelled' | 'due'> {
  const before = await readScheduledDeletion(userId, context)
  const outcome = await changeAccess(async () => {
    const deletion = await readScheduledDeletion(userId, context)
    if (!deletion) return 'gone'
    if (isDue(deletion, context)) return 'due'
    const event = context.createEvent('deletion-cancelled', { userId, request })
    const key = deletionKey(userId)
    const kept = toOutcomeTicket('kept', deletion, context)
    return {
      ends: 'nothing',
      writes: [
        { method: 'consumeTicket', args: [key] },
        { method: 'addEvents', args: [[event]] },
        ...(kept ? [{ method: 'createTicket', args: [kept] } as const] : [])
      ]
    }
  })
  if (outcome === 'due') return 'due'
  const user = outcome === 'changed' ? await context.users.getUser(userId) : null
  // Another library may have deleted the user.
  if (!user) return 'cancelled'
  const addresses = [...new Set([...(before?.addresses ?? []), ...listAddresses(user)])]
  notifyOwner(addresses, { mail: 'deletion-cancelled', user, request, path: '/account' }, context)
  return 'cancelled'
}
