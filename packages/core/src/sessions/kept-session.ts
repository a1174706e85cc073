import { StoreError, type TicketStore } from '../adapter/store.ts'
import { keptSessionKind, keptVersionKind, type TicketKey } from '../adapter/ticket.ts'
import { sha256 } from '../tokens/hash.ts'

// A session that ends the others of its user raises the version of the user's sessions, and continues under the new version.
// Two tickets decide whether it may:
// - The first says that it is being kept. Whatever ends all sessions of the user deletes it, and then the session ends too.
// - The second says which session ends the others of a version, so that of two that end each other one at most stays.

/** Milliseconds in which the others end. */
const maxAge = 600_000

/** How often the ticket of a version is created while other requests create it. */
const maxAttempts = 3

/** Creates the ticket of a session that is being kept. @throws AuthError `StoreUnavailable` */
export async function createKeptSession(userId: string, tickets: TicketStore, now: number): Promise<TicketKey> {
  const key = { kind: keptSessionKind, id: crypto.randomUUID() }
  await tickets.create({ ...key, userId, data: '', tries: 0, expires: new Date(now + maxAge) })
  return key
}

/** A session that ends the others of its user. */
export interface KeepingSession {
  readonly userId: string
  /** The version of the user's sessions in the store. */
  readonly version: number
  /** The id of the session. */
  readonly id: string
}

/**
 * Records which session ends the others of a version. Two requests of one session, such as a double click, may both do so.
 *
 * @param now - Milliseconds since 1970.
 * @returns `false` if it is another session.
 * @throws AuthError `StoreUnavailable`
 */
export async function reserveVersion(
  { userId, version, id }: KeepingSession,
  tickets: TicketStore,
  now: number
): Promise<boolean> {
  const key = { kind: keptVersionKind, id: await sha256(JSON.stringify([userId, version])) }
  for (let attempts = 1; ; attempts++) {
    try {
      await tickets.create({ ...key, userId, data: id, tries: 0, expires: new Date(now + maxAge) })
      return true
    } catch (error) {
      // Another request may have created it before.
      if (attempts === maxAttempts || !(error instanceof StoreError) || error.isOutage) throw error
    }
    const existing = await tickets.read(key)
    if (existing && existing.expires.getTime() > now) return existing.data === id
    // Only the expired ticket may be replaced, not one that another request has created since.
    const removed = await tickets.consume(key)
    if (removed && removed.expires.getTime() > now && removed.data !== id) return false
  }
}
