import {
  type ActionResult,
  type Factor,
  type FeatureRequest,
  getText,
  isSameEmailAddress,
  normalizeEmailAddress,
  redirect,
  type StoredUser,
  showCaptcha,
  type Ticket,
  type UserState
} from '@postern/core/feature'
import { explainAddress } from '../address-problem.ts'
import { mailConfirmation } from '../mail/mailed-sign-up.ts'
import { createToken, getTicketId, markUsed, readTicket, sendTicket, wasUsed } from '../mail/mailed-token.ts'
import { withMinDuration } from '../mail/min-duration.ts'
import { isByPerson } from '../sign-up-form/captcha.ts'
import { ticketKinds } from '../ticket-kinds.ts'
import { notifyOfChange, toChangeWrites } from './changed-password.ts'
import { readNewPassword } from './new-password.ts'
import { findPassword, type PasswordSetup } from './password-setup.ts'
import { emailField, newPasswordField, show, showDone, showGone } from './screens.ts'
import { parseStoredPassword } from './stored-password.ts'
import type { TextKey } from './texts.ts'

/** What a request for a new password is about. If it has changed, the link no longer works. */
interface ResetState {
  readonly email: string
  /** The id of the password; `null` if there was none. */
  readonly passwordId: string | null
  /** The version of the user. */
  readonly version: number
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
  { captcha }: PasswordSetup,
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

/** The address that was typed in this browser, whether or not a user has it. It only shows it. */
const typedAddress = ({ context }: PasswordSetup) =>
  context.cookie('forgot', { maxAge: ticketKinds.reset.lifetime, hasHostPrefix: true })

/** Mails a link to choose a new password. Every address gets a mail, so that the response and its time say nothing. */
export async function startReset(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const typed = getText(request.body, 'email') ?? ''
  const shown = typed.slice(0, 320)
  if (!(await isByPerson(request, setup.captcha, setup.context)))
    return showForgot(request, setup, { email: shown, problem: 'captchaFailed' })
  const email = normalizeEmailAddress(typed)
  if (email === null) return showForgot(request, setup, { email: shown, emailProblem: explainAddress(typed) })
  await withMinDuration(() => mailLink(email, request, setup))
  const cookies = await typedAddress(setup).create(email, request)
  return redirect(`${request.origin}${request.basePath}/password/forgot/sent`, cookies)
}

async function mailLink(email: string, request: FeatureRequest, setup: PasswordSetup): Promise<void> {
  const { context } = setup
  const found = await context.findUser({ email })
  const stored = await findPassword(found?.user.id ?? '', context)
  if (found && !found.user.emailVerified) return mailConfirmation(email, request, setup)
  const state = { email, passwordId: getPasswordId(stored), version: found?.version ?? 0 }
  return mailReset(state, found, request, setup)
}

/** Says where the mail was sent. A browser that has not asked for one gets the form that does. */
export async function showResetSent(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const href = `${request.basePath}/password/forgot`
  const email = await typedAddress(setup).read(request)
  if (email === null) return redirect(request.origin + href)
  return show(request, 'check-mail', { text: 'checkMailReset', email, links: [{ text: 'startAgain', href }] })
}

/** @param found - `null` if no user has the address: the ticket of such a mail is of no use. */
async function mailReset(
  state: ResetState,
  found: StoredUser | null,
  request: FeatureRequest,
  setup: PasswordSetup
): Promise<void> {
  const { context } = setup
  const token = createToken(context)
  const id = await getTicketId(ticketKinds.reset, token, context)
  const unknownPath = setup.hasSignUp ? '/password/sign-up' : '/signin'
  const path = found ? `/password/reset?token=${token}` : unknownPath
  // The mailbox may be why a user was suspended: the link does not work, also once the suspension has ended.
  const userId = found && !found.isSuspended ? found.user.id : null
  const ticket = { kind: ticketKinds.reset, id, userId, data: JSON.stringify(state) }
  const values = { url: `${request.origin}${request.basePath}${path}` }
  await sendTicket({ ticket, to: state.email, mail: found ? 'reset' : 'unknown', values }, request, context)
}

/** A request for a new password that is still valid. */
interface Reset extends ResetState {
  readonly ticket: Ticket
  readonly userId: string
}

/** @returns The password to replace; `'gone'` if the password, the address or its status has changed, or the sessions have ended. */
async function findReplaced(
  { userId, email, passwordId, version }: Omit<Reset, 'ticket'>,
  { user, sessionsFrom, isSuspended }: UserState,
  { context }: PasswordSetup
): Promise<{ readonly stored: Factor | null } | 'gone'> {
  const stored = await findPassword(userId, context)
  const isSame = isSameEmailAddress(user?.email, email) && Boolean(user?.emailVerified)
  const isCurrent = isSame && getPasswordId(stored) === passwordId && sessionsFrom <= version
  return isCurrent && !isSuspended ? { stored } : 'gone'
}

async function readReset(token: string, setup: PasswordSetup): Promise<Reset | null> {
  const ticket = await readTicket(ticketKinds.reset, token, setup.context)
  const userId = ticket?.userId ?? null
  const current = userId === null ? null : await setup.context.findUser({ userId })
  if (!ticket || userId === null || !current) return null
  const state: ResetState = JSON.parse(ticket.data)
  return (await findReplaced({ ...state, userId }, current, setup)) === 'gone' ? null : { ...state, ticket, userId }
}

/**
 * Sets the password, and ends the sessions. What waits ends too: it may be of somebody who knew the earlier password, such as a change
 * of the email address.
 */
function applyReset(
  hash: string,
  { ticket, ...reset }: Reset,
  request: FeatureRequest,
  setup: PasswordSetup
): Promise<'changed' | 'conflict' | 'gone'> {
  const { context } = setup
  const { userId } = reset
  const { kind, id } = ticket
  return context.changeAccess<'gone'>(userId, async (current) => {
    const replaced = await findReplaced(reset, current, setup)
    if (replaced === 'gone') return 'gone'
    const changed = { userId, hash, known: replaced.stored, type: 'password-reset' } as const
    return {
      ends: 'others',
      writes: [
        { method: 'consumeTicket', args: [{ kind, id }] },
        markUsed(ticket),
        { method: 'requireAddress', args: [userId, current.user?.email ?? null] },
        { method: 'deleteRequests', args: [userId] },
        ...toChangeWrites(changed, request, context)
      ]
    }
  })
}

/** A link that is of no use: it has set the password, or was ended. */
async function showEnded(request: FeatureRequest, token: string, { context }: PasswordSetup): Promise<ActionResult> {
  return (await wasUsed(ticketKinds.reset, token, context))
    ? showDone(request, 'used')
    : showGone(request, '/password/forgot')
}

/** Shows the form of a link. It changes nothing, as mail scanners open links. */
export async function showReset(
  request: FeatureRequest,
  setup: PasswordSetup,
  problem: TextKey | null = null
): Promise<ActionResult> {
  const token = getText(request.method === 'POST' ? request.body : request.query, 'token') ?? ''
  const reset = await readReset(token, setup)
  if (!reset) return showEnded(request, token, setup)
  return show(request, 'reset', {
    text: 'resetText',
    email: reset.email,
    form: {
      action: `${request.basePath}/password/reset`,
      submit: 'save',
      fields: [newPasswordField('newPassword', problem, setup)],
      values: { token }
    },
    links: [{ text: 'signIn', href: `${request.basePath}/signin` }]
  })
}

/** Sets the new password. Nobody is signed in by it, and everybody is signed out. */
export async function finishReset(request: FeatureRequest, setup: PasswordSetup): Promise<ActionResult> {
  const { context, getHasher } = setup
  const token = getText(request.body, 'token') ?? ''
  const reset = await readReset(token, setup)
  if (!reset) return showEnded(request, token, setup)
  const chosen = await readNewPassword(request, reset.email, setup)
  if (chosen.kind === 'refused') return showReset(request, setup, chosen.problem)
  const hash = await (await getHasher()).hash(chosen.password, request)
  const outcome = await applyReset(hash, reset, request, setup)
  if (outcome !== 'changed') return showEnded(request, token, setup)
  notifyOfChange(reset.email, request, context)
  return redirect(`${request.origin}${request.basePath}/password/changed`, typedAddress(setup).clear(request))
}
