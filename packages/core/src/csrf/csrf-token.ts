import { noCookies, setCookie } from '../cookies/set-cookies.ts'
import { chain, type MaybePromise } from '../model/awaitable.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Runtime } from '../model/runtime.ts'
import { equalInConstantTime, sha256 } from '../tokens/hash.ts'
import { LruCache } from '../tokens/lru-cache.ts'
import { randomHex } from '../tokens/random.ts'

/** The CSRF token of a browser, and the cookie to set if it had none. `isOwnForm` compares that of a form with it. */
export interface CsrfToken {
  readonly token: string
  readonly cookies: SetCookies
}

/** `constants.csrfTokenBytes` has 16 to 256 bytes; tokens of an earlier size remain valid. */
const shape = /^((?:[0-9a-f]{2}){16,256})\|([0-9a-f]{64})$/

/** The maximum number of characters of verified cookies that are kept: about 1 MB, or three to five thousand browsers. */
const maxKnown = 1_000_000

/** The CSRF tokens of an origin. */
export class CsrfTokens {
  readonly cookie: CookieSetting
  readonly #secrets: readonly string[]
  /** Bytes. */
  readonly #size: number
  readonly #randomBytes: Runtime['randomBytes']
  /** Verified cookies and their tokens. With the same secrets they stay valid. */
  readonly #known = new LruCache(maxKnown)

  /**
   * @param secrets - The first one signs, all verify.
   * @param size - Of a token, in bytes.
   */
  constructor(cookie: CookieSetting, secrets: readonly string[], randomBytes: Runtime['randomBytes'], size: number) {
    this.cookie = cookie
    this.#secrets = secrets
    this.#size = size
    this.#randomBytes = randomBytes
  }

  /**
   * Verifies a cookie `token|hash`: the hash is the hexadecimal SHA-256 of the token and one of the secrets.
   *
   * @returns The token, or `null` if the cookie is missing or was not issued with one of the secrets.
   */
  read(cookies: RequestCookies): MaybePromise<string | null> {
    const value = cookies.get(this.cookie.name)
    if (!value) return null
    return this.#known.get(value) ?? this.#verify(value)
  }

  #verify(value: string): MaybePromise<string | null> {
    const [, token, hash] = shape.exec(value) ?? []
    if (!token || !hash) return null
    const compare = (index: number): MaybePromise<string | null> => {
      const secret = this.#secrets[index]
      if (secret === undefined) return null
      return chain(sha256(token + secret), (expected) => {
        if (!equalInConstantTime(expected, hash)) return compare(index + 1)
        this.#known.set(value, token)
        return token
      })
    }
    return compare(0)
  }

  /** @returns A new token, for use after the signed-in user has changed. */
  issue(): MaybePromise<CsrfToken> {
    const { name, options } = this.cookie
    const token = randomHex(this.#randomBytes, this.#size)
    const write = (hash: string): CsrfToken => ({ token, cookies: setCookie(name, `${token}|${hash}`, options, null) })
    return chain(sha256(token + this.#secrets[0]), write)
  }

  /** @returns The browser's token, or a new one with its cookie if it has none. */
  readOrIssue(cookies: RequestCookies): MaybePromise<CsrfToken> {
    const toCsrfToken = (token: string | null): MaybePromise<CsrfToken> =>
      token === null ? this.issue() : { token, cookies: noCookies }
    return chain(this.read(cookies), toCsrfToken)
  }
}
