import type { Factor, FactorKey, FeatureContext } from '@postern/core/feature'

/** A factor that a user adds now, without a name. */
export function toNewFactor(
  key: FactorKey,
  userId: string,
  data: string,
  { now }: Pick<FeatureContext, 'now'>
): Factor {
  const { type, id } = key
  return { type, id, userId, name: null, data, createdAt: new Date(now()), lastUsedAt: null, version: 0 }
}
