import type { ActionResult, AdapterUser, FeatureRequest } from '@postern/core/feature'
import { getVerifyUrl, readCredentialUser, readFactorWay, readUser, type SignedInUser } from '../../signed-in-user.ts'
import { dayLength } from '../day-length.ts'
import { showUnavailable } from '../end.ts'
import { getFrame } from '../frame.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { TextKey } from '../texts.ts'
import { listAddresses } from './notify-owner.ts'
import type { DeletionProps, PendingDeletion } from './props.ts'
import { readScheduledDeletion, waitingDays } from './scheduled-deletion.ts'

export const deletionPath = '/account/delete'
export const keepPath: string = `${deletionPath}/cancel`
export const approvePath: string = `${deletionPath}/approve`
export const linkPath: string = `${deletionPath}/confirm`

/** Reads what the pages show of a deletion; `null` if none is scheduled. */
export async function readPendingDeletion(
  request: FeatureRequest,
  userId: string,
  { context, gracePeriod, hasDeletion }: AccountSetup
): Promise<PendingDeletion | null> {
  const deletion = hasDeletion ? await readScheduledDeletion(userId, context) : null
  if (!deletion) return null
  const deleteAt = new Date(deletion.deleteAt).toISOString()
  const shown = { deleteAt, keepAction: request.basePath + keepPath }
  if (gracePeriod !== null || deletion.token === undefined)
    return { ...shown, isMailed: false, factorUrl: null, approveAction: null }
  const purpose = { userId, since: deletion.scheduledAt, path: deletionPath }
  return { ...shown, isMailed: true, ...(await readFactorWay(request, purpose, context)) }
}

interface ShownProblem {
  readonly problem: TextKey
  readonly status: number
}

/**
 * Reads the user. A deletion that may happen at once is final, so that it needs the highest level that the account has; before
 * another one, the owner has time to keep the account.
 */
export const readLeavingUser = (request: FeatureRequest, setup: AccountSetup): Promise<SignedInUser | null> =>
  setup.gracePeriod === null ? readCredentialUser(request, setup) : readUser(request, setup)

/** Whether the owner of a proven address may confirm a deletion. One that nobody confirms ends all sessions when it is scheduled. */
export const isConfirmable = ({ gracePeriod }: AccountSetup): boolean => gracePeriod === null

/**
 * The days before the account of a user is deleted: the grace period, or those for the owner of a proven address, who could object.
 *
 * @returns `null` if it is deleted at once.
 */
export const getDays = ({ context, gracePeriod }: AccountSetup, user: AdapterUser): number | null =>
  gracePeriod ?? (context.canSendMail && listAddresses(user).length > 0 ? waitingDays : null)

export async function showFor(
  request: FeatureRequest,
  { user, isFresh, missing }: SignedInUser,
  setup: AccountSetup,
  { problem, status }: ShownProblem | { readonly problem: null; readonly status: 200 } = { problem: null, status: 200 }
): Promise<ActionResult> {
  const { context } = setup
  const days = getDays(setup, user)
  const own = `${request.basePath}${deletionPath}`
  const { email, emailVerified } = user
  const pending = await readPendingDeletion(request, user.id, setup)
  const verifyUrl = isFresh || pending ? null : getVerifyUrl(request, request.origin + own, { amr: missing })
  const deletedAt = context.now() + (days ?? 0) * dayLength
  const props: DeletionProps = {
    ...getFrame(request, context, { problem, verifyUrl }),
    email: context.canSendMail && email && emailVerified ? email : null,
    action: isFresh && !pending ? own : null,
    deleteAt: days === null ? null : new Date(deletedAt).toISOString(),
    endsSessions: days === null || !isConfirmable(setup),
    logUntil: new Date(deletedAt + context.eventMaxAge * 1000).toISOString(),
    pending
  }
  return request.screen('delete', props, { status })
}

/** @param refused - Why a form on the page was refused. @defaultValue none was */
export async function showDeletion(
  request: FeatureRequest,
  setup: AccountSetup,
  refused?: ShownProblem
): Promise<ActionResult> {
  const found = await readLeavingUser(request, setup)
  return found ? showFor(request, found, setup, refused) : showUnavailable(request, setup)
}
