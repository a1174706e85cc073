import type { FeatureRequest, PendingSignIn, TicketKey } from '@postern/core/feature'
import { createCode, normalizeCode } from '../mail/mailed-token.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'

/** Seconds: a sign-in or an enrollment that waits longer has expired. */
const maxAge = 600

/** The guesses of one code. */
const maxTries = 5

/** The mails to one user. A known device has its own, so that others cannot use them up. */
const mailLimit = { points: 5, seconds: 3600 }

const kind = 'mailed-code'

/** What a code is mailed for: a pending sign-in, or the enrollment of a signed-in user. The code is of no use for another. */
export type MailedCodePurpose = Pick<PendingSignIn, 'id' | 'user' | 'isNewUser' | 'getKnownDevice'>

const getKey = ({ id }: MailedCodePurpose): TicketKey => ({ kind, id: id ?? '' })

const getText = ({ id, user }: MailedCodePurpose, code: string): string =>
  JSON.stringify([id, user.id, user.email, code])

/** The address that a code can be sent to: a verified one of a stored user. */
export function getMailbox({ user, isNewUser }: MailedCodePurpose, { context }: SecondFactorDeps): string | null {
  return !isNewUser && user.email && user.emailVerified && context.canSendMail ? user.email : null
}

export async function wasCodeSent(purpose: MailedCodePurpose, { context }: SecondFactorDeps): Promise<boolean> {
  return (await context.tickets.read(getKey(purpose))) !== null
}

/** Mails a new code, in place of an earlier one. @throws AuthError `RateLimited`, `EmailSignin` */
export async function mailCode(
  purpose: MailedCodePurpose,
  request: FeatureRequest,
  deps: SecondFactorDeps
): Promise<void> {
  const { tickets, key, limit, now, sendMail } = deps.context
  const to = getMailbox(purpose, deps)
  if (to === null) return
  await limit('mail', `${purpose.user.id} ${await purpose.getKnownDevice()}`, mailLimit)
  const code = createCode(deps.context)
  const data = await key(kind).hash(getText(purpose, code))
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
  { context }: SecondFactorDeps
): Promise<boolean> {
  const { tickets, key } = context
  const tries = await tickets.countTry(getKey(purpose))
  if (tries === null) return false
  if (tries > maxTries) {
    await tickets.consume(getKey(purpose))
    return false
  }
  const ticket = await tickets.read(getKey(purpose))
  return ticket !== null && key(kind).verify(getText(purpose, normalizeCode(typed)), ticket.data)
}

/** Uses up the mailed code. @returns `false` if another request was faster. */
export async function consumeMailedCode(purpose: MailedCodePurpose, { context }: SecondFactorDeps): Promise<boolean> {
  return (await context.tickets.consume(getKey(purpose))) !== null
}
