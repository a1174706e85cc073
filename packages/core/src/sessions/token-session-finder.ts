import { readChunked } from '../cookies/chunks.ts'
import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { Token } from '../model/session.ts'
import type { SessionTokenCodec } from '../tokens/session-token.ts'
import { isOver, type Lifetime, lifetimeOf } from './expiry.ts'
import type { RevocationList } from './revocation-list.ts'
import type { SessionFinder, SessionKey, SignedIn } from './strategy.ts'
import { rememberedOf, revocableOf, signedInOf, toDate } from './token-claims.ts'

/** What sessions of signed tokens are found with. */
export interface TokenFinderRules {
  readonly codec: SessionTokenCodec
  readonly cookie: CookieSetting
  /** The session cookie of another library, and what reads it; `null` where only ours counts. */
  readonly foreign: { readonly cookie: CookieSetting; readonly read: (token: string) => Promise<Token | null> } | null
  readonly lifetime: Lifetime
  /** Which tokens count no longer; `null` where nobody keeps that. */
  readonly revocations: RevocationList | null
  readonly now: () => number
}

/** A token that was found, and whether it came in the cookie of another library. */
export interface FoundToken {
  readonly token: Token
  readonly isForeign: boolean
}

/** Finds the token that a cookie holds. */
export class TokenSessionFinder implements SessionFinder {
  readonly #rules: TokenFinderRules

  constructor(rules: TokenFinderRules) {
    this.#rules = rules
  }

  /** @throws AuthError `StoreUnavailable`: nobody can say whether the token still counts. */
  async find(cookies: RequestCookies): Promise<FoundToken | null> {
    const found = await this.#inTime(cookies)
    const isRevoked = found !== null && this.#isRevoked(found.token)
    // Mostly it is known at once: what is not waited for costs nothing.
    return (typeof isRevoked === 'boolean' ? isRevoked : await isRevoked) ? null : found
  }

  /** The same for who leaves: that it could not be found out whether the token still counts keeps nobody signed in. */
  async findToEnd(cookies: RequestCookies): Promise<FoundToken | null> {
    const found = await this.#inTime(cookies)
    try {
      return found && (await this.#isRevoked(found.token)) ? null : found
    } catch {
      return found
    }
  }

  /** Only looks whose session it is. */
  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    const found = await this.find(cookies)
    return found && signedInOf(found.token)
  }

  async keyOf(cookies: RequestCookies): Promise<SessionKey | null> {
    const found = await this.find(cookies)
    if (!found) return null
    const { userId, sessionId } = revocableOf(found.token)
    return sessionId === null ? null : { id: sessionId, userId }
  }

  /** @returns The first token that is in its time; whether it was revoked is not asked. */
  async #inTime(cookies: RequestCookies): Promise<FoundToken | null> {
    const { codec, cookie, foreign } = this.#rules
    for (const value of readChunked(cookies, cookie.name)) {
      const token = await codec.decode(value)
      if (token && this.#isLive(token)) return { token, isForeign: false }
    }
    for (const value of foreign ? readChunked(cookies, foreign.cookie.name) : []) {
      const token = (await foreign?.read(value)) ?? null
      if (token && this.#isLive(token)) return { token, isForeign: true }
    }
    return null
  }

  #isLive(token: Token): boolean {
    const { lifetime, now } = this.#rules
    const expires = toDate(token['exp'])
    const since = signedInOf(token)?.since ?? null
    return expires !== null && !isOver(now(), expires, since, lifetimeOf(lifetime, rememberedOf(token)))
  }

  #isRevoked(token: Token): boolean | Promise<boolean> {
    const { revocations } = this.#rules
    return revocations ? revocations.isRevoked(revocableOf(token)) : false
  }
}
