import { StoreError, type TicketStore } from '../adapter/store.ts'
import { keptSessionKind, type Ticket, type TicketKey } from '../adapter/ticket.ts'
import { sha256 } from '../tokens/hash.ts'

// A session that ends the others of its user raises the version of the user's sessions, and continues under the new version.
// Before, it reserves the current version with a ticket, so that of two sessions that end each other one at most stays; and it
// continues only if the ticket is there afterwards. Whatever ends all sessions of the user takes the reservation away first.
//
// A reservation that has run out, because its request failed, stays, and the next one has a key of its own: nothing that is
// deleted on suspicion could be the reservation of another request.

/** Milliseconds for which a reservation refuses other sessions. */
const validity = 60_000

/** Milliseconds before its end from which it no longer serves its own session: more than the clocks of two processes differ. */
const margin = 30_000

/** Milliseconds that a request of the same session has at least, which shares a reservation. */
const minShare = 10_000

/** The owner of the reservations of ends of all sessions. */
const endOwner = 'end'

/** Milliseconds after which it may be deleted. */
const maxAge = 86_400_000

/** How often a reservation is created while other requests create one. */
const maxAttempts = 5

/** How many reservations of a version may run out before the next session that ends the others ends with them. */
const maxPlaces = 100

/** A session that ends the others of its user. */
export interface KeepingSession {
  readonly userId: string
  /** The version of the user's sessions in the store. */
  readonly version: number
  /** What all requests of the session have in common, and no other session has. */
  readonly id: string
}

/** The reservation of a version by a session; other requests of this session, such as those of a double click, share it. */
export interface Reservation {
  readonly session: KeepingVersion
  readonly key: TicketKey
  /** The hash of the session's id, a random part, and when the reservation runs out in milliseconds since 1970. */
  readonly data: string
}

interface KeepingVersion extends Pick<KeepingSession, 'userId' | 'version'> {
  /** The hash of the session's id. */
  readonly owner: string
}

async function toKey({ userId, version }: KeepingVersion, place: number): Promise<TicketKey> {
  return { kind: keptSessionKind, id: await sha256(JSON.stringify([userId, version, place])) }
}

/** Parses the data of a reservation. */
function parse(data: string): { readonly owner: string; readonly end: number } {
  const [owner = '', , end] = data.split(' ')
  return { owner, end: Number(end) }
}

/** Finds the first reservation of a version that is not passed over, or the first free key. */
async function find(
  session: KeepingVersion,
  tickets: TicketStore,
  isPassed: (ticket: Ticket) => boolean
): Promise<{ readonly key: TicketKey; readonly ticket: Ticket | null }> {
  for (let place = 0; ; place++) {
    const key = await toKey(session, place)
    const ticket = await tickets.read(key)
    if (!ticket || place === maxPlaces || !isPassed(ticket)) return { key, ticket }
  }
}

/**
 * Reserves a version for a session.
 *
 * @param now - Milliseconds since 1970.
 * @returns `null` if another session has reserved it.
 * @throws AuthError `StoreUnavailable`
 */
export async function reserveVersion(
  { userId, version, id }: KeepingSession,
  tickets: TicketStore,
  now: number
): Promise<Reservation | null> {
  return reserve({ userId, version, owner: await sha256(id) }, tickets, { now, userId })
}

async function reserve(
  session: KeepingVersion,
  tickets: TicketStore,
  { now, userId }: { readonly now: number; readonly userId: string | null }
): Promise<Reservation | null> {
  const data = `${session.owner} ${crypto.randomUUID()} ${now + validity}`
  const isPassed = (ticket: Ticket): boolean => {
    const { owner, end } = parse(ticket.data)
    return (owner === session.owner ? end - margin - minShare : end) <= now
  }
  let key = await toKey(session, 0)
  for (let attempts = 1; ; attempts++) {
    try {
      await tickets.create({ ...key, userId, data, tries: 0, expires: new Date(now + maxAge) })
      return { session, key, data }
    } catch (error) {
      // Another request may have created one.
      if (attempts === maxAttempts || !(error instanceof StoreError) || error.isOutage) throw error
    }
    const found = await find(session, tickets, isPassed)
    if (found.ticket) {
      const isOwn = parse(found.ticket.data).owner === session.owner
      return isOwn ? { session, key: found.key, data: found.ticket.data } : null
    }
    key = found.key
  }
}

/** Whether a session may continue: its version is still reserved for it. @throws AuthError `StoreUnavailable` */
export async function isReserved({ session, data }: Reservation, tickets: TicketStore, now: number): Promise<boolean> {
  const isPassed = (ticket: Ticket): boolean => {
    const { owner, end } = parse(ticket.data)
    return owner === session.owner ? ticket.data !== data : end <= now
  }
  const { ticket } = await find(session, tickets, isPassed)
  return ticket?.data === data && parse(data).end - margin > now
}

/** Deletes the reservation of a session that has ended, and has not raised the version. @throws AuthError `StoreUnavailable` */
export async function releaseVersion({ key, data }: Reservation, tickets: TicketStore): Promise<void> {
  if ((await tickets.read(key))?.data === data) await tickets.consume(key)
}

/**
 * Takes the current version from every session that has reserved it, and reserves it, so that none continues after an end of all
 * sessions: not under the version of this end, and not under a later one. The tickets of the user do not include the
 * reservation: {@link dropReservations} keeps it.
 *
 * @param now - Milliseconds since 1970.
 * @throws AuthError `StoreUnavailable`
 */
export async function reserveForEnd(
  { userId, getVersion }: { readonly userId: string; readonly getVersion: () => Promise<number> },
  tickets: TicketStore,
  now: number
): Promise<void> {
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    const version = await getVersion()
    await dropReservations(userId, tickets)
    // Ends that overlap share it.
    const reservation = await reserve({ userId, version, owner: endOwner }, tickets, { now, userId: null })
    // A session that had the reservation before may have raised the version.
    if (reservation && (await getVersion()) === version) return
  }
}

/** Refuses the sessions of a user that end the others at this moment. @throws AuthError `StoreUnavailable` */
export async function dropReservations(userId: string, tickets: TicketStore): Promise<void> {
  await tickets.delete(userId, keptSessionKind)
}
