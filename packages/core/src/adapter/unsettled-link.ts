import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import { getMarker, type SignInMarkers } from './sign-in-markers.ts'
import type { Store, TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/** Seconds for which a link counts as unsettled if its account was removed again, or its process has ended. */
const maxAge = 60

const isValid = (marker: Ticket | null, now: number): boolean => marker !== null && marker.expires.getTime() > now

/** The key of the marker of a link. */
export const unsettledLinkKey = async ({ provider, providerAccountId }: AccountKey): Promise<TicketKey> => ({
  kind: 'unsettled-link',
  id: await sha256(JSON.stringify([provider, providerAccountId]))
})

/** Whether an account is being linked, or was removed again. */
export const hasUnsettledLink = async (account: AccountKey, tickets: TicketStore, now: number): Promise<boolean> =>
  isValid(await tickets.read(await unsettledLinkKey(account)), now)

/**
 * Marks an account as being linked. Sign-ins with it are refused until the link is settled, because the session that links it may have
 * ended. Write the marker before the account, or in its transaction. Concurrent links of one account share a marker: the request that has
 * written the account settles it.
 *
 * @returns Whether this call has created the marker.
 */
export async function markUnsettledLink(
  account: AccountKey,
  { tickets }: Pick<Store, 'tickets'>,
  now: number
): Promise<boolean> {
  if (!tickets || (await hasUnsettledLink(account, tickets, now))) return false
  const key = await unsettledLinkKey(account)
  const marker = { ...key, userId: null, data: '', tries: 0, expires: new Date(now + maxAge * 1000) }
  try {
    await tickets.create(marker)
  } catch {
    if (await hasUnsettledLink(account, tickets, now)) return false
    // It has expired.
    await tickets.consume(key)
    await tickets.create(marker)
  }
  return true
}

/** Removes the marker: the session that has linked the account is valid, or the account was not linked. */
export async function clearUnsettledLink(account: AccountKey, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  await tickets?.consume(await unsettledLinkKey(account))
}

/** Whether the account of a sign-in is being linked, according to the markers that were read. */
export const isLinkUnsettled = (markers: SignInMarkers, now: number): boolean =>
  isValid(getMarker(markers, 'unsettled-link'), now)
