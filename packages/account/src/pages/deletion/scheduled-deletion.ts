import type { FeatureContext, Ticket, TicketKey } from '@postern/core/feature'
import { isUsed, toUsedLink } from '../../mail/mailed-token.ts'
import { dayLength } from '../day-length.ts'
import { hashText } from '../email/hash-text.ts'
import type { StoredRequest } from '../stored-request.ts'

/** The kind of the tickets. A suspension leaves them; a reclaim and the deletion of the user delete them. */
export const deletionKind = 'deletion'

/** Days in which the owner of a proven address can keep the account, without a grace period. */
export const waitingDays = 7

/** Milliseconds for which a ticket stays after its time: an expired one cannot be read, and the application may not run. */
const maxDelay = 400 * dayLength

/** A deletion that a user has asked for, and can cancel: the ticket is encrypted. */
export interface ScheduledDeletion {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly scheduledAt: number
  /** Milliseconds since 1970: from then on, it cannot be canceled. */
  readonly deleteAt: number
  /** When it has begun, so that it cannot be canceled, whatever the clock of another process says. */
  readonly begunAt?: number
  /** The addresses that were notified. */
  readonly addresses: readonly string[]
  readonly scheduledBy: StoredRequest
  /** The hash of the token in the mail to the address, whose owner may delete the account at once. Without one, nobody may. */
  readonly token?: string
}

export const deletionKey = (userId: string): TicketKey => ({
  kind: deletionKind,
  id: hashText(userId)
})

export function toDeletionTicket(deletion: ScheduledDeletion): Ticket {
  const { userId, deleteAt } = deletion
  const [expires, dueAt] = [new Date(deleteAt + maxDelay), new Date(deleteAt)]
  return { ...deletionKey(userId), userId, data: JSON.stringify(deletion), tries: 0, expires, dueAt }
}

/** A deletion with its ticket, as it was read. */
interface ReadDeletion {
  readonly deletion: ScheduledDeletion
  readonly ticket: Ticket
}

/** @returns `null` if the deletion of the account is not scheduled. */
export async function readDeletionTicket(userId: string, { tickets }: FeatureContext): Promise<ReadDeletion | null> {
  const ticket = await tickets.read(deletionKey(userId))
  return ticket && { deletion: JSON.parse(ticket.data), ticket }
}

/** @returns `null` if the deletion of the account is not scheduled. */
export const readScheduledDeletion = async (userId: string, setup: FeatureContext): Promise<ScheduledDeletion | null> =>
  (await readDeletionTicket(userId, setup))?.deletion ?? null

/** Whether a deletion cannot be canceled anymore. */
export const isDue = ({ deleteAt, begunAt }: ScheduledDeletion, { now }: FeatureContext): boolean =>
  begunAt !== undefined || deleteAt <= now()

/** The token of a link names the ticket, and proves the mailbox. @returns `null` if it cannot be one. */
async function parseToken(token: string): Promise<{ readonly id: string; readonly hash: string } | null> {
  if (!/^[\w-]{86}$/.test(token)) return null
  return { id: token.slice(0, 43), hash: hashText(token.slice(43)) }
}

/** @returns The deletion of a link; `null` if it is over, or if the token is unknown. */
export async function readByToken(token: string, context: FeatureContext): Promise<ScheduledDeletion | null> {
  const parsed = await parseToken(token)
  const ticket = parsed && (await context.tickets.read({ kind: deletionKind, id: parsed.id }))
  const deletion: ScheduledDeletion | null = ticket && JSON.parse(ticket.data)
  // Hashes of random text: the time of the comparison says nothing about it.
  return parsed && deletion?.token === parsed.hash ? deletion : null
}

/** What became of an account whose deletion is over. */
type Outcome = 'kept' | 'deleted'

const getOutcomeId = (outcome: Outcome, hash: string): string => hashText(`${outcome} ${hash}`)

/**
 * The ticket that lets a second click on a link repeat what became of the account. A kept account may be deleted later, and the ticket
 * with it.
 *
 * @returns `null` if no link was mailed.
 */
export async function toOutcomeTicket(
  outcome: Outcome,
  { userId, token, deleteAt }: ScheduledDeletion,
  { now }: FeatureContext
): Promise<Ticket | null> {
  if (token === undefined) return null
  const expires = new Date(Math.max(deleteAt, now()) + dayLength)
  return toUsedLink({
    id: getOutcomeId(outcome, token),
    expires,
    userId: outcome === 'kept' ? userId : null
  })
}

/** @returns What became of the account of a link; `null` if that is unknown, or if another deletion is scheduled. */
export async function readOutcome(token: string, context: FeatureContext): Promise<Outcome | null> {
  const parsed = await parseToken(token)
  if (!parsed) return null
  const { id, hash } = parsed
  if (await isUsed([getOutcomeId('deleted', hash)], context)) return 'deleted'
  if (await context.tickets.read({ kind: deletionKind, id })) return null
  return (await isUsed([getOutcomeId('kept', hash)], context)) ? 'kept' : null
}

/** What the export of a user contains: the times in ISO 8601, or `null`. */
export async function exportDeletion(
  userId: string,
  context: FeatureContext
): Promise<Readonly<Record<string, unknown>>> {
  const deletion = await readScheduledDeletion(userId, context)
  const toIso = (time: number): string => new Date(time).toISOString()
  return { deletion: deletion && { scheduledAt: toIso(deletion.scheduledAt), deleteAt: toIso(deletion.deleteAt) } }
}
