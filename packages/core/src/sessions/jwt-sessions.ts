import type { Store } from '../adapter/store.ts'
import { dropPending, getMaxSessionLength } from '../cookies/budget.ts'
import { clearChunked, hasSeveral, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import { parseCallbackSession } from '../hooks/hooks.ts'
import type { Authentication } from '../model/authentication.ts'
import { chain, type MaybePromise } from '../model/awaitable.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { Session, Token } from '../model/session.ts'
import { parseSessionClaims, type SessionClaims } from '../model/session-claims.ts'
import { createImpersonationError } from './impersonation.ts'
import type { JwtSession, JwtSessionReader, JwtSessionSearch, JwtSessionSettings } from './jwt-session-reader.ts'
import { createSessionName, type JwtSessionRegistry } from './jwt-session-registry.ts'
import { dropRecord } from './session-metadata.ts'
import { type Lifetime, needsRenewal, nextExpiry, resolveLifetime } from './session-renewal.ts'
import {
  type ActingSession,
  type FoundSession,
  type NewSession,
  noSession,
  type Principal,
  type ReissuedSession,
  type SessionResult,
  type SessionStrategy,
  type StartedSession
} from './strategy.ts'
import {
  callJwt,
  continuedToken,
  createSignInToken,
  getAuthentication,
  getImpersonation,
  getSessionAge,
  getSessionStart,
  parseCallbackToken,
  toRevocable
} from './token-claims.ts'
import type { UserVersions } from './user-versions.ts'

/** The lifetime of a token's session. */
function lifetimeIn(token: Token, lifetime: Lifetime): Lifetime {
  return resolveLifetime(lifetime, getSessionAge(token))
}

/** The expiry of the session of a token that is written now. */
function computeExpiry(token: Token, { lifetime, now }: JwtSessionSettings): Date {
  const expires = nextExpiry(now(), getSessionStart(token), lifetimeIn(token, lifetime))
  const { until } = getImpersonation(token) ?? {}
  return until === undefined ? expires : new Date(Math.min(expires.getTime(), until * 1000))
}

/** The argument `claims` of the `session` callback, if features stated any. */
function getClaims({ session_claims }: Token): { readonly claims?: SessionClaims } {
  const claims = session_claims === undefined ? null : parseSessionClaims(session_claims)
  return claims ? { claims } : {}
}

/** The cookie contains the session as an encrypted token that only the server can read. */
export class JwtSessions implements SessionStrategy {
  readonly #reader: JwtSessionReader
  readonly #registry: JwtSessionRegistry | null
  readonly #userVersions: UserVersions
  readonly #settings: JwtSessionSettings
  readonly #hasUsers: boolean
  /** In characters. */
  readonly #maxLength: number
  #hasWarned = false

  /** @param registry - Identifies sessions; `null` if revocations are not stored. */
  constructor(
    reader: JwtSessionReader,
    registry: JwtSessionRegistry | null,
    userVersions: UserVersions,
    settings: JwtSessionSettings
  ) {
    this.#reader = reader
    this.#registry = registry
    this.#userVersions = userVersions
    this.#settings = settings
    this.#hasUsers = userVersions.store !== null || registry !== null
    this.#maxLength = getMaxSessionLength(settings.budget)
  }

  /** Records the session, and ends the previous one of the browser if revocations are stored; its token is created afterwards. */
  async start(newSession: NewSession, before: FoundSession | null, cookies: RequestCookies): Promise<StartedSession> {
    const registry = this.#registry
    const { hooks, lifetime, now } = this.#settings
    const { user, remembered, continues, impersonation } = newSession
    const renewable = nextExpiry(now(), continues?.startedAt ?? new Date(now()), resolveLifetime(lifetime, remembered))
    const latest = (impersonation?.until ?? Number.POSITIVE_INFINITY) * 1000
    const expires = new Date(Math.min(renewable.getTime(), latest))
    const name = registry ? await registry.begin(user.id, newSession, expires) : null
    const ended = registry && before && before.handle !== null ? { id: before.handle, expires: before.expires } : null
    if (ended) await this.#endBefore(ended, newSession.store)
    return {
      handle: name?.session_id ?? null,
      id: name?.session_id ?? null,
      complete: async () => {
        if (ended) registry?.forgetSession(ended)
        const basis = { userId: user.id, signedInAt: now() }
        const returned = hooks.jwt ? await callJwt(hooks.jwt, newSession) : null
        const token = createSignInToken(newSession, basis, returned)
        return this.#write({ ...token, ...name }, expires, cookies)
      }
    }
  }

  /** Ends the previous session of the browser. Outside of a transaction, a failure does not prevent the sign-in. */
  async #endBefore(ended: { readonly id: string; readonly expires: Date }, store: Store | null): Promise<void> {
    try {
      await this.#registry?.end(ended, store)
    } catch (error) {
      this.#settings.logger.error('SESSION_REVOCATION_ERROR', serializeError(error))
    }
  }

  /** The cookie is not sent; only the record of the session is stored. */
  async discard({ handle }: Pick<StartedSession, 'handle'>): Promise<void> {
    if (handle !== null) await dropRecord(handle, { store: this.#userVersions.store, logger: this.#settings.logger })
  }

  read(cookies: RequestCookies): MaybePromise<SessionResult> {
    if (cookies.size === 0) return noSession
    return chain(this.#reader.search(cookies), (search) => {
      const { found, own } = search
      if (!found) return this.#none(search)
      return this.#isUnchanged(found) ? this.#unchanged(found) : this.#reading(found, own, {})
    })
  }

  /** Whether no function of the application sees the session, and nothing has to be written: most reads. */
  #isUnchanged({ token, isAuthJs }: JwtSession): boolean {
    const { hooks, isSessionObserved, hasAuthJsFormat } = this.#settings
    return !hooks.jwt && !isAuthJs && !hasAuthJsFormat && !this.#isAged(token) && !isSessionObserved()
  }

  #unchanged(found: JwtSession): SessionResult {
    const { token, expires } = found
    return new UnchangedSession(found, this.#toPlainSession(token, token, expires), this.#hasUsers)
  }

  /** Whether the session is due for renewal. That of an impersonation is not renewed. */
  #isAged(token: Token): boolean {
    const { lifetime, now } = this.#settings
    const { iat } = token
    const isOld = typeof iat !== 'number' || needsRenewal(now(), iat * 1000, lifetimeIn(token, lifetime))
    return isOld && getImpersonation(token) === null
  }

  async update(cookies: RequestCookies, data: unknown): Promise<SessionResult> {
    const search = await this.#reader.search(cookies)
    const { found, own } = search
    return found ? this.#reading(found, own, { trigger: 'update', session: data }) : this.#none(search)
  }

  async destroy(cookies: RequestCookies, request: RequestInfo | null): Promise<SetCookies> {
    const ended = new Set<string>()
    const { own, ...first } = await this.#reader.searchToEnd(cookies)
    let { found } = first
    while (found) {
      // Before the listeners, which receive the token.
      const { handle } = found
      await this.#end(found, request)
      // The user of an impersonation has not signed out.
      if (!getImpersonation(found.token)) await this.#settings.emit('signOut', { token: found.token })
      if (handle === null || !hasSeveral(cookies, this.#settings.cookie.name)) break
      ended.add(handle)
      // Otherwise the next of several cookies with one name would count.
      const next: JwtSession | null = (await this.#reader.searchToEnd(cookies)).found
      found = next?.handle && !ended.has(next.handle) ? next : null
    }
    return this.#clear(own)
  }

  async act(cookies: RequestCookies): Promise<ActingSession | null> {
    const { found, own } = await this.#reader.readUncached(cookies)
    if (!found?.principal) return null
    const { principal, token, handle } = found
    if (principal.actor) throw createImpersonationError('this change')
    return {
      userId: principal.userId,
      sessionToken: null,
      endsWithAll: handle === null,
      isAllowed: async ({ sessionsFrom }) =>
        toRevocable(token).version >= sessionsFrom && !(await this.#reader.isEnded(token)),
      reissue: (store, version) => this.#reissue(found, own, { store, version })
    }
  }

  /** Without stored revocations, the token before cannot be ended: it stays. */
  async #reissue(
    { token, handle, expires: before }: JwtSession,
    cookies: RequestCookies,
    { store, version }: { readonly store: Store; readonly version: number }
  ): Promise<ReissuedSession> {
    const registry = this.#registry
    if (!registry) return { cookies: noCookies, sessionToken: null, afterCommit: () => undefined }
    const name = createSessionName(version)
    const next: Token = { ...continuedToken(token, token, this.#hasUsers), ...name }
    const expires = computeExpiry(next, this.#settings)
    const written = await this.#write(next, expires, cookies)
    await registry.rename(token, name, { store, expires: { before, session: expires } })
    const afterCommit = (): void => {
      if (handle !== null) registry.forgetSession({ id: handle, expires: before })
    }
    return { cookies: written, sessionToken: null, afterCommit }
  }

  /** Recording the revocation may fail: the cookie is cleared in any case. */
  async #end({ handle, expires, principal }: JwtSession, request: RequestInfo | null): Promise<void> {
    const registry = this.#registry
    if (handle === null || !principal) return
    const { userId } = principal
    const session = { id: handle, expires }
    const ended = { userId, sessionId: handle, request }
    try {
      await this.#userVersions.endSession(userId, async (store) => registry?.end(session, store), ended)
      registry?.forgetSession(session)
    } catch (error) {
      this.#settings.logger.error('SESSION_REVOCATION_ERROR', serializeError(error))
    }
  }

  #clear(cookies: RequestCookies): SetCookies {
    return joinCookies(clearChunked(this.#settings.cookie, cookies), this.#clearAuthJs(cookies))
  }

  /** Clears the cookie of Auth.js, if its sessions are accepted. */
  #clearAuthJs(cookies: RequestCookies): SetCookies {
    const { authJsCookie, application } = this.#settings
    return authJsCookie && application.acceptsUnbound ? clearChunked(authJsCookie, cookies) : noCookies
  }

  /** Clears the cookies. A late answer to a request with an ended token must not clear the one that has replaced it. */
  #none({ own, isEnded }: Pick<JwtSessionSearch, 'own' | 'isEnded'>): SessionResult {
    // Nothing tells which of several cookies with one name would be cleared.
    if (isEnded || hasSeveral(own, this.#settings.cookie.name)) return noSession
    const cleared = this.#clear(own)
    return cleared.size === 0 ? noSession : { ...noSession, cookies: cleared }
  }

  async #reading(
    { token, isAuthJs, principal, expires }: JwtSession,
    cookies: RequestCookies,
    update: { trigger?: 'update'; session?: unknown }
  ): Promise<SessionResult> {
    const { hooks, logger } = this.#settings
    const before = hooks.jwt ? JSON.stringify(token) : ''
    try {
      const result: unknown = hooks.jwt ? await hooks.jwt({ token: { ...token }, ...update }) : token
      if (result === null) return this.#none({ own: cookies, isEnded: false })
      const changed = parseCallbackToken(result)
      const isChanged = hooks.jwt !== null && JSON.stringify(changed) !== before
      const isWritten = isChanged || this.#isAged(token) || isAuthJs || update.trigger === 'update'
      // User, time of sign-in and lifetime survive every update.
      const continued = continuedToken(token, changed, this.#hasUsers)
      const renewed = isWritten ? await this.#renew(token, continued, cookies) : null
      const next = renewed?.token ?? (isWritten ? token : continued)
      const session = await this.#session(token, next, renewed?.expires ?? expires)
      const authentication = session && getAuthentication(next)
      return {
        session,
        principal: session && principal,
        token: session && next,
        cookies: renewed?.cookies ?? noCookies,
        getAuthentication: async () => authentication
      }
    } catch (error) {
      // An error in a callback does not end the session: the cookie stays, and this response contains no session.
      logger.error('JWT_SESSION_ERROR', error)
      return noSession
    }
  }

  /** @returns The token that replaces the one of the session; `null` if it is too large: the session continues as it was. */
  async #renew(
    token: Token,
    continued: Token,
    cookies: RequestCookies
  ): Promise<{ readonly token: Token; readonly expires: Date; readonly cookies: SetCookies } | null> {
    const registry = this.#registry
    const { lifetime, logger } = this.#settings
    const next: Token = { ...continued, ...registry?.keepName(token) }
    try {
      const expires = computeExpiry(next, this.#settings)
      const written = await this.#write(next, expires, cookies)
      await registry?.touch(next, expires, lifetimeIn(next, lifetime).updateAge)
      return { token: next, expires, cookies: written }
    } catch (error) {
      if (!(error instanceof AuthError && error.code === 'SessionTooLarge')) throw error
      logger.error('SESSION_TOO_LARGE_ERROR', serializeError(error))
      return null
    }
  }

  /** In next-auth v4, the user is the one of the token before the `jwt` callback. */
  #toPlainSession(token: Token, next: Token, expires: Date): Session {
    const { name, email, picture } = this.#settings.hasAuthJsFormat ? next : token
    const { actor } = getImpersonation(token) ?? {}
    const user = { name, email, image: picture }
    return { user, expires: expires.toISOString(), ...(actor ? { actor } : {}) }
  }

  /** The session for the application. */
  async #session(token: Token, next: Token, expires: Date): Promise<Session | null> {
    const { hooks, emit } = this.#settings
    const plain = this.#toPlainSession(token, next, expires)
    const question = { session: plain, token: next, ...getClaims(token) }
    const context = { getAuthentication: async () => getAuthentication(next) }
    const session = hooks.session ? parseCallbackSession(await hooks.session(question, context)) : plain
    if (!session) return null
    await emit('session', { session, token: next })
    return session
  }

  /** Writes a token of this application, even if the `jwt` callback changed the claim. */
  #write(token: Token, expires: Date, cookies: RequestCookies): MaybePromise<SetCookies> {
    const { codec, cookie, application, budget, chunkSize, tokenMaxAge, now } = this.#settings
    // The time goes on between the two.
    const left = Math.round((expires.getTime() - now()) / 1000)
    const bound: Token = { ...token, session_app: application.id }
    return chain(codec.encode(bound, Math.min(tokenMaxAge, left)), (value) => {
      if (value.length > this.#maxLength / 2) this.#checkLength(value.length, token)
      const until = getSessionAge(token) === 0 ? null : expires
      const chunks = writeChunked(cookie, value, { expires: until, size: chunkSize, cookies })
      return joinCookies(this.#clearAuthJs(cookies), chunks, dropPending(cookies, chunks, budget))
    })
  }

  /** Warns once of a long session. @throws AuthError `SessionTooLarge` if no browser could send it back */
  #checkLength(length: number, token: Token): void {
    const max = this.#maxLength
    const { name, size } = findLargestClaim(token)
    const message = `the session takes ${length} of ${max} characters; its largest claim is ${name} (${size} characters as JSON)`
    if (length > max) throw new AuthError('SessionTooLarge', message)
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#settings.logger.warn('SESSION_LARGE', { message })
  }
}

/** A session that is neither changed nor renewed. Few ask for more than what the user sees. */
class UnchangedSession implements SessionResult {
  readonly session: Session
  readonly cookies: SetCookies = noCookies
  readonly #found: JwtSession
  readonly #hasUsers: boolean
  #token: Token | null = null

  constructor(found: JwtSession, session: Session, hasUsers: boolean) {
    this.session = session
    this.#found = found
    this.#hasUsers = hasUsers
  }

  get principal(): Principal | null {
    return this.#found.principal
  }

  get token(): Token {
    this.#token ??= this.#continued()
    return this.#token
  }

  async getAuthentication(): Promise<Authentication | null> {
    // The application may have changed its token.
    return getAuthentication(this.#continued())
  }

  #continued(): Token {
    const { token } = this.#found
    return continuedToken(token, token, this.#hasUsers)
  }
}

function findLargestClaim(token: Token): { readonly name: string; readonly size: number } {
  const sizes = Object.entries(token).map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }))
  return sizes.reduce((largest, claim) => (claim.size > largest.size ? claim : largest), { name: '', size: 0 })
}
