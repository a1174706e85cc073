import type { AdapterUser } from './adapter.ts'
import { getMarker, type SignInMarkers } from './sign-in-markers.ts'
import { StoreError, type TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

/** The maximum difference between the clocks of two processes, in seconds. */
const clockSkew = 30
/**
 * The maximum time of a sign-in with a password, from the submitted form to the session, in seconds; a longer one is
 * refused.
 */
export const maxPasswordSignIn = 60

/** The maximum time for which a device is known, in seconds: 400 days, as browsers limit cookies. */
export const maxDeviceAge: number = 400 * 24 * 60 * 60

/** A marker outlives the cookies of the devices that it forgets. */
const maxAge = maxDeviceAge + clockSkew

/** How often a marker is replaced while other calls replace it too. */
const maxAttempts = 50

const markerKey = (userId: string): TicketKey => ({ kind: 'claim', id: userId })
const endedSessionsKey = (userId: string): TicketKey => ({ kind: 'ended-sessions', id: userId })

/**
 * Records that a user was claimed or deleted, for sign-ins in progress: the password that they compared, or the user
 * that they created, may have been removed. The ticket has no `userId`, so that deleting the user's tickets keeps it.
 */
export async function markClaim(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(markerKey(userId), now + clockSkew * 1000, tickets, now)
}

/**
 * Records that all sessions of a user were revoked. Unlike after a claim, the user may sign in at once, so only earlier
 * sign-ins are meant, by the clock of this process.
 */
export async function markRevocation(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(markerKey(userId), now, tickets, now)
  await markEndedSessions(userId, tickets, now)
}

/**
 * Records that sessions of a user are being ended, for links that such a session has allowed. The user's devices stay known.
 */
export async function markEndedSessions(userId: string, tickets: TicketStore, now: number): Promise<void> {
  await mark(endedSessionsKey(userId), now, tickets, now)
}

async function mark(key: TicketKey, time: number, tickets: TicketStore, now: number): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const before = Number((await tickets.consume(key))?.data ?? 0)
    const data = String(Math.max(time, before))
    const ticket = { ...key, userId: null, data, tries: 0, expires: new Date(now + maxAge * 1000) }
    try {
      return await tickets.create(ticket)
    } catch (error) {
      if (attempts === maxAttempts || (error instanceof StoreError && error.isOutage)) throw error
      // Another call may have created one in between, and may be replacing it.
      if (Number((await tickets.read(key))?.data ?? 0) >= time) return
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
  return isMarkedSince(await tickets.read(markerKey(userId)), since)
}

/** The same for markers that were read. */
export function areClaimedSince(markers: SignInMarkers, since: number): boolean {
  return isMarkedSince(getMarker(markers, 'claim'), since)
}

const isMarkedSince = (marker: Ticket | null, since: number): boolean => marker !== null && Number(marker.data) > since

/** The last end of the sessions of a user. */
export interface EndedSessions {
  /** Milliseconds since 1970, by the clock of the process that ended them. */
  readonly time: number
  /** Differs from that of any other end, whatever the clocks of the processes say. */
  readonly mark: string
}

/** @returns `null` if the sessions were never ended. */
export function getEndedSessions(markers: SignInMarkers): EndedSessions | null {
  return toEndedSessions(getMarker(markers, 'ended-sessions'))
}

const toEndedSessions = (marker: Ticket | null): EndedSessions | null =>
  marker && { time: Number(marker.data), mark: `${marker.data} ${marker.expires.getTime()}` }

/** Reads the last end of all sessions of a user, or of those of one account. @returns `null` if they were never ended */
export async function readEndedSessions(userId: string, tickets: TicketStore): Promise<EndedSessions | null> {
  return toEndedSessions(await tickets.read(endedSessionsKey(userId)))
}

/** Returns whether one time is after another, with a tolerance for clock differences. Milliseconds. */
export function isSince(time: number, since: number): boolean {
  return time + clockSkew * 1000 > since
}

/** Seconds for which an unfinished claim is remembered: 400 days. */
const pendingMaxAge = 400 * 24 * 60 * 60

const pendingKey = (userId: string): TicketKey => ({ kind: 'pending-claim', id: userId })

/** A user and the address that a claim proves. */
type Claimed = Pick<AdapterUser, 'id' | 'email'>

/** Records that a claim has started. If it fails, the next sign-in that proves the address runs it again. */
export async function markPendingClaim({ id, email }: Claimed, tickets: TicketStore, now: number): Promise<void> {
  const key = pendingKey(id)
  await tickets.consume(key)
  const expires = new Date(now + pendingMaxAge * 1000)
  await tickets.create({ ...key, userId: null, data: email?.toLowerCase() ?? '', tries: 0, expires })
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
  return marker !== null && marker.data === (email?.toLowerCase() ?? '')
}
