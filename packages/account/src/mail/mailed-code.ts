import {
  createMailedCode,
  type FeatureContext,
  type FeatureRequest,
  normalizeMailedCode,
  type PendingSignIn,
  type TicketKey
} from '@postern/core/feature'
import { putTicket, replaceTicket } from '../put-ticket.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import { checkTypedCode } from './mailed-token.ts'

/** The mails to one user. */
const mailLimit = { points: 5, seconds: 3600 }

const { name: kind, lifetime } = ticketKinds.mailedCode

/** Whether a mailed code is needed: `none`, or it must be sent first, or it was sent. */
export type MailState = 'none' | 'send' | 'sent'

/** What a code is mailed for: a pending sign-in, or what a signed-in user adds. The code is of no use for another. */
export interface CodePurpose extends Pick<PendingSignIn, 'id' | 'user' | 'isNewUser'> {
  /** `null` for a signed-in user: the request knows the device. */
  readonly getKnownDevice: PendingSignIn['getKnownDevice'] | null
}

export const toSessionPurpose = (user: CodePurpose['user'], id: string): CodePurpose => ({
  id,
  user,
  isNewUser: false,
  getKnownDevice: null
})

/** The user of a ticket; `null` for a user who is not stored yet. */
export const getTicketUser = ({ user, isNewUser }: Pick<CodePurpose, 'user' | 'isNewUser'>): string | null =>
  isNewUser ? null : user.id

const getKey = ({ id }: CodePurpose): TicketKey => ({ kind, id: id ?? '' })

const getText = ({ id, user }: CodePurpose, code: string): string => JSON.stringify([id, user.id, user.email, code])

/** The address that a code can be sent to: a verified one of a stored user. */
export function getMailbox({ user, isNewUser }: CodePurpose, context: FeatureContext): string | null {
  return !isNewUser && user.email && user.emailVerified && context.canSendMail ? user.email : null
}

/** A thief of the first factor must not add a second one: a user with a verified address proves it, if mails can be sent. */
export async function getMailState(purpose: CodePurpose, context: FeatureContext): Promise<MailState> {
  if (getMailbox(purpose, context) === null) return 'none'
  return (await wasCodeSent(purpose, context)) ? 'sent' : 'send'
}

/**
 * Mails the code that adds a second factor: to an address that is not verified too, which the code then verifies.
 *
 * @throws AuthError `RateLimited`, `EmailSignin`
 */
export async function mailCodeToOwner(
  purpose: CodePurpose,
  request: FeatureRequest,
  context: FeatureContext
): Promise<void> {
  const unverified = context.canSendMail ? (purpose.user.email ?? null) : null
  await mailCode(purpose, request, context, getMailbox(purpose, context) ?? unverified)
}

export async function wasCodeSent(purpose: CodePurpose, context: FeatureContext): Promise<boolean> {
  return (await context.tickets.read(getKey(purpose))) !== null
}

/**
 * Mails a new code, in place of an earlier one.
 *
 * @param to - By default, the verified address.
 * @throws AuthError `RateLimited`, `EmailSignin`
 */
export async function mailCode(
  purpose: CodePurpose,
  request: FeatureRequest,
  context: FeatureContext,
  to: string | null = getMailbox(purpose, context)
): Promise<void> {
  const { key, limitUser, sendMail } = context
  if (to === null) return
  const { getKnownDevice } = purpose
  // Somebody who has only the first factor cannot use up the mails of a session.
  const name = getKnownDevice ? 'mail' : 'mail in a session'
  const device = await (getKnownDevice ?? request.getKnownDevice)()
  // Anybody may state an address as a new user.
  await limitUser(name, { userId: getTicketUser(purpose) ?? to, device }, mailLimit)
  const code = createMailedCode(context.randomBytes)
  const data = await key(kind).hash(getText(purpose, code))
  const userId = getTicketUser(purpose)
  await replaceTicket({ ...getKey(purpose), userId, data, tries: 0, expires: getExpiry(context) }, context)
  try {
    await sendMail(to, 'code', { code }, { request })
  } catch (error) {
    await consumeMailedCode(purpose, context)
    throw error
  }
}

/** Whether a code that was right before still is, for the address that the user has now. */
export async function isStillMailedCode(
  purpose: CodePurpose,
  code: string,
  { tickets, key }: FeatureContext
): Promise<boolean> {
  const ticket = await tickets.read(getKey(purpose))
  return ticket !== null && key(kind).verify(getText(purpose, normalizeMailedCode(code)), ticket.data)
}

/** Whether a typed code is the mailed one. The guess is counted before. Use it up once nothing else is wrong. */
export async function isMailedCode(purpose: CodePurpose, typed: string, context: FeatureContext): Promise<boolean> {
  const checked = await checkTypedCode(getKey(purpose), () => isStillMailedCode(purpose, typed, context), context)
  if (checked === 'spent') await consumeMailedCode(purpose, context)
  return checked === 'right'
}

const getExpiry = ({ now }: FeatureContext): Date => new Date(now() + lifetime * 1000)

/** Gives the user as long again to use a code that was right. Its form may be sent twice: the last guess must not end the code. */
export async function renewMailedCode(purpose: CodePurpose, context: FeatureContext): Promise<void> {
  const ticket = await context.tickets.read(getKey(purpose))
  if (ticket) await putTicket({ ...ticket, tries: 0, expires: getExpiry(context) }, ticket, context)
}

/** Uses up the mailed code. @returns `false` if another request was faster. */
export async function consumeMailedCode(purpose: CodePurpose, context: FeatureContext): Promise<boolean> {
  return (await context.tickets.consume(getKey(purpose))) !== null
}
