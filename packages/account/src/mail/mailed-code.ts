import type { FeatureContext, FeatureRequest, PendingSignIn, TicketKey } from '@postern/core/feature'
import { findUndoGuard } from '../undo-guard.ts'
import { createCode, normalizeCode } from './mailed-token.ts'

/** Seconds: a sign-in or an enrollment that waits longer has expired. */
export const maxAge = 600

/** The guesses of one code. */
const maxTries = 5

/** The mails to one user. */
const mailLimit = { points: 5, seconds: 3600 }

export const mailedCodeKind = 'mailed-code'

/** The context of the second factor, whose mails and limits all codes share. */
export interface MailedCodeDeps {
  readonly context: FeatureContext
}

/** Whether a mailed code is needed: `none`, or it must be sent first, or it was sent. */
export type MailState = 'none' | 'send' | 'sent'

/** What a code is mailed for: a pending sign-in, or what a signed-in user adds. The code is of no use for another. */
export interface MailedCodePurpose extends Pick<PendingSignIn, 'id' | 'user' | 'isNewUser'> {
  /** `null` for a signed-in user: the request knows the device. */
  readonly getKnownDevice: PendingSignIn['getKnownDevice'] | null
}

export const toSessionPurpose = (user: MailedCodePurpose['user'], id: string): MailedCodePurpose => ({
  ...{ id, user, isNewUser: false },
  getKnownDevice: null
})

const getKey = ({ id }: MailedCodePurpose): TicketKey => ({ kind: mailedCodeKind, id: id ?? '' })

const getText = ({ id, user }: MailedCodePurpose, code: string): string =>
  JSON.stringify([id, user.id, user.email, code])

/** The address that a code can be sent to: a verified one of a stored user. */
export function getMailbox({ user, isNewUser }: MailedCodePurpose, { context }: MailedCodeDeps): string | null {
  return !isNewUser && user.email && user.emailVerified && context.canSendMail ? user.email : null
}

/**
 * The address that a user proves before adding a second factor. While a change of the address can be undone, it is the one before:
 * a thief who has changed it could add a factor that the owner is asked for on the way to the undo.
 */
async function findOwnerMailbox(purpose: MailedCodePurpose, deps: MailedCodeDeps): Promise<string | null> {
  const { user, isNewUser } = purpose
  const current = getMailbox(purpose, deps)
  if (isNewUser || !deps.context.canSendMail) return current
  const [earliest] = (await findUndoGuard(deps.context)?.listAddresses(user.id)) ?? []
  return earliest ?? current
}

/** Whether the address of a user was changed, and the change can be undone: the current address proves nothing. */
export async function canUndoEmail(
  { user, isNewUser }: MailedCodePurpose,
  { context }: MailedCodeDeps
): Promise<boolean> {
  return !isNewUser && ((await findUndoGuard(context)?.listAddresses(user.id)) ?? []).length > 0
}

/** A thief of the first factor must not add a second one: a user with a verified address proves it, if mails can be sent. */
export async function getMailState(purpose: MailedCodePurpose, deps: MailedCodeDeps): Promise<MailState> {
  if ((await findOwnerMailbox(purpose, deps)) === null) return 'none'
  return (await wasCodeSent(purpose, deps)) ? 'sent' : 'send'
}

/**
 * Mails the code that adds a second factor: to an address that is not verified too, which the code then verifies.
 *
 * @throws AuthError `RateLimited`, `EmailSignin`
 */
export async function mailCodeToOwner(
  purpose: MailedCodePurpose,
  request: FeatureRequest,
  deps: MailedCodeDeps
): Promise<void> {
  const { user, isNewUser } = purpose
  const unverified = isNewUser || !deps.context.canSendMail ? null : (user.email ?? null)
  await mailCode(purpose, request, deps, (await findOwnerMailbox(purpose, deps)) ?? unverified)
}

export async function wasCodeSent(purpose: MailedCodePurpose, { context }: MailedCodeDeps): Promise<boolean> {
  return (await context.tickets.read(getKey(purpose))) !== null
}

/**
 * Mails a new code, in place of an earlier one.
 *
 * @param to - By default, the verified address.
 * @throws AuthError `RateLimited`, `EmailSignin`
 */
export async function mailCode(
  purpose: MailedCodePurpose,
  request: FeatureRequest,
  deps: MailedCodeDeps,
  to: string | null = getMailbox(purpose, deps)
): Promise<void> {
  const { tickets, key, limitUser, now, sendMail } = deps.context
  if (to === null) return
  const { getKnownDevice, user } = purpose
  // Somebody who has only the first factor cannot use up the mails of a session.
  const name = getKnownDevice ? 'mail' : 'mail in a session'
  const device = await (getKnownDevice ?? request.getKnownDevice)()
  await limitUser(name, { userId: user.id, device }, mailLimit)
  const code = createCode(deps.context)
  const data = await key(mailedCodeKind).hash(getText(purpose, code))
  await tickets.consume(getKey(purpose))
  const expires = new Date(now() + maxAge * 1000)
  await tickets.create({ ...getKey(purpose), userId: purpose.user.id, data, tries: 0, expires })
  try {
    await sendMail(to, 'code', { code }, { request })
  } catch (error) {
    await tickets.consume(getKey(purpose))
    throw error
  }
}

/** Whether a typed code is the mailed one. The guess is counted before. Use it up once nothing else is wrong. */
export async function isMailedCode(
  purpose: MailedCodePurpose,
  typed: string,
  { context }: MailedCodeDeps
): Promise<boolean> {
  const { tickets, key } = context
  const tries = await tickets.countTry(getKey(purpose))
  if (tries === null) return false
  if (tries > maxTries) {
    await tickets.consume(getKey(purpose))
    return false
  }
  const ticket = await tickets.read(getKey(purpose))
  return ticket !== null && key(mailedCodeKind).verify(getText(purpose, normalizeCode(typed)), ticket.data)
}

/** Uses up the mailed code. @returns `false` if another request was faster. */
export async function consumeMailedCode(purpose: MailedCodePurpose, { context }: MailedCodeDeps): Promise<boolean> {
  return (await context.tickets.consume(getKey(purpose))) !== null
}
