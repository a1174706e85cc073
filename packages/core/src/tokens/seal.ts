import type { KeyRing } from './keys.ts'
import { primitives } from './crypto-primitives.ts'

/** A list of small records in one sealed cookie, newest first, each with the second it ends at. */
export interface Ending {
  /** Seconds since 1970. */
  readonly ends: number
}

/** @returns The text that only a key of the same ring opens. */
export async function sealText(ring: KeyRing, text: string): Promise<string> {
  return primitives.seal(await ring.writing, text)
}

/** @returns The text that was sealed, or `null` for anything else. */
export async function openText(ring: KeyRing, token: string): Promise<string | null> {
  for (const key of ring.reading) {
    const text = await primitives.open(await key, token)
    if (text !== null) return text
  }
  return null
}

function isEnding(entry: unknown): entry is Ending {
  return typeof entry === 'object' && entry !== null && 'ends' in entry && typeof entry.ends === 'number'
}

/**
 * Opens a sealed list.
 *
 * @param isEntry - Tells whether an entry has the shape that this version writes.
 * @param now - Milliseconds since 1970.
 * @returns The entries that have not ended; none for a cookie that is missing, foreign or damaged.
 */
export async function openList<T extends Ending>(
  ring: KeyRing,
  token: string | undefined,
  isEntry: (entry: Ending) => entry is T,
  now: number
): Promise<readonly T[]> {
  const text = token ? await openText(ring, token) : null
  if (text === null) return []
  try {
    const entries: unknown = JSON.parse(text)
    if (!Array.isArray(entries)) return []
    return entries
      .filter(isEnding)
      .filter(isEntry)
      .filter(({ ends }) => ends * 1000 > now)
  } catch {
    return []
  }
}
