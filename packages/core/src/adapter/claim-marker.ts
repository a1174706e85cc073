import type { AdapterUser } from './adapter.ts'
import { claimKinds, getMarker, pendingClaimKind, type SignInMarkers } from './sign-in-markers.ts'
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
  const time = now + clockMargin * 1000
  await mark(userId, { latest: time, claimed: time }, tickets, now)
}

/**
 * Records that all sessions of a user were revoked. Unlike after a claim, the user may sign in at once, so only earlier
 * sign-ins are meant, by the clock of this process.
 */
export async function markRevocation(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(userId, { latest: now, claimed: 0 }, tickets, now)
}

const toKeys = (userId: string): readonly TicketKey[] => claimKinds.map((kind) => ({ kind, id: userId }))

/** The times of a marker, in milliseconds since 1970; 0 for none. */
interface MarkedTimes {
  /** Of the last claim, deletion or revocation. */
  readonly latest: number
  /** Of the last claim or deletion. */
  readonly claimed: number
}

/** Reads the times of a marker. One of an earlier version has a single time, or is encrypted: then, that of a claim. */
function getTimes(marker: Ticket | null): MarkedTimes {
  if (!marker) return { latest: 0, claimed: 0 }
  const [, latest, claimed = latest] = /^(\d+)(?: (\d+))?$/.exec(marker.data) ?? []
  const time = marker.expires.getTime() - maxDeviceAge * 1000
  return { latest: Number(latest ?? time), claimed: Number(claimed ?? time) }
}

/** The later ones of several times. */
const toLatest = (times: readonly MarkedTimes[]): MarkedTimes => ({
  latest: Math.max(...times.map(({ latest }) => latest)),
  claimed: Math.max(...times.map(({ claimed }) => claimed))
})

/**
 * Replaces the older of two markers: a reader finds the newer one meanwhile, and if this process ends. Of several calls at once,
 * one may replace the newer one, for as long as it runs.
 */
async function mark(userId: string, times: MarkedTimes, tickets: TicketStore, now: number): Promise<void> {
  const keys = toKeys(userId)
  let marked = times
  for (let attempts = 1; ; attempts++) {
    const found = await tickets.readAll(keys)
    const before = found.map(getTimes)
    const recorded = toLatest(before)
    // Another call has recorded it.
    if (attempts > 1 && recorded.latest >= marked.latest && recorded.claimed >= marked.claimed) return
    const [one, other] = before
    const kind = (one?.latest ?? 0) <= (other?.latest ?? 0) ? 'claim' : 'claim-2'
    const key = { kind, id: userId }
    const replaced = found.some((marker) => marker?.kind === kind) ? await tickets.consume(key) : null
    marked = toLatest([marked, recorded, getTimes(replaced)])
    const expires = new Date(now + maxAge * 1000)
    const data = `${marked.latest} ${marked.claimed}`
    try {
      return await tickets.create({ ...key, userId: null, data, tries: 0, expires })
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
  return isMarkedSince(await tickets.readAll(toKeys(userId)), since)
}

/**
 * Returns whether a user was claimed or deleted after a time, with a tolerance for clock differences. Unlike for
 * {@link wasClaimedSince}, an end of all sessions does not count.
 *
 * @param since - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function hasClaimSince(userId: string, since: number, tickets: TicketStore): Promise<boolean> {
  return (await tickets.readAll(toKeys(userId))).some((marker) => getTimes(marker).claimed > since)
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
  return isMarkedSince(
    claimKinds.map((kind) => getMarker(markers, kind)),
    since
  )
}

const isMarkedSince = (found: readonly (Ticket | null)[], since: number): boolean =>
  found.some((marker) => getTimes(marker).latest > since)

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
