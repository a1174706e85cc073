import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { Runtime } from '../model/runtime.ts'
import { randomHex } from '../tokens/random.ts'
import { type CsrfToken, csrfTokenOf, issueCsrfToken } from './csrf-token.ts'

/** What anti-forgery tokens are made with. */
export interface CsrfRules {
  readonly cookie: CookieSetting
  /** The first writes, all read. */
  readonly secrets: readonly string[]
  /** Bytes. */
  readonly size: number
  readonly randomBytes: Runtime['randomBytes']
}

/** @returns A new token, for a principal that has just changed. */
export async function freshCsrfToken({ cookie, secrets, size, randomBytes }: CsrfRules): Promise<CsrfToken> {
  return issueCsrfToken(randomHex(randomBytes, size), cookie, secrets)
}

/** @returns The browser's token, or a new one with its cookie where it has none. */
export async function pageCsrfToken(cookies: RequestCookies, rules: CsrfRules): Promise<CsrfToken> {
  const token = await csrfTokenOf(cookies, rules.cookie, rules.secrets)
  return token === null ? freshCsrfToken(rules) : { token, cookies: new Map() }
}
