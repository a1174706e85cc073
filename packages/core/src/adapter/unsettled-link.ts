import { AuthError } from '../errors/auth-error.ts'
import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import { getMarker, type LinkMarkerKey, type LinkMarkerKind, type SignInMarkers } from './sign-in-markers.ts'
import type { Store, TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/**
 * Seconds for which a link counts as unsettled if its account was removed again, or its process has ended: a link and a sign-in that
 * has found the account may take a minute each.
 */
const maxAge = 120
const maxSignIn = 60

/** Each link has a marker of its own, so that no request clears that of another one. */
const kinds: readonly LinkMarkerKind[] = ['unsettled-link', 'unsettled-link-2']

const isValid = (marker: Ticket | null, now: number): boolean => marker !== null && marker.expires.getTime() > now

/** The keys of the markers of an account. */
export async function unsettledLinkKeys({
  provider,
  providerAccountId
}: AccountKey): Promise<readonly LinkMarkerKey[]> {
  const id = await sha256(JSON.stringify([provider, providerAccountId]))
  return kinds.map((kind) => ({ kind, id }))
}

/** Whether an account is being linked, or was removed again. */
export async function hasUnsettledLink(account: AccountKey, tickets: TicketStore, now: number): Promise<boolean> {
  const markers = await tickets.readAll(await unsettledLinkKeys(account))
  return markers.some((marker) => isValid(marker, now))
}

/** Creates a marker, unless another request has. */
async function createMarker(key: TicketKey, tickets: TicketStore, now: number): Promise<boolean> {
  const marker = { ...key, userId: null, data: '', tries: 0, expires: new Date(now + maxAge * 1000) }
  const existing = await tickets.read(key)
  if (isValid(existing, now)) return false
  // An expired one would prevent the new one.
  if (existing) await tickets.consume(key)
  try {
    await tickets.create(marker)
    return true
  } catch (error) {
    if (isValid(await tickets.read(key), now)) return false
    throw error
  }
}

/**
 * Marks an account as being linked. Sign-ins with it are refused until the link is settled, because the session that links it may have
 * ended. Write the marker before the account, or in its transaction.
 *
 * @returns The key of the marker; `null` if the adapter stores none.
 * @throws AuthError `OAuthAccountNotLinked` if too many requests link the account at once
 */
export async function markUnsettledLink(
  account: AccountKey,
  { tickets }: Pick<Store, 'tickets'>,
  now: number
): Promise<TicketKey | null> {
  if (!tickets) return null
  for (const key of await unsettledLinkKeys(account)) if (await createMarker(key, tickets, now)) return key
  throw new AuthError('OAuthAccountNotLinked', `${account.provider}: other requests link the account at the same time`)
}

/** Removes the marker of a link: the session that has linked the account is valid, or the account was not linked. */
export async function clearUnsettledLink(key: TicketKey | null, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
  if (key) await tickets?.consume(key)
}

/** Whether the marker of a link outlives the sign-ins that have found its account. */
export async function outlivesSignIns(
  key: TicketKey | null,
  { tickets }: Pick<Store, 'tickets'>,
  now: number
): Promise<boolean> {
  const marker = key && tickets ? await tickets.read(key) : null
  return isValid(marker, now + maxSignIn * 1000)
}

/** Whether the account of a sign-in is being linked, according to the markers that were read. */
export const isLinkUnsettled = (markers: SignInMarkers, now: number): boolean =>
  kinds.some((kind) => isValid(getMarker(markers, kind), now))
