import type { FeatureContext, Ticket, TicketKey } from '@postern/core/feature'
import { toUsedLink } from '../../mail/mailed-token.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { dayLength } from '../day-length.ts'
import { getOutcomeId, hadOutcome, parseToken } from '../decision.ts'
import type { StoredRequest } from '../stored-request.ts'
import { toUserKey } from '../user-key.ts'

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

export const deletionKey = (userId: string): TicketKey => toUserKey(ticketKinds.deletion, userId)

export function toDeletionTicket(deletion: ScheduledDeletion): Ticket {
  const { userId, deleteAt } = deletion
  const [expires, dueAt] = [new Date(deleteAt + maxDelay), new Date(deleteAt)]
  return { ...deletionKey(userId), userId, data: JSON.stringify(deletion), tries: 0, expires, dueAt }
}

export const parseDeletion = (ticket: Ticket | null): ScheduledDeletion | null => ticket && JSON.parse(ticket.data)

/** @returns `null` if the deletion of the account is not scheduled. */
export const readScheduledDeletion = async (
  userId: string,
  { tickets }: FeatureContext
): Promise<ScheduledDeletion | null> => parseDeletion(await tickets.read(deletionKey(userId)))

/** Whether a deletion cannot be canceled anymore. */
export const isDue = ({ deleteAt, begunAt }: ScheduledDeletion, { now }: FeatureContext): boolean =>
  begunAt !== undefined || deleteAt <= now()

/** What became of an account whose deletion is over. */
type Outcome = 'kept' | 'deleted'

/**
 * The ticket that lets a second click on a link repeat what became of the account. A kept account may be deleted later, and the ticket
 * with it.
 *
 * @returns `null` if no link was mailed.
 */
export function toOutcomeTicket(
  outcome: Outcome,
  { userId, token, deleteAt }: ScheduledDeletion,
  { now }: FeatureContext
): Ticket | null {
  if (token === undefined) return null
  const expires = new Date(Math.max(deleteAt, now()) + dayLength)
  return toUsedLink({ id: getOutcomeId(outcome, token), expires, userId: outcome === 'kept' ? userId : null })
}

/** @returns What became of the account of a link; `null` if that is unknown, or if another deletion is scheduled. */
export async function readOutcome(token: string, context: FeatureContext): Promise<Outcome | null> {
  const parsed = parseToken(token)
  if (!parsed) return null
  if (await hadOutcome('deleted', token, context)) return 'deleted'
  if (await context.tickets.read({ kind: ticketKinds.deletion.name, id: parsed.id })) return null
  return (await hadOutcome('kept', token, context)) ? 'kept' : null
}

/** What the export of a user contains: the times in ISO 8601, or `null`. */
export async function exportDeletion(userId: string, context: FeatureContext): Promise<object> {
  const deletion = await readScheduledDeletion(userId, context)
  const toIso = (time: number): string => new Date(time).toISOString()
  return { deletion: deletion && { scheduledAt: toIso(deletion.scheduledAt), deleteAt: toIso(deletion.deleteAt) } }
}
