import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import type { Store } from './store.ts'
import type { TicketKey } from './ticket.ts'
import { getMarker, type UserMarkers } from './user-markers.ts'

/** Seconds after which a link counts as settled if its process has ended. */
const maxAge = 120

type TicketDeps = Pick<Store, 'tickets'>

/** The key of a link that is not settled. */
export const unsettledLinkKey = async ({ provider, providerAccountId }: AccountKey): Promise<TicketKey> => ({
  kind: 'unsettled-link',
  id: await sha256(JSON.stringify([provider, providerAccountId]))
})

/**
 * Marks an account that is linked by a session which may have ended: nobody signs in with the account until the link is settled.
 * Write it before the account, or in its transaction.
 */
export async function markUnsettledLink(account: AccountKey, { tickets }: TicketDeps, now: number): Promise<void> {
  if (!tickets) return
  const key = await unsettledLinkKey(account)
  // A process that has ended may have left one.
  await tickets.consume(key)
  await tickets.create({ ...key, userId: null, data: '', tries: 0, expires: new Date(now + maxAge * 1000) })
}

/** Removes the mark: the session is valid, or the account was removed again. */
export async function clearUnsettledLink(account: AccountKey, { tickets }: TicketDeps): Promise<void> {
  await tickets?.consume(await unsettledLinkKey(account))
}

/** Whether an account is being linked. */
export function isLinkUnsettled(markers: UserMarkers, now: number): boolean {
  const marker = getMarker(markers, 'unsettled-link')
  return marker !== null && marker.expires.getTime() > now
}
