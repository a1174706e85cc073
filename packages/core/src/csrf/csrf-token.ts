import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Runtime } from '../model/runtime.ts'
import type { Awaitable } from '../tokens/crypto-primitives.ts'
import { equalInConstantTime, sha256 } from '../tokens/hash.ts'
import type { LruCache } from '../tokens/lru-cache.ts'
import { randomHex } from '../tokens/random.ts'

/** The CSRF token of a browser, and the cookie to set if it had none. `isOwnForm` compares that of a form with it. */
export interface CsrfToken {
  readonly token: string
  readonly cookies: SetCookies
}

/** `constants.csrfTokenBytes` has 16 to 256 bytes; tokens of an earlier size remain valid. */
const shape = /^((?:[0-9a-f]{2}){16,256})\|([0-9a-f]{64})$/

/** What CSRF tokens are verified with. */
export interface CsrfReading {
  readonly cookie: CookieSetting
  /** The first secret signs, all verify. */
  readonly secrets: readonly string[]
  /** Verified cookies and their tokens. With the same secrets they stay valid. */
  readonly known: LruCache
}

/**
 * Verifies a cookie `token|hash`: the hash is the hexadecimal SHA-256 of the token and one of the secrets.
 *
 * @returns The token, or `null` if the cookie is missing or was not issued with one of the secrets.
 */
export function readCsrfToken(cookies: RequestCookies, reading: CsrfReading): Awaitable<string | null> {
  const value = cookies.get(reading.cookie.name)
  if (!value) return null
  return reading.known.get(value) ?? verifyCsrfToken(value, reading)
}

async function verifyCsrfToken(value: string, { secrets, known }: CsrfReading): Promise<string | null> {
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
export function issueCsrfToken(
  token: string,
  { name, options }: CookieSetting,
  [secret]: readonly string[]
): Awaitable<CsrfToken> {
  const write = (hash: string): CsrfToken => ({ token, cookies: setCookie(name, `${token}|${hash}`, options, null) })
  const hash = sha256(token + secret)
  return hash instanceof Promise ? hash.then(write) : write(hash)
}

/** What CSRF tokens are created with. */
export interface CsrfTokenDeps extends CsrfReading {
  /** Bytes. */
  readonly size: number
  readonly randomBytes: Runtime['randomBytes']
}

/** @returns A new token, for use after the signed-in user has changed. */
export function freshCsrfToken({ cookie, secrets, size, randomBytes }: CsrfTokenDeps): Awaitable<CsrfToken> {
  return issueCsrfToken(randomHex(randomBytes, size), cookie, secrets)
}

/** @returns The browser's token, or a new one with its cookie if it has none. */
export function pageCsrfToken(cookies: RequestCookies, deps: CsrfTokenDeps): Awaitable<CsrfToken> {
  const toCsrfToken = (token: string | null): Awaitable<CsrfToken> =>
    token === null ? freshCsrfToken(deps) : { token, cookies: noCookies }
  const token = readCsrfToken(cookies, deps)
  return token instanceof Promise ? token.then(toCsrfToken) : toCsrfToken(token)
}
