import type { FeatureContext, RequestInfo } from '@postern/core/feature'
import { withLocks } from '../email/locks.ts'
import { listAddresses, notifyOwner } from './notify-owner.ts'
import { deletionKey, readScheduledDeletion, type ScheduledDeletion } from './scheduled-deletion.ts'

/** The request that has scheduled the deletion, as far as it is stored. */
function toRequest(
  { scheduledBy: { origin, client, id, acceptLanguage, language } }: ScheduledDeletion,
  context: Pick<FeatureContext, 'origin'>
): RequestInfo {
  return {
    ...{ origin: context.origin ?? origin, client, id },
    headers: acceptLanguage === null ? {} : { 'accept-language': acceptLanguage },
    cookies: new Map(language === null ? [] : [['postern.language', language]])
  }
}

/**
 * Deletes a user whose grace period has ended. The ticket goes with the user, so a deletion that was interrupted is repeated.
 *
 * @returns `'nothing'` if no deletion is due; `'busy'` if another process is changing the account.
 */
export function deleteIfDue(userId: string, context: FeatureContext): Promise<'deleted' | 'nothing' | 'busy'> {
  const remove = async (): Promise<'deleted' | 'nothing'> => {
    const deletion = await readScheduledDeletion(userId, context)
    if (!deletion || deletion.deleteAt > context.now()) return 'nothing'
    const user = await context.users.getUser(userId)
    const current = user ? await listAddresses(user, context) : []
    if (user) await context.postern.deleteUser(userId)
    // Another library may have deleted the user without the ticket.
    await context.tickets.consume(await deletionKey(userId))
    if (!user) return 'nothing'
    const addresses = [...new Set([...current, ...deletion.addresses])]
    notifyOwner(addresses, { mail: 'deleted', user, request: toRequest(deletion, context) }, context)
    return 'deleted'
  }
  return withLocks({ userId, email: null }, remove, context)
}
