import { type ActionResult, AuthError, type FeatureRequest, getText } from '@postern/core/feature'
import { hasGivenFactor, readUser } from '../../signed-in-user.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { changeInSession } from '../change-access.ts'
import { type Decision, hadOutcome, readByToken, toDecisionProps } from '../decision.ts'
import { showUnavailable } from '../end.ts'
import { getFrame, toPage } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import { applyWaiting } from './apply-change.ts'
import { path, showEmail } from './new-address.ts'
import type { AgreeEmailProps } from './props.ts'
import { showLink } from './screens.ts'
import { cancelWaiting, linkPath, markDecision, readWaiting, type WaitingChange } from './waiting-change.ts'

export const approvePath: string = `${path}/approve`
export const cancelPath: string = `${path}/cancel`

function show(
  request: FeatureRequest,
  { email, at }: WaitingChange,
  token: string,
  { context }: AccountSetup
): Promise<ActionResult> {
  const decision = toDecisionProps(request, linkPath, token)
  const props: AgreeEmailProps = { ...getFrame(request, context), ...decision, email, at: new Date(at).toISOString() }
  return request.screen('email-agree', props)
}

/** Says that a link has done something before, or that it is of no use. */
async function showDecided(request: FeatureRequest, token: string, setup: AccountSetup): Promise<ActionResult> {
  if (await hadOutcome('confirm', token, setup.context)) return showLink(request, 'changed', setup)
  return showLink(request, (await hadOutcome('cancel', token, setup.context)) ? 'cancelled' : 'gone', setup)
}

/** Shows the change to the owner of the current address. It changes nothing, as mail scanners open links. */
export async function showDecision(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const token = getText(request.query, 'token') ?? ''
  const waiting = await readByToken<WaitingChange>(ticketKinds.emailWaiting, token, setup.context)
  return waiting ? show(request, waiting, token, setup) : showDecided(request, token, setup)
}

/** Confirms or cancels the change for the owner of the current address, in any browser and without a session. */
export async function decideByLink(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const token = getText(request.body, 'token') ?? ''
  const decision: Decision = getText(request.body, 'decision') === 'cancel' ? 'cancel' : 'confirm'
  const waiting = await readByToken<WaitingChange>(ticketKinds.emailWaiting, token, context)
  if (!waiting) return showDecided(request, token, setup)
  const more = [markDecision(decision, waiting)]
  if (decision === 'cancel') {
    const isCancelled = await context.commit([...cancelWaiting(waiting, request, context), ...more])
    return isCancelled ? showLink(request, 'cancelled', setup) : showDecided(request, token, setup)
  }
  // The session of this browser continues with a new token.
  const isOwn = await hasSessionOf(waiting.userId, request)
  const agreed = { request, more }
  const outcome = isOwn
    ? await applyWaiting(waiting, context, { ...agreed, changeAccess: changeInSession(request) })
    : await applyWaiting(waiting, context, agreed)
  return outcome === 'gone' ? showDecided(request, token, setup) : showLink(request, outcome, setup)
}

/** Whether this browser has a session of the user that has not ended. */
async function hasSessionOf(userId: string, request: FeatureRequest): Promise<boolean> {
  const user = await request.getUser()
  if (user?.userId !== userId || user.actor) return false
  try {
    await request.confirmUser()
    return true
  } catch (error) {
    if (error instanceof AuthError && error.code === 'SessionRequired') return false
    throw error
  }
}

/** Makes the change for a user who has given the second factor for it. */
export async function approveChange(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const waiting = await readWaiting(found.user.id, context)
  if (!waiting) return showLink(request, 'gone', setup)
  if (!(await hasGivenFactor(request, { userId: found.user.id, since: waiting.since }, context)))
    return showEmail(request, setup, { problem: 'emailFactorMissing', status: 403 })
  const outcome = await applyWaiting(waiting, context, { request, changeAccess: changeInSession(request) })
  return outcome === 'changed' ? toPage(request, path, 'emailChanged') : showLink(request, outcome, setup)
}

/** Cancels the change. Any session may do it: nobody loses anything by it. */
export async function cancelChange(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { userId } = await request.requireUser()
  await changeInSession<'gone'>(request)(async () => {
    if (!(await readWaiting(userId, setup.context))) return 'gone'
    return { ends: 'nothing', writes: cancelWaiting({ userId }, request, setup.context) }
  })
  return toPage(request, path, 'emailCancelled')
}
