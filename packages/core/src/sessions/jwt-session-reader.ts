import type { CookieBudget } from '../cookies/budget.ts'
import { readChunked, withoutValues } from '../cookies/chunks.ts'
import type { Remembered } from '../hooks/session-lifetime.ts'
import type { Authentication } from '../model/authentication.ts'
import { chain, type MaybePromise, whenAll } from '../model/awaitable.ts'
import type { RequestCookies } from '../model/cookie.ts'
import type { Token } from '../model/session.ts'
import { parseSessionClaims, type SessionClaims } from '../model/session-claims.ts'
import { isAcceptedBy } from '../tokens/application.ts'
import type { SessionTokenCodec } from '../tokens/session-jwt.ts'
import type { Impersonation } from './impersonation.ts'
import type { Revocable, RevocationList } from './revocation-list.ts'
import { isExpired, limitIdle, resolveLifetime } from './session-renewal.ts'
import type { ActorSession, FoundSession, Principal, SessionKey, SessionReader, SessionSettings } from './strategy.ts'
import {
  getAuthentication,
  getImpersonation,
  getPrincipal,
  getSessionAge,
  getSessionId,
  getSessionStart,
  isDamaged,
  toDate,
  toRevocable,
  toRevocables
} from './token-claims.ts'

/** The settings of JWT sessions. */
export interface JwtSessionSettings extends SessionSettings {
  readonly codec: SessionTokenCodec
  /** Reads a token of Auth.js. */
  readonly readAuthJsToken: (token: string) => Promise<Token | null>
  /** The tolerated clock difference in seconds. */
  readonly tolerance: number
  /** The lifetime of a token in seconds; at most that of the session. */
  readonly tokenMaxAge: number
  readonly budget: CookieBudget
  /** Whether a callback or a listener of the application sees each session that is read. Listeners may be added later. */
  readonly isSessionObserved: () => boolean
}

/** A token that was found. Most of it is read from the claims when it is asked for: a session that is only shown asks for little. */
export class JwtSession implements FoundSession {
  readonly token: Token
  /** Whether it came in the cookie of Auth.js. */
  readonly isAuthJs: boolean
  readonly expires: Date
  #principal: Principal | null | undefined

  constructor(token: Token, isAuthJs: boolean, expires: Date) {
    this.token = token
    this.isAuthJs = isAuthJs
    this.expires = expires
  }

  get principal(): Principal | null {
    if (this.#principal === undefined) this.#principal = getPrincipal(this.token)
    return this.#principal
  }

  get remembered(): Remembered {
    return getSessionAge(this.token)
  }

  get handle(): string | null {
    return getSessionId(this.token)
  }
}

/** The session of a request, and the cookies that may be cleared. */
export interface JwtSessionSearch {
  readonly found: JwtSession | null
  /** Whether the session was ended: its token may have been replaced, so that its cookie is left alone. */
  readonly isEnded: boolean
  /** The cookies without session cookies that another application may have set. */
  readonly own: RequestCookies
}

/** The tokens of a request that are not expired, and the cookies that may be cleared. */
interface SessionsInTime extends Pick<JwtSessionSearch, 'own'> {
  readonly sessions: readonly JwtSession[]
}

type CheckToken = (token: Token) => MaybePromise<boolean>

/** Reads JWT sessions from the cookie. */
export class JwtSessionReader implements SessionReader {
  readonly revocations: RevocationList | null
  readonly #settings: JwtSessionSettings
  readonly #firstChunk: string

  /** @param revocations - The revoked tokens; `null` if revocations are not stored. */
  constructor(revocations: RevocationList | null, settings: JwtSessionSettings) {
    this.revocations = revocations
    this.#settings = settings
    this.#firstChunk = `${settings.cookie.name}.0`
  }

  /** Reads the token without side effects. @throws AuthError `StoreUnavailable` */
  async read(cookies: RequestCookies): Promise<JwtSession | null> {
    return this.#isIn(cookies) ? (await this.search(cookies)).found : null
  }

  /** Whether a request contains a cookie of a session. */
  #isIn(cookies: RequestCookies): boolean {
    const { cookie, authJsCookie } = this.#settings
    return authJsCookie !== null || cookies.has(cookie.name) || cookies.has(this.#firstChunk)
  }

  /**
   * Finds the first token that is not expired, not revoked, and issued for this application.
   *
   * @throws AuthError `StoreUnavailable` if it is unknown whether the token was revoked.
   */
  search(cookies: RequestCookies): MaybePromise<JwtSessionSearch> {
    return this.#firstLive(cookies, (token) => this.#isRevoked(token))
  }

  /** Searches for a sign-out: if it is unknown whether the token was revoked, the user is still signed out. */
  searchToEnd(cookies: RequestCookies): MaybePromise<JwtSessionSearch> {
    return this.#firstLive(cookies, async (token) => {
      try {
        return await this.#isRevoked(token)
      } catch {
        return false
      }
    })
  }

  #firstLive(cookies: RequestCookies, isRevoked: CheckToken): MaybePromise<JwtSessionSearch> {
    return chain(this.#inTime(cookies), (inTime) => this.#findLive(inTime, isRevoked))
  }

  /** @param position - Of the first session to check. */
  #findLive(inTime: SessionsInTime, isRevoked: CheckToken, position: number = 0): MaybePromise<JwtSessionSearch> {
    const { sessions, own } = inTime
    const found = sessions[position]
    if (!found) return { found: null, isEnded: sessions.length > 0, own }
    return chain(isRevoked(found.token), (isOver) =>
      isOver ? this.#findLive(inTime, isRevoked, position + 1) : { found, isEnded: false, own }
    )
  }

  async readUser(cookies: RequestCookies): Promise<Principal | null> {
    return this.#isIn(cookies) ? ((await this.search(cookies)).found?.principal ?? null) : null
  }

  async readUserUncached(cookies: RequestCookies): Promise<Principal | null> {
    return (await this.readUncached(cookies)).found?.principal ?? null
  }

  /** The same as `search`, but revocations are read from the store. @throws AuthError `StoreUnavailable` */
  readUncached(cookies: RequestCookies): MaybePromise<JwtSessionSearch> {
    const { revocations } = this
    return this.#firstLive(cookies, async (token) => {
      if (await this.#isRevoked(token)) return true
      const all = toRevocables(token)
      return revocations !== null && (await revocations.withoutRevoked(all)).length < all.length
    })
  }

  async readImpersonation(cookies: RequestCookies): Promise<Impersonation | null> {
    if (!this.#isIn(cookies)) return null
    const { sessions } = await this.#inTime(cookies)
    if (!sessions.some(({ token }) => getImpersonation(token) !== null)) return null
    const { found } = await this.search(cookies)
    return found && getImpersonation(found.token)
  }

  async readActorSession(cookies: RequestCookies): Promise<ActorSession | null> {
    const { found } = await this.readUncached(cookies)
    if (!found?.principal) return null
    const { sessionId: id, version } = toRevocable(found.token)
    return { principal: found.principal, id, version, expires: found.expires }
  }

  /** Returns whether a token was revoked, according to the store. @throws AuthError `StoreUnavailable` */
  async isEnded(token: Token): Promise<boolean> {
    const { revocations } = this
    return revocations !== null && (await revocations.withoutRevoked([toRevocable(token)])).length === 0
  }

  async readKey(cookies: RequestCookies): Promise<SessionKey | null> {
    const found = await this.read(cookies)
    if (!found || found.handle === null) return null
    return { id: found.handle, userId: found.principal?.userId ?? '', expires: found.expires }
  }

  async readAuthentication(cookies: RequestCookies): Promise<Authentication | null> {
    const found = await this.read(cookies)
    return found && getAuthentication(found.token)
  }

  async readClaims(cookies: RequestCookies): Promise<SessionClaims | null> {
    const found = await this.read(cookies)
    return found && parseSessionClaims(found.token['session_claims'])
  }

  /** @returns The tokens that are not expired, in the order of the cookies; they may be revoked. */
  #inTime(cookies: RequestCookies): MaybePromise<SessionsInTime> {
    const { codec, cookie } = this.#settings
    const values = readChunked(cookies, cookie.name)
    const tokens = values.map((value) => codec.decode(value))
    return chain(whenAll(tokens), (decoded) => this.#select(values, decoded, cookies))
  }

  /** @param tokens - Those of the values, in their order. */
  #select(
    values: readonly string[],
    tokens: readonly (Token | null)[],
    cookies: RequestCookies
  ): MaybePromise<SessionsInTime> {
    const { cookie, application, authJsCookie } = this.#settings
    const others: string[] = []
    const sessions: JwtSession[] = []
    for (const [index, token] of tokens.entries()) {
      const isOther = token !== null && !isAcceptedBy(application, token['session_app'])
      if (isOther) others.push(values[index] ?? '')
      const session = isOther ? null : this.#toSession(token, false)
      if (session) sessions.push(session)
    }
    const own = withoutValues(cookies, cookie.name, others)
    if (sessions.length > 0 || !authJsCookie) return { sessions, own }
    return this.#fromAuthJs(cookies).then((found) => ({ sessions: found, own }))
  }

  /** Tokens of Auth.js name no application. */
  async #fromAuthJs(cookies: RequestCookies): Promise<readonly JwtSession[]> {
    const { authJsCookie, application, readAuthJsToken } = this.#settings
    if (!authJsCookie || !application.acceptsUnbound) return []
    const sessions: JwtSession[] = []
    for (const value of readChunked(cookies, authJsCookie.name)) {
      const token = await readAuthJsToken(value)
      const session = token && isAcceptedBy(application, token['session_app']) ? this.#toSession(token, true) : null
      if (session) sessions.push(session)
    }
    return sessions
  }

  #toSession(token: Token | null, isAuthJs: boolean): JwtSession | null {
    const latest = token && toDate(token['exp'])
    if (!token || !latest || isDamaged(token)) return null
    const { lifetime, tolerance, now } = this.#settings
    const own = resolveLifetime(lifetime, getSessionAge(token))
    const expires = limitIdle(latest, toDate(token['iat']), own)
    const tolerated = new Date(expires.getTime() + tolerance * 1000)
    if (isExpired(now(), tolerated, getSessionStart(token), own)) return null
    const impersonation = getImpersonation(token)
    if (impersonation && impersonation.until * 1000 <= now()) return null
    return new JwtSession(token, isAuthJs, expires)
  }

  #isRevoked(token: Token): MaybePromise<boolean> {
    const { revocations } = this
    // Without revocations, it is unknown whether the session of the actor has ended.
    if (!revocations) return getImpersonation(token) !== null
    const [own, actor] = toRevocables(token)
    return actor ? this.#isOneRevoked(own, actor, revocations) : revocations.isRevoked(own)
  }

  async #isOneRevoked(own: Revocable, actor: Revocable, revocations: RevocationList): Promise<boolean> {
    return (await revocations.isRevoked(own)) || revocations.isRevoked(actor)
  }
}
