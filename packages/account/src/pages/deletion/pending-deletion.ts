import type { FeatureRequest } from '@postern/core/feature'
import { readFactorWay } from '../../signed-in-user.ts'
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
  const deleteAt = new Date(deletion.deleteAt).toISOString()
  const shown = { deleteAt, keepAction: request.basePath + keepPath }
  if (gracePeriod !== null || deletion.token === undefined)
    return { ...shown, isMailed: false, factorUrl: null, approveAction: null }
  const purpose = { userId, since: deletion.scheduledAt, path: deletionPath }
  return { ...shown, isMailed: true, ...(await readFactorWay(request, purpose, context)) }
}
