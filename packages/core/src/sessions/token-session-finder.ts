import { readChunked } from '../cookies/chunks.ts'
import type { CookieSetting, RequestCookies } from '../model/cookie.ts'
import type { Token } from '../model/session.ts'
import type { SessionTokenCodec } from '../tokens/session-jwt.ts'
import { isOver, type Lifetime, lifetimeOf } from './expiry.ts'
import type { RevocationList } from './revocation-list.ts'
import type { FoundSession, SessionFinder, SessionKey, SignedIn } from './strategy.ts'
import { rememberedOf, revocableOf, sessionIdOf, signedInOf, toDate } from './token-claims.ts'

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
export interface SignedSession extends FoundSession {
  readonly token: Token
  readonly isForeign: boolean
}

/** Finds sessions that are in the cookie, as signed tokens. */
export class TokenSessionFinder implements SessionFinder {
  readonly #rules: TokenFinderRules

  constructor(rules: TokenFinderRules) {
    this.#rules = rules
  }

  /**
   * Finds the first token that is in its time, and was not revoked.
   *
   * @throws AuthError `StoreUnavailable`: nobody can say whether the token still counts.
   */
  async find(cookies: RequestCookies): Promise<SignedSession | null> {
    const found = await this.#inTime(cookies)
    const isRevoked = found !== null && this.#isRevoked(found.token)
    // Mostly it is known at once: what is not waited for costs nothing.
    return (typeof isRevoked === 'boolean' ? isRevoked : await isRevoked) ? null : found
  }

  /** The same for who leaves: that it could not be found out whether the token still counts keeps nobody signed in. */
  async findToEnd(cookies: RequestCookies): Promise<SignedSession | null> {
    const found = await this.#inTime(cookies)
    try {
      return found && (await this.#isRevoked(found.token)) ? null : found
    } catch {
      return found
    }
  }

  /** Only looks whose session it is. */
  async identify(cookies: RequestCookies): Promise<SignedIn | null> {
    return (await this.find(cookies))?.signedIn ?? null
  }

  async keyOf(cookies: RequestCookies): Promise<SessionKey | null> {
    const found = await this.find(cookies)
    if (!found || found.handle === null) return null
    return { id: found.handle, userId: found.signedIn?.userId ?? '' }
  }

  /** @returns The first token that is in its time; whether it was revoked is not asked. */
  async #inTime(cookies: RequestCookies): Promise<SignedSession | null> {
    const { codec, cookie, foreign } = this.#rules
    for (const value of readChunked(cookies, cookie.name)) {
      const found = this.#sessionOf(await codec.decode(value), false)
      if (found) return found
    }
    for (const value of foreign ? readChunked(cookies, foreign.cookie.name) : []) {
      const found = this.#sessionOf((await foreign?.read(value)) ?? null, true)
      if (found) return found
    }
    return null
  }

  #sessionOf(token: Token | null, isForeign: boolean): SignedSession | null {
    const expires = token && toDate(token['exp'])
    if (!token || !expires) return null
    const { lifetime, now } = this.#rules
    const signedIn = signedInOf(token)
    if (isOver(now(), expires, signedIn?.since ?? null, lifetimeOf(lifetime, rememberedOf(token)))) return null
    return { token, isForeign, signedIn, handle: sessionIdOf(token), expires }
  }

  #isRevoked(token: Token): boolean | Promise<boolean> {
    const { revocations } = this.#rules
    return revocations ? revocations.isRevoked(revocableOf(token)) : false
  }
}
