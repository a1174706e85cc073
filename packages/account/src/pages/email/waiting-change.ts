import type {
  AdapterUser,
  FeatureContext,
  FeatureRequest,
  FeatureWrite,
  RequestInfo,
  Ticket,
  TicketKey
} from '@postern/core/feature'
import { markUsed } from '../../mail/mailed-token.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { dayLength } from '../day-length.ts'
import { createDecisionLink, type Decision, getOutcomeId } from '../decision.ts'
import { type StoredRequest, storeRequest } from '../stored-request.ts'
import { toUserKey } from '../user-key.ts'
import { isTaken } from './email-address.ts'
import type { PendingChange } from './pending-change.ts'

/** Milliseconds in which the owner of the current address can cancel a change. */
const waitingPeriod: number = 7 * dayLength

/** Milliseconds for which a ticket stays after its time. If no process runs for longer, the change lapses. */
const maxDelay: number = 30 * dayLength

export const linkPath = '/account/email/change'

/** A change whose new address is proven, and to which the owner of the current one has not agreed. The ticket is encrypted. */
export interface WaitingChange {
  readonly userId: string
  readonly email: string
  /** The address that the user must still have. */
  readonly from: string
  /** When the new address was proven, in milliseconds since 1970. */
  readonly since: number
  /** When the address changes by itself, in milliseconds since 1970. */
  readonly at: number
  /** The hash of the token in the mail to the current address. */
  readonly token: string
  readonly askedBy: StoredRequest
}

/** The key of the change of a user, who has at most one. It is the same after the secret was replaced. */
export const waitingKey = (userId: string): TicketKey => toUserKey(ticketKinds.emailWaiting, userId)

/** @returns `null` if no change of the address waits. */
export async function readWaiting(userId: string, { tickets }: FeatureContext): Promise<WaitingChange | null> {
  const ticket = await tickets.read(waitingKey(userId))
  return ticket && JSON.parse(ticket.data)
}

/** The write that lets a second click on a link say that it is done. */
export const markDecision = (decision: Decision, { token, at }: WaitingChange): FeatureWrite =>
  markUsed({ id: getOutcomeId(decision, token), expires: new Date(at + dayLength) })

/** The user whose address changes, and the proof of the new one. */
interface ProvenChange {
  readonly user: AdapterUser & { readonly email: string }
  readonly pending: PendingChange
}

/** Tells the owner of the current address, before anything is written: a change that nobody could cancel must not wait. */
async function mailOwner(
  { user, pending }: ProvenChange,
  request: FeatureRequest,
  context: FeatureContext
): Promise<WaitingChange> {
  const { url, hash } = createDecisionLink(waitingKey(user.id), linkPath, request, context)
  const since = context.now()
  const at = since + waitingPeriod
  const values = { time: new Date(since), date: new Date(at), client: request.client ?? '–', url }
  await context.sendMail(user.email, 'email-waiting', values, { request, user })
  const askedBy = storeRequest(request)
  return { userId: user.id, email: pending.email, from: user.email, since, at, token: hash, askedBy }
}

/** The writes that let a change wait, in place of an earlier one. */
function toWrites(change: WaitingChange, request: FeatureRequest, context: FeatureContext): readonly FeatureWrite[] {
  const { userId } = change
  const [expires, dueAt] = [new Date(change.at + maxDelay), new Date(change.at)]
  const ticket: Ticket = {
    ...waitingKey(userId),
    userId,
    data: JSON.stringify(change),
    tries: 0,
    expires,
    dueAt
  }
  return [
    // The earlier change, also one that cannot be read without its secret.
    { method: 'deleteTickets', args: [userId, ticketKinds.emailWaiting.name] },
    { method: 'createTicket', args: [ticket] },
    { method: 'addEvents', args: [[context.createEvent('email-change-requested', { userId, request })]] }
  ]
}

/** Why a change cannot wait: the address or the proof has changed, or another user has the new address. */
type Refusal = 'gone' | 'taken'

async function findRefusal(
  { user, pending }: ProvenChange,
  current: AdapterUser | null,
  context: FeatureContext
): Promise<Refusal | null> {
  if (current?.email !== user.email || !current.emailVerified) return 'gone'
  return (await isTaken(pending.email, user.id, context)) ? 'taken' : null
}

/** Tells the owner of the current address, and lets the change wait. */
async function wait(proven: ProvenChange, request: FeatureRequest, context: FeatureContext) {
  const waiting = await mailOwner(proven, request, context)
  return request.changeAccess<Refusal>(async ({ user: current }) => {
    const refusal = await findRefusal(proven, current, context)
    return refusal ?? { ends: 'nothing', writes: toWrites(waiting, request, context) }
  })
}

/**
 * Lets a change wait, in place of an earlier one, and tells the owner of the current address. Of several requests with a code, one
 * uses it up, so that the owner gets one mail.
 *
 * @throws AuthError `EmailSignin`
 */
export async function startWaiting(
  proven: ProvenChange,
  request: FeatureRequest,
  context: FeatureContext
): Promise<'waiting' | Refusal> {
  await request.confirmUser()
  const refusal = await findRefusal(proven, await context.users.getUser(proven.user.id), context)
  if (refusal) return refusal
  const code = await context.tickets.consume(proven.pending.ticket)
  if (!code) return 'gone'
  try {
    const outcome = await wait(proven, request, context)
    if (outcome === 'changed') return 'waiting'
    return outcome === 'conflict' ? 'gone' : outcome
  } catch (error) {
    // The user can type the code again.
    await context.tickets.create(code)
    throw error
  }
}

/** The writes that cancel a change. They are refused if it does not wait any more. */
export function cancelWaiting(
  { userId }: Pick<WaitingChange, 'userId'>,
  request: RequestInfo,
  context: FeatureContext
): readonly FeatureWrite[] {
  const event = context.createEvent('email-change-cancelled', { userId, request })
  return [
    { method: 'consumeTicket', args: [waitingKey(userId)] },
    { method: 'addEvents', args: [[event]] }
  ]
}

/** What the export of a user contains: the new address, with the times in ISO 8601, or `null`. */
export async function exportWaiting(userId: string, context: FeatureContext): Promise<object> {
  const waiting = await readWaiting(userId, context)
  const toIso = (time: number): string => new Date(time).toISOString()
  return { emailChange: waiting && { email: waiting.email, since: toIso(waiting.since), at: toIso(waiting.at) } }
}
