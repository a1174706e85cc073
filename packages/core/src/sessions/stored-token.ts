import type { Remembered } from '../hooks/remember.ts'
import { keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'

/** How session tokens stand in the store: hashed; old plain rows read besides; or plain as in next-auth v4. */
export type SessionStorage = 'hashed' | 'both' | 'plain'

const mark = 'h1.'

/** @returns Whether a cookie holds what only the store may hold: such a value is never looked up. */
export function isStoredForm(token: string): boolean {
  return token.startsWith(mark)
}

/** @returns What the store keeps of a new token. */
export async function toStored(token: string, ring: KeyRing, storage: SessionStorage): Promise<string> {
  return storage === 'plain' ? token : mark + (await keyedHash(ring, token))
}

/** @returns Every form in which the store may hold this token, the likeliest first. */
export async function storedForms(token: string, ring: KeyRing, storage: SessionStorage): Promise<readonly string[]> {
  if (isStoredForm(token)) return []
  if (storage === 'plain') return [token]
  const hashed = (await keyedHashes(ring, token)).map((hash) => mark + hash)
  return storage === 'both' ? [...hashed, token] : hashed
}

const timed = /\.([0-9a-z]{1,9})(?:~([0-9a-z]{1,9}))?$/

/**
 * A session token that says when it was made: random, a dot, the second in base 36.
 *
 * The store finds only the whole text, so the time is as good as the token.
 */
export function timedToken(random: string, now: number): string {
  return `${random}.${Math.floor(now / 1000).toString(36)}`
}

/** @returns The token, which says besides how long its session lasts; as it is where that is as configured. */
export function rememberedToken(token: string, remembered: Remembered, now: number): string {
  if (remembered === null) return token
  return `${timeOf(token) ? token : timedToken(token, now)}~${remembered.toString(36)}`
}

/** @returns How long the session of a token lasts, where the token says so. */
export function rememberedIn(token: string): Remembered {
  const [, , remembered] = timed.exec(token) ?? []
  return remembered === undefined ? null : Number.parseInt(remembered, 36)
}

/** @returns When a session token of ours was made, or `null` for one of another make. */
export function timeOf(token: string): Date | null {
  const seconds = Number.parseInt(timed.exec(token)?.[1] ?? '', 36)
  return Number.isNaN(seconds) ? null : new Date(seconds * 1000)
}
