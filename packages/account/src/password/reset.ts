import {
  type ActionResult,
  type Factor,
  type FeatureRequest,
  getText,
  isSameEmailAddress,
  normalizeEmailAddress,
  redirect,
  type Ticket
} from '@postern/core/feature'
import { explainAddress } from '../address-problem.ts'
import {
  createToken,
  getTicketId,
  markUsed,
  readTicket,
  sendTicket,
  usedLinkKey,
  wasUsed
} from '../mail/mailed-token.ts'
import { withMinDuration } from '../mail/min-duration.ts'
import { isByPerson, showCaptcha } from './captcha.ts'
import { finishChange } from './changed-password.ts'
import { readNewPassword } from './new-password.ts'
import { findPassword, type PasswordDeps, replacePassword } from './password-deps.ts'
import { emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { mailConfirmation } from './sign-up.ts'
import { parseStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What a request for a new password is about. If it has changed, the link no longer works. */
interface ResetState {
  readonly email: string
  /** The id of the password; `null` if there was none. */
  readonly passwordId: string | null
}

const getPasswordId = (stored: Factor | null): string | null => stored && parseStoredPassword(stored.data).id

/** What was typed, and why it was refused. */
interface ForgotRefusal {
  readonly email?: string
  readonly emailProblem?: TextKey
  readonly problem?: TextKey
}

export function showForgot(
  request: FeatureRequest,
  { captcha }: Pick<PasswordDeps, 'captcha'>,
  { email = '', emailProblem, problem }: ForgotRefusal = {}
): Promise<ActionResult> {
  const { basePath } = request
  return show(request, 'forgot', {
    text: 'forgotText',
    problem: problem ?? null,
    form: {
      action: `${basePath}/password/forgot`,
      submit: 'continue',
      fields: [emailField(email, emailProblem ?? null)],
      captcha: showCaptcha(captcha),
      values: {}
    },
    links: [{ text: 'signIn', href: `${basePath}/signin` }]
  })
}

/** Mails a link to choose a new password. Every address gets a mail, so that the response and its time say nothing. */
export async function startReset(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const typed = getText(request.body, 'email') ?? ''
  const shown = typed.slice(0, 320)
  if (!(await isByPerson(request, deps.captcha, deps.context)))
    return showForgot(request, deps, { email: shown, problem: 'captchaFailed' })
  const email = normalizeEmailAddress(typed)
  if (email === null) return showForgot(request, deps, { email: shown, emailProblem: explainAddress(typed) })
  await withMinDuration(() => mailLink(email, request, deps))
  return redirect(`${request.origin}${request.basePath}/password/forgot/sent`)
}

async function mailLink(email: string, request: FeatureRequest, deps: PasswordDeps): Promise<void> {
  const { context } = deps
  const user = await context.users.getUserByEmail(email)
  const stored = await findPassword(user?.id ?? '', context)
  if (user && !user.emailVerified) await mailConfirmation(email, request, deps)
  else await mailReset({ email, passwordId: getPasswordId(stored) }, user?.id ?? null, request, deps)
}

export function showResetSent(request: FeatureRequest): Promise<ActionResult> {
  const links = [{ text: 'startAgain', href: `${request.basePath}/password/forgot` }] as const
  return show(request, 'check-mail', { text: 'checkMailReset', links })
}

/** @param userId - `null` if no user has the address: the ticket of such a mail is of no use. */
async function mailReset(
  state: ResetState,
  userId: string | null,
  request: FeatureRequest,
  deps: PasswordDeps
): Promise<void> {
  const { context } = deps
  const token = createToken(context)
  const id = await getTicketId('reset', token, context)
  const unknownPath = deps.hasSignUp ? '/password/sign-up' : '/signin'
  const path = userId === null ? unknownPath : `/password/reset?token=${token}`
  const ticket = { kind: 'reset', id, userId, data: JSON.stringify(state) } as const
  const mail = userId === null ? 'unknown' : 'reset'
  const values = { url: `${request.origin}${request.basePath}${path}` }
  await sendTicket({ ticket, to: state.email, mail, values }, request, context)
  // The mailbox may be why the user was suspended: the link does not work after that. The suspension deletes the tickets from before it,
  // so that one of the two sees the other.
  if (userId !== null && (await context.isSuspended(userId))) await context.tickets.consume(ticket)
}

/** A request for a new password that is still valid. */
interface Reset extends ResetState {
  readonly ticket: Ticket
  readonly userId: string
  readonly stored: Factor | null
}

/** @returns The password to replace; `'gone'` if the password, the address or its status has changed. */
async function readState(
  { userId, email, passwordId }: Pick<Reset, 'userId' | 'email' | 'passwordId'>,
  { context }: PasswordDeps
): Promise<{ readonly stored: Factor | null } | 'gone'> {
  // Before the user: what changes the address writes the password after it.
  const stored = await findPassword(userId, context)
  const user = await context.users.getUser(userId)
  const isSame =
    isSameEmailAddress(user?.email, email) && Boolean(user?.emailVerified) && getPasswordId(stored) === passwordId
  return isSame && !(await context.isSuspended(userId)) ? { stored } : 'gone'
}

/** @returns `null` if the link was used or has expired, or if the password, the address or its status has changed. */
async function readReset(token: string, deps: PasswordDeps): Promise<Reset | null> {
  const ticket = await readTicket('reset', token, deps.context)
  const userId = ticket?.userId ?? null
  if (!ticket || userId === null) return null
  const parsed: ResetState = JSON.parse(ticket.data)
  const state = await readState({ ...parsed, userId }, deps)
  return state === 'gone' ? null : { ...parsed, ticket, userId, stored: state.stored }
}

/** How often a sign-in may replace the hash of the password while it is reset. */
const maxAttempts = 3

/** @returns `false` if the password, the address or its status has changed meanwhile. */
async function saveReset(hash: string, reset: Reset, deps: PasswordDeps): Promise<boolean> {
  let { stored } = reset
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (await replacePassword(reset.userId, hash, stored, deps.context)) return true
    const state = await readState(reset, deps)
    if (state === 'gone') return false
    stored = state.stored
  }
  return false
}

/** A link that is of no use: it has set the password, or was ended. */
async function showEnded(request: FeatureRequest, token: string, { context }: PasswordDeps): Promise<ActionResult> {
  return (await wasUsed('reset', token, context)) ? showDone(request, 'used') : showGone(request, '/password/forgot')
}

/** Ends the sessions, and sets the password. @returns `false` if the password, the address or its status has changed meanwhile. */
async function applyReset(hash: string, reset: Reset, deps: PasswordDeps): Promise<boolean> {
  const { tickets, endSessions } = deps.context
  let isSaved = false
  try {
    // Before, in case the process ends now; and after, as the old password may have signed in between.
    await endSessions(reset.userId)
    isSaved = await saveReset(hash, reset, deps)
    return isSaved
  } finally {
    // The link has done nothing.
    if (!isSaved) await tickets.consume(usedLinkKey(reset.ticket.id))
  }
}

/** Shows the form of a link. It changes nothing, as mail scanners open links. */
export async function showReset(
  request: FeatureRequest,
  deps: PasswordDeps,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const token = getText(request.method === 'POST' ? request.body : request.query, 'token') ?? ''
  const reset = await readReset(token, deps)
  if (!reset) return showEnded(request, token, deps)
  return show(request, 'reset', {
    text: 'resetText',
    email: reset.email,
    form: {
      action: `${request.basePath}/password/reset`,
      submit: 'save',
      fields: [newPasswordField('newPassword', problem, deps)],
      values: { token }
    },
    links: [{ text: 'signIn', href: `${request.basePath}/signin` }]
  })
}

/** Sets the new password. Nobody is signed in by it, and everybody is signed out. */
export async function finishReset(request: FeatureRequest, deps: PasswordDeps): Promise<ActionResult> {
  const { context, getHasher } = deps
  const token = getText(request.body, 'token') ?? ''
  const reset = await readReset(token, deps)
  if (!reset) return showEnded(request, token, deps)
  const { ticket, userId, email } = reset
  const chosen = await readNewPassword(request, email, deps)
  if (chosen.kind === 'refused') return showReset(request, deps, chosen.problem)
  const hash = await (await getHasher()).hash(chosen.password, request)
  const { kind, id } = ticket
  const isConsumed = await context.commit([{ method: 'consumeTicket', args: [{ kind, id }] }, markUsed(ticket)])
  if (!isConsumed) return showEnded(request, token, deps)
  if (!(await applyReset(hash, reset, deps))) return showGone(request, '/password/forgot')
  try {
    await context.endSessions(userId)
  } finally {
    await finishChange({ userId, email, type: 'password-reset' }, request, deps)
  }
  return redirect(`${request.origin}${request.basePath}/password/changed`)
}
