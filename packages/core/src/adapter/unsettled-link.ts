import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import type { Store } from './store.ts'
import type { TicketKey } from './ticket.ts'
import { getMarker, type UserMarkers } from './user-markers.ts'

/** Seconds for which a link counts as unsettled whose account was removed again, or whose process has ended: no sign-in takes longer. */
const maxAge = 120

type TicketDeps = Pick<Store, 'tickets'>

/** The key of a link that is not settled. */
export const unsettledLinkKey = async ({ provider, providerAccountId }: AccountKey): Promise<TicketKey> => ({
  kind: 'unsettled-link',
  id: await sha256(JSON.stringify([provider, providerAccountId]))
})

/**
 * Marks an account as being linked. Sign-ins with it are refused until the link is settled, because the session that links it may have
 * ended. Write the marker before the account, or in its transaction.
 */
export async function markUnsettledLink(account: AccountKey, { tickets }: TicketDeps, now: number): Promise<void> {
  if (!tickets) return
  const key = await unsettledLinkKey(account)
  // An earlier link may have left one.
  await tickets.consume(key)
  await tickets.create({ ...key, userId: null, data: '', tries: 0, expires: new Date(now + maxAge * 1000) })
}

/** Removes the marker: the session that has linked the account is valid. */
export async function clearUnsettledLink(account: AccountKey, { tickets }: TicketDeps): Promise<void> {
  await tickets?.consume(await unsettledLinkKey(account))
}

/** Whether the account of a sign-in is being linked, according to the markers that were read. */
export function isLinkUnsettled(markers: UserMarkers, now: number): boolean {
  const marker = getMarker(markers, 'unsettled-link')
  return marker !== null && marker.expires.getTime() > now
}
