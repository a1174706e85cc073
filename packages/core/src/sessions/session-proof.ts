import { clearCookie, noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import type { KeyRing } from '../tokens/keys.ts'
import { timeOf } from './stored-token.ts'

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

/** Whether a token came from a browser that it was given to. */
export async function isProven(token: string, cookies: RequestCookies, proof: SessionProof | null): Promise<boolean> {
  if (!proof || timeOf(token) === null) return true
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
