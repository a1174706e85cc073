import {
  type ActionResult,
  type FeatureContext,
  type FeatureRequest,
  getText,
  normalizeEmailAddress,
  redirect
} from '@postern/core/feature'
import { explainAddress } from '../../address-problem.ts'
import {
  askToAuthenticate,
  type CredentialUser,
  getVerifyUrl,
  readCredentialUser,
  readFactorWay
} from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { isTaken, toComparable } from './email-address.ts'
import { readPending, startPending } from './pending-change.ts'
import type { EmailProps, WaitingEmail } from './props.ts'
import { readWaiting } from './waiting-change.ts'

export const path = '/account/email'

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
  { user, isFresh, missing }: CredentialUser,
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
    confirmUrl: `${request.basePath}${path}/confirm`,
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
  return redirect(`${request.origin}${request.basePath}${path}/confirm`)
}
