import type { FeatureRequest } from '@postern/core/feature'
import type { SectionDeps } from '../section-parts.ts'
import type { PendingDeletion } from './props.ts'
import { readScheduledDeletion } from './scheduled-deletion.ts'

export const deletionPath = '/account/delete'
export const keepPath: string = `${deletionPath}/cancel`

/** Reads what the pages show of a deletion; `null` if none is scheduled. */
export async function readPendingDeletion(
  { basePath }: Pick<FeatureRequest, 'basePath'>,
  userId: string,
  { context, gracePeriod }: SectionDeps
): Promise<PendingDeletion | null> {
  const deletion = gracePeriod === null ? null : await readScheduledDeletion(userId, context)
  return deletion && { deleteAt: new Date(deletion.deleteAt).toISOString(), keepAction: basePath + keepPath }
}
