import { AuthError } from '../errors/auth-error.ts'
import { sha256 } from '../tokens/hash.ts'
import type { AccountKey } from './adapter.ts'
import {
  getMarker,
  type LinkMarkerKey,
  type LinkMarkerKind,
  linkMarkerKinds,
  type SignInMarkers
} from './sign-in-markers.ts'
import type { Store, TicketStore } from './store.ts'
import type { Ticket } from './ticket.ts'

// An account that a session links to its user may sign in once that session was checked again: it may have ended meanwhile.
// A marker, written before the account, says that this check is due. If it never happens, because the process ends, a reply
// of the store is lost, or a listener takes long, the marker stays, and the next sign-in with the account removes the account.

/** Seconds in which a link may be in progress, and a sign-in may have found an account that is then removed. */
const progressAge = 120
/** Seconds that a sign-in takes at most. */
const maxSignIn = 60
/** Seconds for which a link is remembered that was never confirmed: 400 days. */
const maxAge = 400 * 24 * 60 * 60

/** The marker of a link that was written. */
export interface LinkMarker {
  readonly own: Ticket
  /** Those of other links, which did not write the account if this one did. */
  readonly others: readonly Ticket[]
}

/** `abandoned`: the link was never confirmed, and nobody will. */
export type LinkState = 'settled' | 'in-progress' | 'abandoned'

type Tickets = Pick<Store, 'tickets'>

const getAge = ({ expires }: Ticket, now: number): number => maxAge - (expires.getTime() - now) / 1000

/** Whether the account of a link was removed again, or written by another link. */
const isMoot = ({ tries }: Ticket): boolean => tries > 0

const isSame = (one: Ticket | null, other: Ticket): boolean => one !== null && one.data === other.data

function getState(marker: Ticket | null, now: number): LinkState {
  if (marker === null || marker.expires.getTime() <= now) return 'settled'
  if (getAge(marker, now) < progressAge) return 'in-progress'
  return isMoot(marker) ? 'settled' : 'abandoned'
}

function joinStates(states: readonly LinkState[]): LinkState {
  if (states.includes('abandoned')) return 'abandoned'
  return states.includes('in-progress') ? 'in-progress' : 'settled'
}

/** The keys of the markers of an account: two requests may link it at once. */
export async function linkMarkerKeys(
  { provider, providerAccountId }: AccountKey,
  userId: string
): Promise<readonly LinkMarkerKey[]> {
  const id = await sha256(JSON.stringify([provider, providerAccountId, userId]))
  return linkMarkerKinds.map((kind) => ({ kind, id }))
}

/** Whether the link of an account waits to be confirmed, or was removed again in the last two minutes. */
export async function hasUnsettledLink(
  account: AccountKey,
  userId: string,
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<boolean> {
  const markers = await tickets.readAll(await linkMarkerKeys(account, userId))
  return markers.some((marker) => getState(marker, now) !== 'settled')
}

/** The state of the link of an account, according to the markers that were read. */
export function getLinkState(markers: SignInMarkers, now: number): LinkState {
  return joinStates(linkMarkerKinds.map((kind) => getState(getMarker(markers, kind), now)))
}

/** How often a marker is created while other requests create theirs. */
const maxAttempts = 3

/**
 * Marks an account as being linked. Write the marker before the account, or in its transaction.
 *
 * @returns `null` if the adapter stores none.
 * @throws AuthError `OAuthAccountNotLinked` if too many requests link the account at once
 */
export async function markUnsettledLink(
  account: AccountKey,
  userId: string,
  { store, now }: { readonly store: Pick<Store, 'tickets' | 'getUserByAccount'>; readonly now: number }
): Promise<LinkMarker | null> {
  const { tickets } = store
  if (!tickets) return null
  const keys = await linkMarkerKeys(account, userId)
  for (let attempts = 1; ; attempts++) {
    const found = await tickets.readAll(keys)
    const key = keys.find((_, index) => !found[index]) ?? (await freeKey(account, found, store, now))
    if (!key) break
    const own = { ...key, userId: null, data: crypto.randomUUID(), tries: 0, expires: new Date(now + maxAge * 1000) }
    const others = found.flatMap((marker) => (marker && marker.kind !== key.kind && !isMoot(marker) ? [marker] : []))
    try {
      await tickets.create(own)
      return { own, others }
    } catch (error) {
      // Another request may have created one since.
      if (attempts === maxAttempts || !(await tickets.read(key))) throw error
    }
  }
  throw new AuthError('OAuthAccountNotLinked', `${account.provider}: other requests link the account at the same time`)
}

/** Deletes the marker of an account that does not exist: nobody signs in with it. */
async function freeKey(
  account: AccountKey,
  found: readonly (Ticket | null)[],
  store: Pick<Store, 'tickets' | 'getUserByAccount'>,
  now: number
): Promise<Ticket | null> {
  const old = found.find((marker) => marker && getState(marker, now) !== 'in-progress')
  if (!old || (await store.getUserByAccount(account))) return null
  await takeMarker(old, store)
  return old
}

/** Deletes a marker. @returns It, as it is stored; `null` if another request has taken it, or has a marker in its place. */
async function takeMarker(marker: Ticket, { tickets }: Tickets): Promise<Ticket | null> {
  const { kind, id } = marker
  const taken = (await tickets?.consume({ kind, id })) ?? null
  if (taken === null || isSame(taken, marker)) return taken
  await tickets?.create(taken)
  return null
}

async function makeMoot({ kind, id }: Ticket, { tickets }: Tickets): Promise<void> {
  await tickets?.countTry({ kind, id })
}

/**
 * Settles a link: the session that has linked the account is valid.
 *
 * @returns `false` if the account was removed in the meantime, or is that of another link.
 */
export async function settleLink(marker: LinkMarker | null, store: Tickets): Promise<boolean> {
  if (!marker) return true
  const taken = await takeMarker(marker.own, store)
  if (taken === null || isMoot(taken)) return false
  for (const other of marker.others) await makeMoot(other, store)
  return true
}

/** Removes the marker of a link that did not write the account. */
export async function forgetLink(marker: LinkMarker | null, store: Tickets): Promise<void> {
  if (marker) await takeMarker(marker.own, store)
}

/** Whether the account is the one of this link: neither was it removed, nor settled by another link. */
export async function isOwnLink({ own }: LinkMarker, { tickets }: Tickets): Promise<boolean> {
  const { kind, id } = own
  const marker = (await tickets?.read({ kind, id })) ?? null
  return marker !== null && isSame(marker, own) && !isMoot(marker)
}

/**
 * Records that the account of a link was removed again. A sign-in that has found the account is refused, because the link
 * counts as being in progress; if that ends too soon, the marker stays.
 */
export async function recordRemovedLink({ own }: LinkMarker, store: Tickets, now: number): Promise<void> {
  if (getAge(own, now) <= progressAge - maxSignIn) await makeMoot(own, store)
}

/** Records that the account of links that were never confirmed was removed. */
export async function recordAbandonedLinks(markers: SignInMarkers, store: Tickets, now: number): Promise<void> {
  for (const kind of linkMarkerKinds) {
    const marker = getMarker(markers, kind)
    if (marker && getState(marker, now) === 'abandoned') await makeMoot(marker, store)
  }
}

/** Whether tickets of a kind are markers of links. */
export const isLinkMarkerKind = (kind: string): boolean => linkMarkerKinds.some((one: LinkMarkerKind) => one === kind)
