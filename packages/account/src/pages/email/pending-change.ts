import {
  createMailedCode,
  type FeatureContext,
  type FeatureRequest,
  normalizeMailedCode,
  type Ticket,
  type TicketKey
} from '@postern/core/feature'
import { checkTypedCode, sendTicket } from '../../mail/mailed-token.ts'
import { replaceTicket } from '../../put-ticket.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { hashText } from './hash-text.ts'

const kind = ticketKinds.emailChange

/** A change that waits for the proof of the new address. */
interface PendingState {
  readonly email: string
  /** The address when the change was asked for. */
  readonly from: string | null
  readonly wasVerified: boolean
  /** The hash of the code; `null` if another user has the address. */
  readonly code: string | null
}

export interface PendingChange extends PendingState {
  readonly ticket: Ticket
}

/**
 * The key of the change of a session. Each session has one: a code that is typed in another session finds none.
 *
 * @returns `null` without a session, and for a session that has no id.
 */
async function getKey(request: FeatureRequest, { applicationId }: FeatureContext): Promise<TicketKey | null> {
  const { sessionId = null } = (await request.getAuthentication()) ?? {}
  return sessionId === null ? null : { kind: kind.name, id: hashText(`${sessionId} ${applicationId}`) }
}

/** @returns The change that this session has asked for; `null` if it has none. */
export async function readPending(request: FeatureRequest, context: FeatureContext): Promise<PendingChange | null> {
  const user = await request.getUser()
  const key = user && (await getKey(request, context))
  const ticket = key && (await context.tickets.read(key))
  if (!ticket || ticket.userId !== user.userId) return null
  const state: PendingState = JSON.parse(ticket.data)
  return { ...state, ticket }
}

/** A change to store. */
type NewChange = Pick<PendingState, 'email' | 'from' | 'wasVerified'> & {
  readonly userId: string
  /** Whether another user has the address: its owner gets another mail, and nothing confirms the change. */
  readonly isTaken: boolean
}

/**
 * Stores the change of this session in place of an earlier one, and mails its code to the new address.
 *
 * @returns `false` if the session has no id.
 * @throws AuthError `EmailSignin`
 */
export async function startPending(
  { userId, isTaken, ...about }: NewChange,
  request: FeatureRequest,
  context: FeatureContext
): Promise<boolean> {
  const key = await getKey(request, context)
  if (key === null) return false
  const code = createMailedCode(context.randomBytes)
  const hash = await context.key(kind.name).hash(`${key.id} ${code}`)
  const state: PendingState = { ...about, code: isTaken ? null : hash }
  await sendTicket(
    {
      ticket: { kind, id: key.id, userId, data: JSON.stringify(state) },
      to: about.email,
      mail: isTaken ? 'email-exists' : 'email-confirm',
      values: isTaken ? {} : { code: `${code.slice(0, 4)}-${code.slice(4)}` }
    },
    request,
    context,
    replaceTicket
  )
  return true
}

/**
 * Compares a typed code. The try is counted before.
 *
 * @returns `'spent'` after too many codes, and `'gone'` if another request has ended the change.
 */
export async function checkCode(
  typed: string,
  { ticket, code }: PendingChange,
  context: FeatureContext
): Promise<'right' | 'wrong' | 'spent' | 'gone'> {
  const isRight = async (): Promise<boolean> =>
    (await context.key(kind.name).verify(`${ticket.id} ${normalizeMailedCode(typed)}`, code ?? '')) && code !== null
  const checked = await checkTypedCode(ticket, isRight, context)
  if (checked === 'spent') await context.tickets.consume(ticket)
  return checked
}
