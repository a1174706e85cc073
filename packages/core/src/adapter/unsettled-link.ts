import { AuthError } from '../errors/auth-error.ts'
import { sha256 } from '../tokens/hash.ts'
import {
  type ApprovalState,
  approvalKey,
  approveAccount,
  type ClaimEpoch,
  readClaimEpoch,
  readWithApproval
} from './account-approval.ts'
import type { AccountKey } from './adapter.ts'
import {
  type AccountMarkerKey,
  getMarker,
  type LinkMarkerKey,
  linkMarkerKinds,
  type SignInMarkers
} from './sign-in-markers.ts'
import type { Store, TicketStore } from './store.ts'
import { never, type Ticket } from './ticket.ts'

// An account that a session links to its user may sign in once that session was checked again: it may have ended meanwhile.
// A marker, written before the account, says that this check is due. If it never happens, because the process ends, a reply
// of the store is lost, or a listener takes long, the marker stays, and the next sign-in with the account removes the account.
// The marker then refuses every other sign-in that has found the account, until another link of the account is settled.
//
// Once the link is settled, the account is approved. Markers of earlier links, whose calls of the store may take effect late, then count
// no more, until the account is removed with its approval.

/** Seconds in which a link may be in progress, and a sign-in may have found an account that is then removed. */
const progressAge = 120

/** Seconds by which the clocks of two processes may differ. */
const maxSkew = 30

/** Seconds in which a call of the store may take effect that has not been answered. */
const lateAge = 86_400

const [, , removed] = linkMarkerKinds

/** The marker of a link that was written. */
export interface LinkMarker {
  readonly own: Ticket
  /** Those of earlier links, which were never confirmed. The account did not exist any more when this link wrote it. */
  readonly abandoned: readonly Ticket[]
  /** What was read before the account is written. */
  readonly epoch: ClaimEpoch
}

/**
 * The state of a link by its markers; `abandoned`: the link was never confirmed, and the request that wrote it will not.
 */
export type LinkState = 'settled' | 'in-progress' | 'abandoned'

type Tickets = Pick<Store, 'tickets'>

const isSame = (one: Ticket | null, other: Ticket): boolean => one !== null && one.data === other.data

/** Data that no other marker has: when the link began, in milliseconds since 1970, and a random part. */
const createData = (now: number): string => `${now} ${crypto.randomUUID()}`

const getTime = ({ data }: Ticket): number => Number(data.split(' ', 1)[0])

/** A clock that was ahead for a while must not keep a link in progress. */
function isInProgress(marker: Ticket, now: number): boolean {
  const age = (now - getTime(marker)) / 1000
  return age < progressAge && age > -maxSkew
}

/**
 * Returns the markers of links that may have written the account. One is outdated if the account was approved since: a later link has
 * written it.
 */
function getLinks([one = null, other = null]: readonly (Ticket | null)[], { time }: ApprovalState): readonly Ticket[] {
  const links = [one, other].flatMap((marker) => marker ?? [])
  return links.filter((marker) => getTime(marker) > time)
}

/** The state of a link by its markers, in the order of their kinds. */
function getState(markers: readonly (Ticket | null)[], approval: ApprovalState, now: number): LinkState {
  const [, , removal = null] = markers
  const links = getLinks(markers, approval)
  // An abandoned one beside a link in progress is that of an account that was removed.
  if (links.some((marker) => isInProgress(marker, now))) return 'in-progress'
  if (links.length > 0) return 'abandoned'
  return removal !== null && isInProgress(removal, now) ? 'in-progress' : 'settled'
}

/** The keys of the markers of an account that is linked to a user. */
async function linkMarkerKeys(
  { provider, providerAccountId }: AccountKey,
  userId: string
): Promise<readonly LinkMarkerKey[]> {
  const id = await sha256(JSON.stringify([provider, providerAccountId, userId]))
  return linkMarkerKinds.map((kind) => ({ kind, id }))
}

/** The keys of all markers of an account of a user. */
export async function accountMarkerKeys(account: AccountKey, userId: string): Promise<readonly AccountMarkerKey[]> {
  return [...(await linkMarkerKeys(account, userId)), await approvalKey(account)]
}

async function readState(
  account: AccountKey,
  userId: string,
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<{ readonly link: LinkState; readonly isMissing: boolean }> {
  const keys = await linkMarkerKeys(account, userId)
  const { found, approval } = await readWithApproval(keys, { account, userId }, tickets)
  return { link: getState(found, approval, now), isMissing: approval.isMissing }
}

/**
 * Whether the link of an account waits to be confirmed, was removed again in the last two minutes, or lacks the approval that a claim
 * of the user requires.
 */
export async function hasUnsettledLink(...about: Parameters<typeof readState>): Promise<boolean> {
  const { link, isMissing } = await readState(...about)
  return isMissing || link !== 'settled'
}

/** Whether the link of an account was never confirmed, and the request that wrote it will not. */
export async function isAbandonedLink(
  account: AccountKey,
  userId: string,
  { store: { tickets }, now }: { readonly store: Tickets; readonly now: number }
): Promise<boolean> {
  return tickets !== null && (await readState(account, userId, { tickets, now })).link === 'abandoned'
}

const getLinkMarkers = (markers: SignInMarkers): readonly (Ticket | null)[] =>
  linkMarkerKinds.map((kind) => getMarker(markers, kind))

/** The state of the link of an account, according to the markers that were read. */
export function getLinkState(markers: SignInMarkers, approval: ApprovalState, now: number): LinkState {
  return getState(getLinkMarkers(markers), approval, now)
}

const busy = ({ provider }: AccountKey): AuthError =>
  new AuthError('OAuthAccountNotLinked', `${provider}: another request links the account at the same time`)

/**
 * Reads the markers of links that were never confirmed.
 *
 * @throws AuthError `OAuthAccountNotLinked` if the account is being linked
 */
export async function findAbandonedLinks(
  account: AccountKey,
  userId: string,
  { store: { tickets }, now }: { readonly store: Tickets; readonly now: number }
): Promise<readonly Ticket[]> {
  if (!tickets) return []
  const { links } = await readLinks(account, userId, tickets)
  if (links.some((marker) => isInProgress(marker, now))) throw busy(account)
  return links
}

/** The markers of links that are stored, and what they mean. */
interface StoredLinks {
  readonly links: readonly Ticket[]
  /** Those that count no more: the account was approved since. */
  readonly outdated: readonly Ticket[]
  readonly epoch: ClaimEpoch
}

async function readLinks(account: AccountKey, userId: string, tickets: TicketStore): Promise<StoredLinks> {
  const keys = (await linkMarkerKeys(account, userId)).filter(({ kind }) => kind !== removed)
  const { found, approval } = await readWithApproval(keys, { account, userId }, tickets)
  const links = getLinks(found, approval)
  const outdated = found.flatMap((marker) => (marker && !links.includes(marker) ? marker : []))
  return { links, outdated, epoch: approval.epoch }
}

/**
 * Removes the markers of links that were never confirmed: the account is that of another link. If their account may be written late,
 * they stay. They count again once the approval of the other link is withdrawn.
 */
async function clearAbandonedLinks(abandoned: readonly Ticket[], store: Tickets, now: number): Promise<void> {
  for (const marker of abandoned) if (now - getTime(marker) >= lateAge * 1000) await takeMarker(marker, store)
}

/** How often a marker is created while other requests create theirs. */
const maxAttempts = 3

/**
 * Marks an account as being linked. Write the marker before the account, or in its transaction.
 *
 * @returns `null` if the adapter stores none.
 * @throws AuthError `OAuthAccountNotLinked` if the account is being linked
 */
export async function markUnsettledLink(
  account: AccountKey,
  userId: string,
  { store, now }: { readonly store: Tickets; readonly now: number }
): Promise<LinkMarker | null> {
  if (!store.tickets) return null
  const keys = (await linkMarkerKeys(account, userId)).filter(({ kind }) => kind !== removed)
  for (let attempts = 1; ; attempts++) {
    const { links, outdated, epoch } = await readLinks(account, userId, store.tickets)
    if (links.some((marker) => isInProgress(marker, now))) throw busy(account)
    const stored = [...outdated, ...links]
    const [oldest] = stored
    const key = keys.find(({ kind }) => !stored.some((marker) => marker.kind === kind)) ?? oldest
    if (!key) throw busy(account)
    const { kind, id } = key
    // The other marker refuses sign-ins meanwhile.
    if (key === oldest && !(await takeMarker(oldest, store))) throw busy(account)
    const own = { kind, id, userId: null, data: createData(now), tries: 0, expires: never }
    try {
      await store.tickets.create(own)
      return { own, abandoned: links.filter((marker) => marker !== key), epoch }
    } catch (error) {
      // Another request may have created one since.
      if (attempts === maxAttempts || !(await store.tickets.read({ kind, id }))) throw error
    }
  }
}

/** Deletes a marker. @returns Whether it existed, and was not that of another request. */
async function takeMarker(marker: Ticket, { tickets }: Tickets): Promise<boolean> {
  const { kind, id } = marker
  if (!tickets || !isSame(await tickets.read({ kind, id }), marker)) return false
  const taken = await tickets.consume({ kind, id })
  if (taken === null || isSame(taken, marker)) return taken !== null
  await tickets.create(taken)
  return false
}

/** An account and the user that it is linked to. */
interface LinkedAccount {
  readonly account: AccountKey
  readonly userId: string
}

/**
 * Settles a link: the session that has allowed it is valid. The account is approved.
 *
 * @returns `false` if another link has replaced this one.
 */
export async function settleLink(
  marker: LinkMarker | null,
  { account, userId }: LinkedAccount,
  { store, now }: { readonly store: Tickets; readonly now: number }
): Promise<boolean> {
  if (!marker || !store.tickets) return true
  const { own, abandoned, epoch } = marker
  if (!(await isOwnLink(marker, store))) return false
  await approveAccount(account, { userId, epoch }, { tickets: store.tickets, now: getApprovalTime(abandoned, now) })
  await clearAbandonedLinks(abandoned, store, now)
  return takeMarker(own, store)
}

/** A time after that of every other marker: the clock of another process may have been ahead. */
const getApprovalTime = (abandoned: readonly Ticket[], now: number): number =>
  Math.max(now, ...abandoned.map((marker) => getTime(marker) + 1))

/**
 * Approves an account that was not linked by a session: it proves the address of its user, or it continues a first sign-in.
 *
 * @param epoch - What was read before it was linked. @defaultValue the current one, for an account that proves the address
 */
export async function settleOtherLink(
  abandoned: readonly Ticket[],
  { account, userId, epoch }: LinkedAccount & { readonly epoch?: ClaimEpoch },
  { store, now }: { readonly store: Tickets; readonly now: number }
): Promise<void> {
  const { tickets } = store
  if (!tickets) return
  const current = epoch ?? (await readClaimEpoch(userId, tickets))
  await approveAccount(account, { userId, epoch: current }, { tickets, now: getApprovalTime(abandoned, now) })
  await clearAbandonedLinks(abandoned, store, now)
}

/** Removes the marker of a link that did not write the account. */
export async function forgetLink(marker: LinkMarker | null, store: Tickets): Promise<void> {
  if (marker) await takeMarker(marker.own, store)
}

/** Whether the account may be the one of this link: no other link has been settled. */
export async function isOwnLink({ own }: LinkMarker, { tickets }: Tickets): Promise<boolean> {
  const { kind, id } = own
  return isSame((await tickets?.read({ kind, id })) ?? null, own)
}

/** Whether a link has taken so long that others may have replaced it. */
export const isOutdatedLink = ({ own }: LinkMarker, now: number): boolean => !isInProgress(own, now)

/**
 * Replaces the marker of a link whose account was removed again by one that refuses sign-ins for two minutes: they may have found the
 * account. If there is such a marker, of another link, the first one stays.
 */
export async function recordRemovedLink(marker: LinkMarker, store: Tickets, now: number): Promise<void> {
  const { id } = marker.own
  const key = { kind: removed, id }
  if (await store.tickets?.read(key)) return
  const expires = new Date(now + progressAge * 1000)
  await store.tickets?.create({ ...key, userId: null, data: createData(now), tries: 0, expires })
  await takeMarker(marker.own, store)
}

/** Whether tickets of a kind are markers of links. */
export const isLinkMarkerKind = (kind: string): boolean => linkMarkerKinds.some((one) => one === kind)
