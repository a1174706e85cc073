import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { Remembered } from '../hooks/remember.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
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

/**
 * A second cookie beside a session token that the store holds as it is.
 *
 * Whoever reads the table has the token and lacks this: a keyed hash of it. next-auth v4, which may share the table,
 * neither asks for it nor minds it; sessions that it began have none, and are told by their token, which does not say
 * when it was made.
 */
export interface SessionProof {
  readonly cookie: CookieSetting
  readonly keys: KeyRing
}

/** @returns Whether a token came from a browser that it was given to. */
export async function isProven(token: string, cookies: RequestCookies, proof: SessionProof): Promise<boolean> {
  if (timeOf(token) === null) return true
  const given = cookies.get(proof.cookie.name) ?? ''
  return (await keyedHashes(proof.keys, token)).some((hash) => equalInConstantTime(hash, given))
}

/** The longest that a browser keeps a cookie, in milliseconds (RFC 6265bis §5.6.2). */
const longest = 400 * 24 * 60 * 60 * 1000

/**
 * The cookie to send with a token. It outlives the session: whoever shares the table renews the session without it.
 *
 * @param now - Milliseconds since 1970; `null` for a cookie that lasts until the browser closes.
 */
export async function prove(token: string, now: number | null, proof: SessionProof | null): Promise<SetCookies> {
  if (!proof || timeOf(token) === null) return noCookies
  const expires = now === null ? null : new Date(now + longest)
  return setCookie(proof.cookie.name, await keyedHash(proof.keys, token), proof.cookie.options, expires)
}

/** The removal of the cookie, where the request brought it. */
export function clearProof(cookies: RequestCookies, proof: SessionProof | null): SetCookies {
  return proof && cookies.has(proof.cookie.name) ? clearCookie(proof.cookie.name, proof.cookie.options) : noCookies
}
