import { getMarker, type SignInMarkers } from './sign-in-markers.ts'
import { StoreError, type TicketStore } from './store.ts'
import type { Ticket, TicketKey } from './ticket.ts'

// A sign-in that waits, or a link that a session has allowed, must not outlive an end of the user's sessions that happens
// meanwhile. It reads a mark when it begins and compares it at the end. The mark is that of a ticket whose `tries` count the
// ends: a count takes effect at once, so no reader finds the record missing if the adapter counts, and clocks do not matter.

/** The kind of the tickets that count how often the sessions of a user were ended. */
export const endedSessionsKind = 'ended-sessions'

/** Seconds: longer than any sign-in takes. The cleanup that deletes the ticket changes the mark. */
const maxAge = 400 * 24 * 60 * 60

/** How often the ticket is created while other calls create it. */
const maxAttempts = 3

const toKey = (userId: string): TicketKey => ({ kind: endedSessionsKind, id: userId })

/**
 * Records that sessions of a user are being ended, for sign-ins that wait, and for links that such a session has allowed. The
 * user's devices stay known.
 *
 * @param now - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function markEndedSessions(userId: string, tickets: TicketStore, now: number): Promise<void> {
  const key = toKey(userId)
  const expires = new Date(now + maxAge * 1000)
  for (let attempts = 1; ; attempts++) {
    if ((await tickets.countTry(key)) !== null) return
    // If another call has not just created it, the adapter does not count: then the ticket is replaced.
    if (attempts > 1) await tickets.consume(key)
    try {
      // It has no `userId`, so that deleting the user's tickets keeps it.
      return await tickets.create({ ...key, userId: null, data: crypto.randomUUID(), tries: 0, expires })
    } catch (error) {
      // Another call may have created it since.
      if (attempts === maxAttempts || (error instanceof StoreError && error.isOutage)) throw error
    }
  }
}

/** Differs after each end of sessions; `null` if none is recorded. */
export type EndedSessionsMark = string | null

const toMark = (ticket: Ticket | null): EndedSessionsMark => ticket && `${ticket.data} ${ticket.tries}`

/** Returns the mark among markers that were read. */
export function getEndedSessionsMark(markers: SignInMarkers): EndedSessionsMark {
  return toMark(getMarker(markers, endedSessionsKind))
}

/** Reads the mark of the last end of all sessions of a user, or of those of one account. @throws AuthError `StoreUnavailable` */
export async function readEndedSessionsMark(userId: string, tickets: TicketStore): Promise<EndedSessionsMark> {
  return toMark(await tickets.read(toKey(userId)))
}
