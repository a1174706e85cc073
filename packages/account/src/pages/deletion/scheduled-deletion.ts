import type { FeatureContext, RequestInfo, Ticket, TicketKey } from '@postern/core/feature'
import { hashText } from '../email/hash-text.ts'

/**
 * The kind of the tickets. Suspending a user deletes them, as all pending operations; so does a claim. One that is written after
 * the claim, by a call of the store that was made before, has no effect.
 */
export const deletionKind = 'deletion'

export const dayLength: number = 24 * 60 * 60 * 1000

/** Milliseconds for which a ticket stays after its time: an expired one cannot be read, and the application may not run. */
const maxDelay = 400 * dayLength

/** What the notice after the deletion needs of the request that has scheduled it. */
type ScheduledBy = Pick<RequestInfo, 'origin' | 'client' | 'id'> & {
  readonly acceptLanguage: string | null
  readonly language: string | null
}

/** A deletion that a user has asked for, and can cancel: the ticket is encrypted. */
export interface ScheduledDeletion {
  readonly userId: string
  /** The claims of the user before it was scheduled: a later one cancels it. Those of an earlier version have none. */
  readonly claimMark?: string
  /** Milliseconds since 1970. */
  readonly scheduledAt: number
  /** Milliseconds since 1970: from then on, it cannot be canceled. */
  readonly deleteAt: number
  /** The addresses that were notified. */
  readonly addresses: readonly string[]
  readonly scheduledBy: ScheduledBy
}

export const deletionKey = async (userId: string): Promise<TicketKey> => ({
  kind: deletionKind,
  id: await hashText(userId)
})

export async function toDeletionTicket(deletion: ScheduledDeletion): Promise<Ticket> {
  const { userId, deleteAt } = deletion
  const expires = new Date(deleteAt + maxDelay)
  return { ...(await deletionKey(userId)), userId, data: JSON.stringify(deletion), tries: 0, expires }
}

/** @returns `null` if the deletion of the account is not scheduled. */
export async function readScheduledDeletion(
  userId: string,
  { tickets, readClaimMark }: Pick<FeatureContext, 'readClaimMark' | 'tickets'>
): Promise<ScheduledDeletion | null> {
  const ticket = await tickets.read(await deletionKey(userId))
  if (!ticket) return null
  const deletion: ScheduledDeletion = JSON.parse(ticket.data)
  const { claimMark } = deletion
  return claimMark === undefined || claimMark === (await readClaimMark(userId)) ? deletion : null
}

/** What the export of a user contains: the times in ISO 8601, or `null`. */
export async function exportDeletion(
  userId: string,
  context: Pick<FeatureContext, 'readClaimMark' | 'tickets'>
): Promise<unknown> {
  const deletion = await readScheduledDeletion(userId, context)
  const toIso = (time: number): string => new Date(time).toISOString()
  return { deletion: deletion && { scheduledAt: toIso(deletion.scheduledAt), deleteAt: toIso(deletion.deleteAt) } }
}
