import type { Factor } from '../adapter/factor.ts'
import type { Store } from '../adapter/store.ts'

/** A factor of the user of a sign-in. */
interface NewFactor extends Pick<Factor, 'type' | 'name' | 'data'> {
  /** @defaultValue the id of the user */
  readonly id?: string | undefined
  /** Whether it replaces the one with its key. @defaultValue `false` */
  readonly isReplacement?: boolean | undefined
}

/** Creates the factors that were enrolled during a sign-in, or belong to a new user. @param now - Milliseconds since 1970. */
export async function createFactors(
  userId: string,
  factors: readonly NewFactor[],
  store: Store,
  now: number
): Promise<void> {
  for (const { id = userId, type, name, data, isReplacement = false } of factors) {
    if (isReplacement) await store.factors?.delete({ type, id })
    await store.factors?.create({
      type,
      id,
      userId,
      name,
      data,
      createdAt: new Date(now),
      lastUsedAt: null,
      version: 0
    })
  }
}
