import type { FeatureContext } from '@postern/core/feature'

/** Milliseconds: 7 days in which a change can be undone. */
export const undoPeriod: number = 7 * 24 * 60 * 60 * 1000

/** Whether something was added longer ago than that: a thief who has come recently did not add it. */
export const isOlderThanUndoPeriod = (addedAt: Date, { now }: Pick<FeatureContext, 'now'>): boolean =>
  addedAt.getTime() <= now() - undoPeriod
