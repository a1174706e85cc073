import { AuthError } from '../errors/auth-error.ts'
import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import type { Store, TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'
import { getMarker, type UserMarkers } from './user-markers.ts'

/** Seconds for which a link counts as unsettled if its account was removed again, or its process has ended. */
const maxAge = 60

const isValid = (marker: Ticket | null, now: number): boolean => marker !== null && marker.expires.getTime() > now

/** The key of the marker of a link. */
export const unsettledLinkKey = async ({ provider, providerAccountId }: AccountKey): Promise<TicketKey> => ({
  kind: 'unsettled-link',
  id: await sha256(JSON.stringify([provider, providerAccountId]))
})

/**
 * Records that the account of a link is removed again. Sign-ins that have found it are refused, and others may link it.
 *
 * @returns Whether the marker is valid: otherwise, the account may have signed in.
 */
export async function markRemovedLink(account: AccountKey, tickets: TicketStore, now: number): Promise<boolean> {
  const key = await unsettledLinkKey(account)
  // The count of a ticket changes without a moment in which there is no ticket.
  await tickets.countTry(key)
  return isValid(await tickets.read(key), now)
}

/**
 * Marks an account as being linked. Sign-ins with it are refused until the link is settled, because the session that links it may have
 * ended. Write the marker before the account, or in its transaction.
 *
 * @throws AuthError `OAuthAccountNotLinked` if another request links the account: it may remove the account again.
 */
export async function markUnsettledLink(
  account: AccountKey,
  { tickets }: Pick<Store, 'tickets'>,
  now: number
): Promise<void> {
  if (!tickets) return
  const key = await unsettledLinkKey(account)
  const requireNone = async (): Promise<void> => {
    const marker = await tickets.read(key)
    if (isValid(marker, now) && marker?.tries === 0)
      throw new AuthError('OAuthAccountNotLinked', `${account.provider}: another request links the account`)
  }
  await requireNone()
  const marker = { ...key, userId: null, data: '', tries: 0, expires: new Date(now + maxAge * 1000) }
  try {
    await tickets.create(marker)
  } catch {
    await requireNone()
    // It has expired, or its account was removed again.
    await tickets.consume(key)
    await tickets.create(marker)
  }
}

/** Removes the marker: the session that has linked the account is valid, or the account was not linked. */
export async function clearUnsettledLink(account: AccountKey, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  await tickets?.consume(await unsettledLinkKey(account))
}

/** Whether the account of a sign-in is being linked, according to the markers that were read. */
export const isLinkUnsettled = (markers: UserMarkers, now: number): boolean =>
  isValid(getMarker(markers, 'unsettled-link'), now)
