import { type ActionResult, type AdapterUser, type FeatureRequest, getText, redirect } from '@postern/core/feature'
import { askToAuthenticate, readCredentialUser } from '../../signed-in-user.ts'
import { showUnavailable } from '../end.ts'
import { getFrame, toPage } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { applyChange, type Outcome } from './apply-change.ts'
import { toComparable } from './email-address.ts'
import { checkCode, type PendingChange, readPending } from './pending-change.ts'
import type { ConfirmEmailProps } from './props.ts'
import { showLink } from './screens.ts'
import { path, showEmail } from './start.ts'
import { readWaiting, startWaiting } from './waiting-change.ts'

export const confirmPath: string = `${path}/confirm`

function show(
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
  return pending ? show(request, pending, null, setup) : toEmail(request)
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
  if (checked === 'wrong') return show(request, pending, 'emailCodeWrong', setup)
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
  const change = { userId: user.id, email, from, ticket, request }
  return applyChange({ ...change, changeAccess: (plan) => request.changeAccess(plan) }, context)
}
