import type { User } from '../model/user.ts'
import type { Store } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/** The tickets that may refuse a sign-in. All but `unsettled-link` are stored under the id of the user. */
export type SignInMarkerKind = 'suspension' | 'claim' | 'ended-sessions' | 'unsettled-link'

/** The markers that were read; `null` for those that do not exist. */
export type SignInMarkers = ReadonlyMap<SignInMarkerKind, Ticket | null>

/**
 * Reads markers of a user, with one query if the adapter has one for that.
 *
 * @param user - `null` for a new user, who has none.
 * @param link - The key of `unsettled-link`, to read that marker, too; `null` if the sign-in uses no account that was linked.
 * @throws AuthError `StoreUnavailable`
 */
export async function readSignInMarkers(
  user: Pick<User, 'id'> | null,
  kinds: readonly SignInMarkerKind[],
  store: Pick<Store, 'tickets'> | null,
  link: TicketKey | null = null
): Promise<SignInMarkers> {
  const own = kinds.map((kind) => ({ kind, id: user?.id ?? '' }))
  const found = (user && (await store?.tickets?.readAll(link ? [...own, link] : own))) ?? []
  const all: readonly SignInMarkerKind[] = link ? [...kinds, 'unsettled-link'] : kinds
  return new Map(all.map((kind, index) => [kind, found[index] ?? null]))
}

/** Returns a marker that was read. @throws TypeError if it was not read: it may exist. */
export function getMarker(markers: SignInMarkers, kind: SignInMarkerKind): Ticket | null {
  const marker = markers.get(kind)
  if (marker === undefined) throw new TypeError(`expected the marker "${kind}" to have been read`)
  return marker
}
