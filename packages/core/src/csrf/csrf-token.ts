import { setCookie } from '../cookies/set-cookies.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Runtime } from '../model/runtime.ts'
import { equalInConstantTime, sha256 } from '../tokens/hash.ts'
import type { Memo } from '../tokens/lru-cache.ts'
import { randomHex } from '../tokens/random.ts'

/** The anti-forgery token of a browser, and the cookie that is due where it had none. */
export interface CsrfToken {
  readonly token: string
  readonly cookies: SetCookies
}

const shape = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

/** What anti-forgery tokens are read with. */
export interface CsrfReading {
  readonly cookie: CookieSetting
  /** The first writes, all read. */
  readonly secrets: readonly string[]
  /** The cookies that were found to be ours, and their tokens: of the same secrets they always will be. */
  readonly known: Memo
}

/**
 * The token that a cookie `token|hash` holds, where the hash is SHA-256 of token and one of our secrets, in hex.
 *
 * @returns The token, or `null` for a cookie that is missing or not ours.
 */
export async function csrfTokenOf(
  cookies: RequestCookies,
  { cookie, secrets, known }: CsrfReading
): Promise<string | null> {
  const value = cookies.get(cookie.name)
  if (!value) return null
  const found = known.get(value)
  if (found !== null) return found
  const [, token, hash] = shape.exec(value) ?? []
  if (!token || !hash) return null
  for (const secret of secrets) {
    if (!equalInConstantTime(await sha256(token + secret), hash)) continue
    known.set(value, token)
    return token
  }
  return null
}

/** @returns A new token and its cookie. */
export async function issueCsrfToken(
  token: string,
  setting: CookieSetting,
  [secret]: readonly string[]
): Promise<CsrfToken> {
  const value = `${token}|${await sha256(token + secret)}`
  return { token, cookies: setCookie(setting.name, value, setting.options, null) }
}

/** What anti-forgery tokens are made with. */
export interface CsrfRules extends CsrfReading {
  /** Bytes. */
  readonly size: number
  readonly randomBytes: Runtime['randomBytes']
}

/** @returns A new token, for a principal that has just changed. */
export function freshCsrfToken({ cookie, secrets, size, randomBytes }: CsrfRules): Promise<CsrfToken> {
  return issueCsrfToken(randomHex(randomBytes, size), cookie, secrets)
}

/** @returns The browser's token, or a new one with its cookie where it has none. */
export async function pageCsrfToken(cookies: RequestCookies, rules: CsrfRules): Promise<CsrfToken> {
  const token = await csrfTokenOf(cookies, rules)
  return token === null ? freshCsrfToken(rules) : { token, cookies: new Map() }
}
