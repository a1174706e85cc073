import { type ActionResult, type FeatureRequest, getText, normalizeEmailAddress, redirect } from '@postern/core/feature'
import { explainAddress } from '../../address-problem.ts'
import { getFrame } from '../frame.ts'
import type { SectionDeps } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { showUnavailable } from '../unavailable.ts'
import { askEmailUser, type EmailUser, getEmailVerifyUrl, mayChange, readEmailUser } from './email-user.ts'
import { readPending, startPending } from './pending-change.ts'
import type { EmailProps } from './props.ts'
import { isTaken, toComparable } from './reserved-email.ts'

export const path = '/account/email'

/** The changes that one user may ask for. */
const startLimit = { points: 10, seconds: 3600 }

/** Why the form was refused, and what was typed. Without a problem, the page shows until when the change is delayed. */
interface Refusal {
  readonly problem?: TextKey
  readonly typed?: string
  readonly status: 400 | 403
}

async function show(
  request: FeatureRequest,
  found: EmailUser,
  { context }: SectionDeps,
  refused: Refusal | null = null
): Promise<ActionResult> {
  const { user, delayedUntil } = found
  const { canSendMail } = context
  const pending = await readPending(request, context)
  const verifyUrl = canSendMail ? getEmailVerifyUrl(request, path, found) : null
  const props: EmailProps = {
    ...getFrame(request, context, { problem: refused?.problem ?? null, verifyUrl }),
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    typed: refused?.typed?.slice(0, 320) ?? (user.emailVerified ? '' : (user.email ?? '')),
    delayedUntil: delayedUntil === null ? null : new Date(delayedUntil).toISOString(),
    action: canSendMail && mayChange(found) ? `${request.basePath}${path}` : null,
    canChange: canSendMail,
    pending: pending?.email ?? null,
    confirmUrl: `${request.basePath}${path}/confirm`
  }
  return request.screen('email', props, { status: refused?.status ?? 200 })
}

/** Refuses a change: shows until when it is delayed, or asks the user to authenticate. */
export function refuseChange(request: FeatureRequest, found: EmailUser, deps: SectionDeps): Promise<ActionResult> {
  if (found.delayedUntil === null) return askEmailUser(request, path, found)
  return show(request, found, deps, { status: 403 })
}

export async function showEmail(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const found = await readEmailUser(request, deps.context)
  return found ? show(request, found, deps) : showUnavailable(request, deps)
}

/** Mails a link and a code to the new address. The response says nothing about whether another user has it. */
export async function startChange(request: FeatureRequest, deps: SectionDeps): Promise<ActionResult> {
  const { context } = deps
  const found = await readEmailUser(request, context)
  if (!found) return showUnavailable(request, deps)
  if (!context.canSendMail) return show(request, found, deps)
  if (!mayChange(found)) return refuseChange(request, found, deps)
  const { user } = found
  const typed = getText(request.body, 'email') ?? ''
  const email = normalizeEmailAddress(typed)
  if (email === null) return show(request, found, deps, { problem: explainAddress(typed), typed, status: 400 })
  if (user.email && user.emailVerified && toComparable(user.email) === email)
    return show(request, found, deps, { problem: 'emailSame', typed, status: 400 })
  await context.limitUser('email', { userId: user.id, device: await request.getKnownDevice() }, startLimit)
  const change = {
    ...{ userId: user.id, email, from: user.email, wasVerified: Boolean(user.emailVerified) },
    isTaken: await isTaken(email, user.id, context)
  }
  // The session is of an earlier version, and has no id.
  if (!(await startPending(change, request, context))) return askEmailUser(request, path, found)
  return redirect(`${request.origin}${request.basePath}${path}/confirm`)
}
