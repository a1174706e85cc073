import type { AdapterUser } from './adapter.ts'
import { claimKinds, getMarker, pendingClaimKind, revocationKinds, type SignInMarkers } from './sign-in-markers.ts'
import { StoreError, type TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/** Seconds around a claim in which sign-ins count as begun before it: more than the clocks of two processes may differ. */
const clockMargin = 30

/**
 * The maximum time of a sign-in with a password, from the submitted form to the session, in seconds; a longer one is
 * refused.
 */
export const maxPasswordSignIn = 60

/** Seconds by which the clocks of two processes may differ. */
const maxClockDifference = 10

/** The maximum time for which a device is known, in seconds: 400 days, as browsers limit cookies. */
export const maxDeviceAge: number = 400 * 24 * 60 * 60

/** A marker outlives the cookies of the devices that it forgets. */
const maxAge = maxDeviceAge + clockMargin

/** How often a marker is replaced while other calls replace it too. */
const maxAttempts = 50

/**
 * Records that a user was claimed or deleted, for sign-ins in progress: the password that they compared, or the user
 * that they created, may have been removed. The ticket has no `userId`, so that deleting the user's tickets keeps it.
 */
export async function markClaim(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(userId, claimKinds, now + clockMargin * 1000, { tickets, now })
}

/**
 * Records that all sessions of a user were revoked. Unlike after a claim, the user may sign in at once, so only earlier
 * sign-ins are meant, by the clock of this process.
 */
export async function markRevocation(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(userId, revocationKinds, now, { tickets, now })
}

const markerKinds = [...claimKinds, ...revocationKinds]

type MarkerKind = (typeof markerKinds)[number]

const toKeys = (userId: string, kinds: readonly MarkerKind[]): readonly TicketKey[] =>
  kinds.map((kind) => ({ kind, id: userId }))

/** The time of a marker, and its number. */
const dataPattern = /^(\d+)(?: (\d+))?$/

/** The time of a marker, in milliseconds since 1970. One of an earlier version is encrypted: then, that of a claim. */
function toTime(marker: Ticket | null): number {
  if (!marker) return 0
  const time = dataPattern.exec(marker.data)?.[1]
  return time === undefined ? marker.expires.getTime() - maxDeviceAge * 1000 : Number(time)
}

/** How many markers of its two kinds were written before, and this one: their order, whatever the clocks say. */
const toCount = (marker: Ticket | null): number => Number(dataPattern.exec(marker?.data ?? '')?.[2] ?? 0)

/**
 * Replaces the older of two markers: a reader finds the newer one meanwhile, and if this process ends. Of several calls at once,
 * one may replace the newer one, for as long as it runs.
 */
async function mark(
  userId: string,
  kinds: readonly [MarkerKind, MarkerKind],
  time: number,
  { tickets, now }: { readonly tickets: TicketStore; readonly now: number }
): Promise<void> {
  const keys = toKeys(userId, kinds)
  const [firstKind, secondKind] = kinds
  let latest = time
  for (let attempts = 1; ; attempts++) {
    const found = await tickets.readAll(keys)
    const times = found.map(toTime)
    // Another call has recorded it.
    if (attempts > 1 && Math.max(...times) >= latest) return
    // The last one has the latest time too.
    const [one = 0, other = 0] = found.map(toCount)
    const [oneTime = 0, otherTime = 0] = times
    const kind = one < other || (one === other && oneTime <= otherTime) ? firstKind : secondKind
    const key = { kind, id: userId }
    const replaced = found.some((marker) => marker?.kind === kind) ? await tickets.consume(key) : null
    latest = Math.max(latest, toTime(replaced), ...times)
    const count = Math.max(toCount(replaced), ...found.map(toCount)) + 1
    const expires = new Date(now + maxAge * 1000)
    try {
      return await tickets.create({ ...key, userId: null, data: `${latest} ${count}`, tries: 0, expires })
    } catch (error) {
      if (attempts === maxAttempts || (error instanceof StoreError && error.isOutage)) throw error
    }
  }
}

/**
 * Returns whether a user was claimed or deleted, or all sessions were revoked, after a time, with a tolerance for clock
 * differences.
 *
 * @param since - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function wasClaimedSince(userId: string, since: number, tickets: TicketStore): Promise<boolean> {
  return isMarkedSince(await tickets.readAll(toKeys(userId, markerKinds)), since)
}

/** The claims, or the ends of all sessions. A marker is gone after 400 days, and the next one counts from one again: its time differs. */
const toMark = (found: readonly (Ticket | null)[]): string =>
  `${Math.max(...found.map(toCount))} ${Math.max(...found.map(toTime))}`

const toSessionsMark = (found: readonly (Ticket | null)[]): string =>
  `${toMark(found.slice(0, claimKinds.length))} ${toMark(found.slice(claimKinds.length))}`

/**
 * Names the claims of a user and the ends of all sessions so far. It differs after each of them, so that it tells their order
 * without a clock.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function readSessionsMark(userId: string, tickets: TicketStore): Promise<string> {
  return toSessionsMark(await tickets.readAll(toKeys(userId, markerKinds)))
}

const pickMarkers = (markers: SignInMarkers): readonly (Ticket | null)[] =>
  markerKinds.map((kind) => getMarker(markers, kind))

/** The same as {@link readSessionsMark} for markers that were read. */
export const getSessionsMark = (markers: SignInMarkers): string => toSessionsMark(pickMarkers(markers))

/**
 * Returns whether a user was claimed or deleted, or all sessions were revoked, since a time, with a tolerance for clock differences.
 * Those that a mark names do not count.
 *
 * @param mark - `null` if none was read.
 * @throws AuthError `StoreUnavailable`
 */
export async function wasMarkedSince(
  userId: string,
  { since, mark }: { readonly since: number; readonly mark: string | null },
  tickets: TicketStore
): Promise<boolean> {
  const found = await tickets.readAll(toKeys(userId, markerKinds))
  return isMarkedSince(found, since) && toSessionsMark(found) !== mark
}

/**
 * Returns whether a user was claimed or deleted a moment ago. A revocation does not count, also by a process whose clock is
 * ahead.
 *
 * @param now - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function wasJustClaimed(userId: string, now: number, tickets: TicketStore): Promise<boolean> {
  return wasClaimedSince(userId, now + maxClockDifference * 1000, tickets)
}

/** The same as {@link wasClaimedSince} for markers that were read. */
export function areClaimedSince(markers: SignInMarkers, since: number): boolean {
  return isMarkedSince(pickMarkers(markers), since)
}

const isMarkedSince = (found: readonly (Ticket | null)[], since: number): boolean =>
  found.some((marker) => toTime(marker) > since)

/** Returns whether one time is after another, with a tolerance for clock differences. Milliseconds. */
export function isSince(time: number, since: number): boolean {
  return time + clockMargin * 1000 > since
}

/** Seconds for which an unfinished claim is remembered: 400 days. */
const pendingMaxAge = 400 * 24 * 60 * 60

const pendingKey = (userId: string): TicketKey => ({ kind: pendingClaimKind, id: userId })

/** A user and the address that a claim proves. */
type Claimed = Pick<AdapterUser, 'id' | 'email'>

/** Records that a claim has started. If it fails, the next sign-in that proves the address runs it again. */
export async function markPendingClaim({ id, email }: Claimed, tickets: TicketStore, now: number): Promise<void> {
  const key = pendingKey(id)
  const data = email?.toLowerCase() ?? ''
  const before = await tickets.read(key)
  // One that has started before stays: it would be missing for a moment, and stay missing if this process ends.
  if (before?.data === data && before.expires.getTime() > now + (pendingMaxAge / 2) * 1000) return
  await tickets.consume(key)
  const expires = new Date(now + pendingMaxAge * 1000)
  await tickets.create({ ...key, userId: null, data, tries: 0, expires })
}

/** Records that the claim of a user is complete. */
export async function clearPendingClaim(userId: string, tickets: TicketStore): Promise<void> {
  await tickets.consume(pendingKey(userId))
}

/** Returns whether a claim of the user has started and is not complete. @throws AuthError `StoreUnavailable` */
export async function isAnyClaimPending(userId: string, tickets: TicketStore): Promise<boolean> {
  return (await tickets.read(pendingKey(userId))) !== null
}

/**
 * Returns whether a claim of the user with this address has started and is not complete.
 *
 * @throws AuthError `StoreUnavailable`
 */
export async function isClaimPending({ id, email }: Claimed, tickets: TicketStore): Promise<boolean> {
  const marker = await tickets.read(pendingKey(id))
  // Without data, its secret was removed: it may be that of this address.
  return marker !== null && (marker.data === '' || marker.data === (email?.toLowerCase() ?? ''))
}
