import type { User } from '../model/user.ts'
import type { Store } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/** The markers of an account that is being linked: two of links, and one of links that were removed again. */
export const linkMarkerKinds = ['unsettled-link', 'unsettled-link-2', 'removed-link'] as const

export type LinkMarkerKind = (typeof linkMarkerKinds)[number]

/** The markers of claims: while one of them is replaced, the other one stays. */
export const claimKinds = ['claim', 'claim-2'] as const

/** The markers of ends of all sessions, which do not replace those of claims. */
export const revocationKinds = ['revocation', 'revocation-2'] as const

/** The marks of a claim: before and after the sessions of the user end. */
export const claimEpochKinds = ['claim-start', 'claim-end'] as const

/** The kind of the tickets that approve the account of a user who was claimed. */
export const approvalKind = 'approved-account'

/** The kind of the tickets of claims that are not complete. */
export const pendingClaimKind = 'pending-claim'

/** The tickets that may refuse a sign-in. All but those of an account are stored under the id of the user. */
export type SignInMarkerKind =
  | 'suspension'
  | (typeof claimKinds)[number]
  | (typeof revocationKinds)[number]
  | (typeof claimEpochKinds)[number]
  | typeof approvalKind
  | 'ended-sessions'
  | LinkMarkerKind

/** The key of a marker of a link. */
export type LinkMarkerKey = TicketKey & { readonly kind: LinkMarkerKind }

/** The key of a marker of an account. */
export type AccountMarkerKey = TicketKey & { readonly kind: LinkMarkerKind | typeof approvalKind }

/** The markers that were read; `null` for those that do not exist. */
export type SignInMarkers = ReadonlyMap<SignInMarkerKind, Ticket | null>

/**
 * Reads markers of a user, with one query if the adapter has one for that.
 *
 * @param user - `null` for a new user, who has none.
 * @param ofAccount - The keys of the markers of the account, to read them, too; none if the sign-in uses no account that was linked.
 * @throws AuthError `StoreUnavailable`
 */
export async function readSignInMarkers(
  user: Pick<User, 'id'> | null,
  kinds: readonly SignInMarkerKind[],
  store: Pick<Store, 'tickets'> | null,
  ofAccount: readonly AccountMarkerKey[] = []
): Promise<SignInMarkers> {
  const keys = [...kinds.map((kind) => ({ kind, id: user?.id ?? '' })), ...ofAccount]
  const found = (user && (await store?.tickets?.readAll(keys))) ?? []
  return new Map(keys.map(({ kind }, index) => [kind, found[index] ?? null]))
}

/** Returns a marker that was read. @throws TypeError if it was not read: it may exist. */
export function getMarker(markers: SignInMarkers, kind: SignInMarkerKind): Ticket | null {
  const marker = markers.get(kind)
  if (marker === undefined) throw new TypeError(`expected the marker "${kind}" to have been read`)
  return marker
}
