import type { FeatureRequest } from '@postern/core/feature'
import { getVerifyUrl, hasGivenFactor } from '../../signed-in-user.ts'
import { hasTwoFactors } from '../../two-factors.ts'
import type { AccountSetup } from '../section-parts.ts'
import type { PendingDeletion } from './props.ts'
import { readScheduledDeletion } from './scheduled-deletion.ts'

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
  const { basePath, origin } = request
  const deleteAt = new Date(deletion.deleteAt).toISOString()
  const shown = { deleteAt, keepAction: basePath + keepPath, isMailed: false, factorUrl: null, approveAction: null }
  if (gracePeriod !== null || deletion.token === undefined) return shown
  const isGiven = await hasGivenFactor(request, { userId, since: deletion.scheduledAt }, context)
  const canGive = !isGiven && hasTwoFactors(await context.factors.list(userId), context)
  const own = origin + basePath + deletionPath
  return {
    ...shown,
    isMailed: true,
    approveAction: isGiven ? basePath + approvePath : null,
    factorUrl: canGive ? getVerifyUrl(request, own, { maxAge: 0, amr: ['mfa'] }) : null
  }
}
