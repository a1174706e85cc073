import type {
  AdapterUser,
  FeatureContext,
  FeatureRequest,
  FeatureWrite,
  RequestInfo,
  Ticket,
  TicketKey
} from '@postern/core/feature'
import { createToken, markUsed } from '../../mail/mailed-token.ts'
import { dayLength } from '../day-length.ts'
import { type StoredRequest, storeRequest } from '../stored-request.ts'
import { isTaken } from './email-address.ts'
import { hashText } from './hash-text.ts'
import type { PendingChange } from './pending-change.ts'

/** The kind of the tickets: a suspension, a reclaim, a reset and the deletion of the user delete them. */
export const waitingKind = 'email-waiting'

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
export const waitingKey = (userId: string): TicketKey => ({
  kind: waitingKind,
  id: hashText(userId)
})

const parse = (ticket: Ticket | null): WaitingChange | null => ticket && JSON.parse(ticket.data)

/** @returns `null` if no change of the address waits. */
export const readWaiting = async (userId: string, { tickets }: FeatureContext): Promise<WaitingChange | null> =>
  parse(await tickets.read(waitingKey(userId)))

/** What the owner of the current address decides. */
export type Decision = 'confirm' | 'cancel'

/** The token of a link names the ticket, and proves the mailbox. */
const split = (token: string): readonly [id: string, secret: string] => [token.slice(0, 43), token.slice(43)]

/** @returns The change of a link; `null` if it is decided or replaced, or if the token is unknown. */
export async function readByToken(token: string, { tickets }: FeatureContext): Promise<WaitingChange | null> {
  if (!/^[\w-]{86}$/.test(token)) return null
  const [id, secret] = split(token)
  const waiting = parse(await tickets.read({ kind: waitingKind, id }))
  // Hashes of random text: the time of the comparison says nothing about it.
  return waiting && waiting.token === hashText(secret) ? waiting : null
}

/** The id under which a link is known to have done something. */
export const getDecisionId = (decision: Decision, token: string): string => hashText(`${decision} ${split(token)[1]}`)

/** The write that lets a second click on a link say that it is done. */
export const markDecision = async (decision: Decision, token: string, { at }: WaitingChange): Promise<FeatureWrite> =>
  markUsed({ id: getDecisionId(decision, token), expires: new Date(at + dayLength) })

/** The user whose address changes, and the proof of the new one. */
interface ProvenChange {
  readonly user: AdapterUser & { readonly email: string }
  readonly pending: PendingChange
}

function createWaiting({ user, pending }: ProvenChange, request: FeatureRequest, context: FeatureContext) {
  const [secret, since] = [createToken(context), context.now()]
  const about = { userId: user.id, email: pending.email, from: user.email, askedBy: storeRequest(request) }
  return { secret, change: { ...about, since, at: since + waitingPeriod } }
}

/** Tells the owner of the current address, before anything is written: a change that nobody could cancel must not wait. */
async function mailOwner(
  {
    user,
    key,
    secret,
    at
  }: Pick<ProvenChange, 'user'> & { readonly key: TicketKey; readonly secret: string; readonly at: number },
  request: FeatureRequest,
  context: FeatureContext
): Promise<void> {
  const url = `${request.origin}${request.basePath}${linkPath}?token=${key.id}${secret}`
  const times = { time: new Date(context.now()), date: new Date(at) }
  await context.sendMail(
    user.email,
    'email-waiting',
    { ...times, client: request.client ?? '–', url },
    { request, user }
  )
}

/** The writes that let a change wait, in place of an earlier one. */
async function createWrites(
  change: WaitingChange,
  request: FeatureRequest,
  context: FeatureContext
): Promise<readonly FeatureWrite[]> {
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
    { method: 'deleteTickets', args: [userId, waitingKind] },
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
  const { user } = proven
  const { secret, change } = createWaiting(proven, request, context)
  await mailOwner({ user, key: waitingKey(user.id), secret, at: change.at }, request, context)
  const waiting: WaitingChange = { ...change, token: hashText(secret) }
  return request.changeAccess<Refusal>(async ({ user: current }) => {
    const refusal = await findRefusal(proven, current, context)
    return refusal ?? { ends: 'nothing', writes: await createWrites(waiting, request, context) }
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
export async function cancelWaiting(
  { userId }: Pick<WaitingChange, 'userId'>,
  request: RequestInfo,
  context: FeatureContext
): Promise<readonly FeatureWrite[]> {
  const event = context.createEvent('email-change-cancelled', { userId, request })
  return [
    { method: 'consumeTicket', args: [waitingKey(userId)] },
    { method: 'addEvents', args: [[event]] }
  ]
}

/** What the export of a user contains: the new address, with the times in ISO 8601, or `null`. */
export async function exportWaiting(
  userId: string,
  context: FeatureContext
): Promise<Readonly<Record<string, unknown>>> {
  const waiting = await readWaiting(userId, context)
  const toIso = (time: number): string => new Date(time).toISOString()
  return { emailChange: waiting && { email: waiting.email, since: toIso(waiting.since), at: toIso(waiting.at) } }
}
