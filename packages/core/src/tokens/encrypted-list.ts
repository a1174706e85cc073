import { chain, type MaybePromise } from '../model/awaitable.ts'
import { isObject } from '../model/json-object.ts'
import { decryptText } from './jwe.ts'
import type { KeyRing } from './keys.ts'

/** An entry of an encrypted list in a cookie. The newest entry is first; each has its own expiry. */
export interface Expiring {
  /** Seconds since 1970. */
  readonly ends: number
  /** The application that wrote it. */
  readonly app: string
}

function isExpiring(entry: unknown): entry is Expiring {
  return isObject(entry) && typeof entry['ends'] === 'number' && typeof entry['app'] === 'string'
}

/**
 * Decrypts a list.
 *
 * @param isEntry - Returns whether an entry has the shape that this version writes.
 * @param now - Milliseconds since 1970.
 * @returns The entries that have not expired; none if the cookie is missing, foreign or damaged.
 */
export function decryptList<T extends Expiring>(
  ring: KeyRing,
  token: string | undefined,
  isEntry: (entry: Expiring) => entry is T,
  now: number
): MaybePromise<readonly T[]> {
  const parse = (text: string | null): readonly T[] => {
    if (text === null) return []
    try {
      const entries: unknown = JSON.parse(text)
      if (!Array.isArray(entries)) return []
      return entries
        .filter(isExpiring)
        .filter(isEntry)
        .filter(({ ends }) => ends * 1000 > now)
    } catch {
      return []
    }
  }
  return chain(token ? decryptText(ring, token) : null, parse)
}
