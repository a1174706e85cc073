import {
  type ActionResult,
  type AdapterUser,
  type FeatureContext,
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  redirect
} from '@postern/core/feature'
import { explainAddress } from '../../address-problem.ts'
import {
  askToAuthenticate,
  getVerifyUrl,
  readCredentialUser,
  readFactorWay,
  type SignedInUser
} from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame, toPage } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { applyChange, type Outcome } from './apply-change.ts'
import { isTaken, toComparable } from './email-address.ts'
import { checkCode, type PendingChange, readPending, startPending } from './pending-change.ts'
import type { ConfirmEmailProps, EmailProps, WaitingEmail } from './props.ts'
import { showLink } from './screens.ts'
import { readWaiting, startWaiting } from './waiting-change.ts'

export const path = '/account/email'
export const confirmPath: string = `${path}/confirm`

/** The changes that one user may ask for. */
const startLimit = { points: 10, seconds: 3600 }

/** Reads what the pages show of a change that waits; `null` if none does. */
export async function showWaiting(
  request: FeatureRequest,
  userId: string,
  context: FeatureContext
): Promise<WaitingEmail | null> {
  const waiting = await readWaiting(userId, context)
  if (!waiting) return null
  const { email, at, since } = waiting
  const way = await readFactorWay(request, { userId, since, path }, context)
  return { email, at: new Date(at).toISOString(), cancelAction: `${request.basePath}${path}/cancel`, ...way }
}

/** Why a form was refused, and what was typed. */
interface Refusal {
  readonly problem: TextKey
  readonly typed?: string
  /** @defaultValue `400` */
  readonly status?: number
}

async function show(
  request: FeatureRequest,
  { user, isFresh, missing }: SignedInUser,
  { context }: AccountSetup,
  refused: Refusal | null = null
): Promise<ActionResult> {
  const { canSendMail } = context
  const own = `${request.origin}${request.basePath}${path}`
  const verifyUrl = canSendMail && !isFresh ? getVerifyUrl(request, own, { amr: missing }) : null
  const pending = await readPending(request, context)
  const props: EmailProps = {
    ...getFrame(request, context, { problem: refused?.problem ?? null, verifyUrl }),
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    typed: refused?.typed?.slice(0, 320) ?? (user.emailVerified ? '' : (user.email ?? '')),
    action: canSendMail && isFresh ? `${request.basePath}${path}` : null,
    canChange: canSendMail,
    pending: pending?.email ?? null,
    confirmUrl: `${request.basePath}${confirmPath}`,
    waiting: await showWaiting(request, user.id, context)
  }
  return request.screen('email', props, { status: refused ? (refused.status ?? 400) : 200 })
}

/** @param refused - Why a form on the page was refused. @defaultValue none was */
export async function showEmail(
  request: FeatureRequest,
  setup: AccountSetup,
  refused: Refusal | null = null
): Promise<ActionResult> {
  const found = await readCredentialUser(request, setup)
  return found ? show(request, found, setup, refused) : showUnavailable(request, setup)
}

/** Mails a code to the new address. The response says nothing about whether another user has it. */
export async function startChange(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (!context.canSendMail) return show(request, found, setup)
  if (!found.isFresh) return askToAuthenticate(request, path, { amr: found.missing })
  const { user } = found
  const typed = getText(request.body, 'email') ?? ''
  const email = normalizeEmailAddress(typed)
  if (email === null) return show(request, found, setup, { problem: explainAddress(typed), typed })
  if (user.email && user.emailVerified && toComparable(user.email) === email)
    return show(request, found, setup, { problem: 'emailSame', typed })
  await context.limitUser('email', { userId: user.id, device: await request.getKnownDevice() }, startLimit)
  const change = {
    userId: user.id,
    email,
    from: user.email,
    wasVerified: Boolean(user.emailVerified),
    isTaken: await isTaken(email, user.id, context)
  }
  // The session is of another library, and has no id.
  if (!(await startPending(change, request, context))) return askToAuthenticate(request, path, { amr: found.missing })
  return redirect(`${request.origin}${request.basePath}${confirmPath}`)
}

function showCodeForm(
  request: FeatureRequest,
  { email }: PendingChange,
  problem: TextKey | null,
  { context }: AccountSetup
): Promise<ActionResult> {
  const props: ConfirmEmailProps = {
    ...getFrame(request, context, { problem }),
    email,
    action: `${request.basePath}${confirmPath}`,
    resendAction: `${request.basePath}${path}`,
    changeUrl: `${request.basePath}${path}`
  }
  return request.screen('email-confirm', props, { status: problem === null ? 200 : 400 })
}

/** A session that has asked for nothing, or whose change was confirmed, sees what waits on the page of the address. */
const toEmail = ({ origin, basePath }: FeatureRequest): ActionResult => redirect(`${origin}${basePath}${path}`)

/** Shows the form of the code. */
export async function showConfirmation(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const pending = await readPending(request, setup.context)
  return pending ? showCodeForm(request, pending, null, setup) : toEmail(request)
}

/** A code that is typed again shows the change that it has proven. Another one of no use shows the form that asks for a new one. */
async function showConfirmed(request: FeatureRequest, setup: AccountSetup, typed?: string): Promise<ActionResult> {
  const { userId } = await request.requireUser()
  if (await readWaiting(userId, setup.context)) return toEmail(request)
  return showEmail(request, setup, { problem: 'emailCodeExpired', ...(typed !== undefined && { typed }) })
}

/** Proves the new address with the code, in the session that has asked for it. */
export async function confirmChange(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const pending = await readPending(request, context)
  if (!pending) return showConfirmed(request, setup)
  const checked = await checkCode(getText(request.body, 'code') ?? '', pending, context)
  const { email } = pending
  if (checked === 'spent') return showEmail(request, setup, { problem: 'emailCodeSpent', typed: email })
  if (checked === 'gone') return showConfirmed(request, setup, email)
  if (checked === 'wrong') return showCodeForm(request, pending, 'emailCodeWrong', setup)
  const found = await readCredentialUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  if (found.missing.length > 0) return askToAuthenticate(request, path, { amr: found.missing })
  const outcome = await continueChange(found.user, pending, request, setup)
  if (outcome === 'waiting') return toEmail(request)
  if (outcome === 'changed') return toPage(request, path, pending.wasVerified ? 'emailChanged' : 'emailConfirmed')
  return outcome === 'gone' ? showConfirmed(request, setup, email) : showLink(request, outcome, setup)
}

/** Changes the address at once if there is no proven one that could object, or lets the change wait. */
async function continueChange(
  user: AdapterUser,
  pending: PendingChange,
  request: FeatureRequest,
  { context }: AccountSetup
): Promise<Outcome | 'waiting'> {
  const { email, from, wasVerified, ticket } = pending
  if (user.email !== from || Boolean(user.emailVerified) !== wasVerified) return 'gone'
  if (user.email && user.emailVerified && toComparable(user.email) !== toComparable(email))
    return startWaiting({ user: { ...user, email: user.email }, pending }, request, context)
  const { changeAccess } = request
  return applyChange({ userId: user.id, email, from, ticket, request, changeAccess }, context)
}
