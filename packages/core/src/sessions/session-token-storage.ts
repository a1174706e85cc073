import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { parseSessionToken } from './session-token.ts'

/** How the store holds session tokens: hashed; hashed, with old plain rows accepted; or plain as in next-auth v4. */
export type SessionStorage = 'hashed' | 'both' | 'plain'

const mark = 'h1.'

/** @returns Whether a cookie contains the stored form of a token: such a value is never looked up. */
export function isStoredForm(token: string): boolean {
  return token.startsWith(mark)
}

/** @returns The stored form of a new token. */
export async function toStored(token: string, ring: KeyRing, storage: SessionStorage): Promise<string> {
  return storage === 'plain' ? token : mark + (await keyedHash(ring, token))
}

/** @returns Every stored form that this token may have, most likely first. */
export async function storedForms(token: string, ring: KeyRing, storage: SessionStorage): Promise<readonly string[]> {
  if (isStoredForm(token)) return []
  if (storage === 'plain') return [token]
  const hashed = (await keyedHashes(ring, token)).map((hash) => mark + hash)
  return storage === 'both' ? [...hashed, token] : hashed
}

/**
 * A second cookie that accompanies a session token if the store holds plain tokens.
 *
 * A reader of the table knows the token but not this cookie: a keyed hash of the token. next-auth v4, which may share
 * the table, ignores it. Sessions that next-auth created have none, and are recognized by their token, which has
 * neither a tag nor a creation time.
 */
export interface SessionProof {
  readonly cookie: CookieSetting
  readonly keys: KeyRing
}

/** Whether a token is of another library and therefore has no proof. */
function isOfOthers(token: string): boolean {
  const { tag, startedAt } = parseSessionToken(token)
  return tag === null && startedAt === null
}

/** @returns Whether the token came from the browser that it was issued to. */
export async function isProven(token: string, cookies: RequestCookies, proof: SessionProof): Promise<boolean> {
  if (isOfOthers(token)) return true
  const given = cookies.get(proof.cookie.name) ?? ''
  return (await keyedHashes(proof.keys, token)).some((hash) => equalInConstantTime(hash, given))
}

/** The maximum lifetime of a cookie, in milliseconds (RFC 6265bis §5.6.2). */
const maxProofLength = 400 * 24 * 60 * 60 * 1000

/**
 * The cookie to send with a token. It outlives the session, because a library that shares the table renews the session
 * without it.
 *
 * @param now - Milliseconds since 1970; `null` for a cookie that lasts until the browser is closed.
 */
export async function prove(token: string, now: number | null, proof: SessionProof | null): Promise<SetCookies> {
  if (!proof || isOfOthers(token)) return noCookies
  const expires = now === null ? null : new Date(now + maxProofLength)
  return setCookie(proof.cookie.name, await keyedHash(proof.keys, token), proof.cookie.options, expires)
}

/** The removal of the cookie, if the request contains it. */
export function clearProof(cookies: RequestCookies, proof: SessionProof | null): SetCookies {
  return proof && cookies.has(proof.cookie.name) ? clearCookie(proof.cookie.name, proof.cookie.options) : noCookies
}
