import type { TicketStore } from './store.ts'
import { never, type Ticket, type TicketKey } from './ticket.ts'

/** The kind of the tickets that suspend users. */
export const suspensionKind = 'suspension'

/** The key of the ticket that suspends a user. */
export function suspensionKey(userId: string): TicketKey {
  return { kind: suspensionKind, id: userId }
}

/**
 * Creates the ticket that suspends a user. It has no `userId`, so that deleting the user's tickets keeps it: a claim in
 * progress must not end a suspension.
 */
export function createSuspension(userId: string, now: number): Ticket {
  return { ...suspensionKey(userId), userId: null, data: new Date(now).toISOString(), tries: 0, expires: never }
}

/** Returns whether a user is suspended. @throws AuthError `StoreUnavailable` */
export async function isSuspended(userId: string, tickets: TicketStore): Promise<boolean> {
  return (await tickets.read(suspensionKey(userId))) !== null
}
