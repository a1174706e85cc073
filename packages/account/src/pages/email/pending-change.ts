import type { FeatureContext, FeatureRequest, FeatureWrite, Ticket, TicketKey } from '@postern/core/feature'
import { createCode, createToken, isUsed, markUsed, normalizeCode, sendTicket } from '../../mail/mailed-token.ts'
import { hashText } from './hash-text.ts'

const kind = 'email-change'

/** The codes that may be typed for one change. */
const maxTries = 5

/** A change that waits for the proof of the new address. */
interface PendingState {
  readonly email: string
  /** The address when the change was asked for. */
  readonly from: string | null
  readonly wasVerified: boolean
  /** The hashes of the token and of the code; `null` if another user has the address. */
  readonly token: string | null
  readonly code: string | null
}

export interface PendingChange extends PendingState {
  readonly ticket: Ticket
}

/**
 * The key of the change of a session. Each session has one: a link that is opened in another session finds none.
 *
 * @returns `null` without a session, and for a session that has no id.
 */
async function getKey(request: FeatureRequest, { applicationId }: FeatureContext): Promise<TicketKey | null> {
  const { sessionId = null } = (await request.getAuthentication()) ?? {}
  return sessionId === null ? null : { kind, id: await hashText(`${sessionId} ${applicationId}`) }
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
 * Stores the change of this session in place of an earlier one, and mails its link and code to the new address.
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
  const token = createToken(context)
  const code = createCode(context)
  const [tokenHash, codeHash] = await Promise.all([
    context.key(kind).hash(`${key.id} ${token}`),
    context.key(kind).hash(`${key.id} ${code}`)
  ])
  const state: PendingState = { ...about, token: isTaken ? null : tokenHash, code: isTaken ? null : codeHash }
  await context.tickets.consume(key)
  const confirmUrl = `${request.origin}${request.basePath}/account/email/confirm?token=${token}`
  const shown = { url: confirmUrl, code: `${code.slice(0, 4)}-${code.slice(4)}` }
  await sendTicket(
    {
      ticket: { kind, id: key.id, userId, data: JSON.stringify(state) },
      to: about.email,
      mail: isTaken ? 'email-exists' : 'email-confirm',
      values: isTaken ? {} : shown
    },
    request,
    context
  )
  return true
}

/** Whether a token is the one of the change. */
export async function isToken(
  token: string,
  { ticket, token: hash }: PendingChange,
  { key }: FeatureContext
): Promise<boolean> {
  return (await key(kind).verify(`${ticket.id} ${token}`, hash ?? '')) && hash !== null
}

/** Compares a typed code. The try is counted before. @returns `'gone'` after too many codes: the change has ended. */
export async function checkCode(
  typed: string,
  { ticket, code }: PendingChange,
  { tickets, key }: FeatureContext
): Promise<'right' | 'wrong' | 'gone'> {
  const tries = await tickets.countTry(ticket)
  if (tries === null) return 'gone'
  if (tries > maxTries) {
    await tickets.consume(ticket)
    return 'gone'
  }
  const isRight = await key(kind).verify(`${ticket.id} ${normalizeCode(typed)}`, code ?? '')
  return isRight && code !== null ? 'right' : 'wrong'
}

/** What confirms a change: the token of the link, or a typed code. */
export interface ChangeProof {
  readonly token: string | null
  readonly code: string
}

/** The session that confirms a change gets a new token: only the user stays the same. */
const describeProof = (userId: string, { token, code }: ChangeProof, { applicationId }: FeatureContext): string =>
  `used ${userId} ${token ?? normalizeCode(code)} ${applicationId}`

/** The write that says of a link and of a code that they have changed the address of a user. */
export async function markConfirmed(
  { ticket: { userId, expires } }: PendingChange,
  proof: ChangeProof,
  context: FeatureContext
): Promise<FeatureWrite> {
  return markUsed({ id: await context.key(kind).hash(describeProof(userId ?? '', proof, context)), expires })
}

/** Whether a link or a code has changed the address of the signed-in user. */
export async function wasConfirmed(
  request: FeatureRequest,
  proof: ChangeProof,
  context: FeatureContext
): Promise<boolean> {
  const { userId } = (await request.getUser()) ?? { userId: null }
  if (userId === null) return false
  return isUsed(await context.key(kind).hashes(describeProof(userId, proof, context)), context)
}
