import { type ActionResult, type AdapterUser, type FeatureRequest, getText } from '@postern/core/feature'
import { hasGivenFactor, readUser } from '../../signed-in-user.ts'
import { ticketKinds } from '../../ticket-kinds.ts'
import { changeInSession } from '../change-access.ts'
import { readByToken, toDecisionProps } from '../decision.ts'
import { showUnavailable } from '../end.ts'
import { getFrame } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import { cancelDeletion } from './cancel.ts'
import { type Confirmation, deleteConfirmed, deleteIfDue } from './delete-scheduled.ts'
import { listAddresses } from './notify-owner.ts'
import type { ConfirmDeletionProps, DeletionLinkProps } from './props.ts'
import { isDue, readOutcome, readScheduledDeletion, type ScheduledDeletion } from './scheduled-deletion.ts'
import { showDeleted } from './screens.ts'
import { linkPath, showDeletion } from './show-deletion.ts'

function show(
  request: FeatureRequest,
  { deleteAt }: ScheduledDeletion,
  token: string,
  { context }: AccountSetup
): Promise<ActionResult> {
  const decision = toDecisionProps(request, linkPath, token)
  const props: ConfirmDeletionProps = {
    ...getFrame(request, context),
    ...decision,
    deleteAt: new Date(deleteAt).toISOString()
  }
  return request.screen('deletion-confirm', props)
}

function showLink(
  request: FeatureRequest,
  reason: DeletionLinkProps['reason'],
  { context }: AccountSetup
): Promise<ActionResult> {
  const props: DeletionLinkProps = { ...getFrame(request, context), reason }
  return request.screen(`deletion-link-${reason}`, props, { status: reason === 'gone' ? 400 : 200 })
}

/** Repeats what became of the account of a link that is over, or says that the link is of no use. */
async function showDecided(request: FeatureRequest, token: string, setup: AccountSetup): Promise<ActionResult> {
  const outcome = await readOutcome(token, setup.context)
  if (outcome === 'deleted') return showDeleted(request)
  return showLink(request, outcome === 'kept' ? 'cancelled' : 'gone', setup)
}

/** Shows the deletion to the owner of the address. It changes nothing, as mail scanners open links. */
export async function showDecision(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const token = getText(request.query, 'token') ?? ''
  const deletion = await readByToken<ScheduledDeletion>(ticketKinds.deletion, token, setup.context)
  // Once it is due, the account cannot be kept any more.
  const isOpen = deletion !== null && !isDue(deletion, setup.context)
  return isOpen ? show(request, deletion, token, setup) : showDecided(request, token, setup)
}

/** Keeps the account for the owner of the address. */
async function cancelByLink(
  request: FeatureRequest,
  { userId }: ScheduledDeletion,
  token: string,
  setup: AccountSetup
): Promise<ActionResult> {
  const { context } = setup
  const outcome = await cancelDeletion(request, userId, (plan) => context.changeAccess(userId, plan), context)
  // The deletion that does not wait any more may have been confirmed meanwhile.
  if (outcome === 'cancelled') {
    const isKept = (await context.users.getUser(userId)) !== null
    return isKept ? showLink(request, 'cancelled', setup) : showDecided(request, token, setup)
  }
  await deleteIfDue(userId, context)
  return showDeleted(request)
}

/** Deletes or keeps the account for the owner of the address, in any browser and without a session. */
export async function decideByLink(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const token = getText(request.body, 'token') ?? ''
  const deletion = await readByToken<ScheduledDeletion>(ticketKinds.deletion, token, context)
  if (!deletion) return showDecided(request, token, setup)
  const decision = getText(request.body, 'decision')
  if (decision === 'cancel') return cancelByLink(request, deletion, token, setup)
  if (decision !== 'confirm') return show(request, deletion, token, setup)
  const confirmation = {
    request,
    // An earlier address does not delete the account: it may be of somebody else now.
    isAllowed: (user: AdapterUser) => listAddresses(user).some((address) => deletion.addresses.includes(address)),
    changeAccess: (plan) => context.changeAccess(deletion.userId, plan)
  } satisfies Confirmation
  const outcome = await deleteConfirmed(deletion, confirmation, context)
  return outcome === 'deleted' ? showDeleted(request) : showDecided(request, token, setup)
}

/** Deletes the account of a user who has given the second factor for it. */
export async function approveDeletion(request: FeatureRequest, setup: AccountSetup): Promise<ActionResult> {
  const { context } = setup
  const found = await readUser(request, setup)
  if (!found) return showUnavailable(request, setup)
  const userId = found.user.id
  const deletion = await readScheduledDeletion(userId, context)
  if (!deletion) return showLink(request, 'gone', setup)
  if (!(await hasGivenFactor(request, { userId, since: deletion.scheduledAt }, context)))
    return showDeletion(request, setup, { problem: 'emailFactorMissing', status: 403 })
  const outcome = await deleteConfirmed(deletion, { request, changeAccess: changeInSession(request) }, context)
  return outcome === 'deleted' ? showDeleted(request) : showLink(request, 'gone', setup)
}
