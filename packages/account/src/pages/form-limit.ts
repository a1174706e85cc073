import type { FeatureRoute } from '@postern/core/feature'

/** The forms that one client may send: each change is stored as an event. */
export const formLimit: NonNullable<FeatureRoute['limit']> = { points: 60, seconds: 3600 }
