import type { FeatureRequest, PendingSignIn, TicketKey } from '@postern/core/feature'
import { createCode, normalizeCode } from '../password/mailed-token.ts'
import type { SecondFactorDeps } from './second-factor-deps.ts'

/** Seconds: a sign-in that waits longer is over. */
const maxAge = 600

/** The guesses of one code. */
const maxTries = 5

/** The mails to one user. A browser that the user has signed in with has its own, so that others cannot use them up. */
const mailLimit = { points: 5, seconds: 3600 }

const kind = 'mailed-code'

/** The code belongs to one pending sign-in. */
const getKey = ({ id }: PendingSignIn): TicketKey => ({ kind, id: id ?? '' })

const getText = ({ id, user }: PendingSignIn, code: string): string => JSON.stringify([id, user.id, user.email, code])

/** The address that a code can be sent to: a verified one of a stored user. */
export function getMailbox({ user, isNewUser }: PendingSignIn, { context }: SecondFactorDeps): string | null {
  return !isNewUser && user.email && user.emailVerified && context.canSendMail ? user.email : null
}

export async function wasCodeSent(signIn: PendingSignIn, { context }: SecondFactorDeps): Promise<boolean> {
  return (await context.tickets.read(getKey(signIn))) !== null
}

/** Mails a new code, in place of an earlier one. @throws AuthError `RateLimited`, `EmailSignin` */
export async function mailCode(signIn: PendingSignIn, request: FeatureRequest, deps: SecondFactorDeps): Promise<void> {
  const { tickets, key, limit, now, sendMail } = deps.context
  const to = getMailbox(signIn, deps)
  if (to === null) return
  await limit('mail', `${signIn.user.id} ${await signIn.getKnownDevice()}`, mailLimit)
  const code = createCode(deps.context)
  const data = await key(kind).hash(getText(signIn, code))
  await tickets.consume(getKey(signIn))
  const expires = new Date(now() + maxAge * 1000)
  await tickets.create({ ...getKey(signIn), userId: signIn.user.id, data, tries: 0, expires })
  try {
    await sendMail(to, 'code', { code }, { request })
  } catch (error) {
    await tickets.consume(getKey(signIn))
    throw error
  }
}

/** Whether a typed code is the mailed one. The guess is counted before. Use it up once nothing else is wrong. */
export async function isMailedCode(
  signIn: PendingSignIn,
  typed: string,
  { context }: SecondFactorDeps
): Promise<boolean> {
  const { tickets, key } = context
  const tries = await tickets.countTry(getKey(signIn))
  if (tries === null) return false
  if (tries > maxTries) {
    await tickets.consume(getKey(signIn))
    return false
  }
  const ticket = await tickets.read(getKey(signIn))
  return ticket !== null && key(kind).verify(getText(signIn, normalizeCode(typed)), ticket.data)
}

/** Uses up the mailed code. @returns `false` if another request was faster. */
export async function consumeMailedCode(signIn: PendingSignIn, { context }: SecondFactorDeps): Promise<boolean> {
  return (await context.tickets.consume(getKey(signIn))) !== null
}
