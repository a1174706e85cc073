import { wasJustClaimed } from '../adapter/claim-marker.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { isSuspended } from '../adapter/suspension-marker.ts'
import { type CookieBudget, dropPending, getMaxSessionLength } from '../cookies/budget.ts'
import { clearChunked, hasSeveral, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Emit } from '../hooks/events.ts'
import { type Hooks, parseCallbackSession } from '../hooks/hooks.ts'
import type { CookieSetting, RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session, Token } from '../model/session.ts'
import { parseSessionClaims, type SessionClaims, withoutHiddenClaims } from '../model/session-claims.ts'
import { refuseActor } from './impersonation.ts'
import type { JwtSession, JwtSessionReader, JwtSessionReaderDeps, JwtSessionSearch } from './jwt-session-reader.ts'
import type { JwtSessionRegistry } from './jwt-session-registry.ts'
import { dropReservations, isReserved, releaseVersion, reserveVersion } from './kept-session.ts'
import { dropRecord } from './session-metadata.ts'
import { type Lifetime, needsRenewal, nextExpiry, resolveLifetime } from './session-renewal.ts'
import {
  type CreatedSession,
  type FoundSession,
  type NewSession,
  noSession,
  type SessionResult,
  type SessionStrategy
} from './strategy.ts'
import {
  continuedToken,
  getAuthentication,
  getImpersonation,
  getSessionAge,
  getSessionStart,
  parseCallbackToken,
  signInToken,
  toRevocable
} from './token-claims.ts'

/** What JWT sessions are created with. */
export interface JwtSessionDeps extends JwtSessionReaderDeps {
  readonly budget: CookieBudget
  readonly chunkSize: number
  /** Seconds; at most the lifetime of the session. */
  readonly tokenMaxAge: number
  /** Identifies sessions; `null` if revocations are not stored. */
  readonly jwtSessionRegistry: JwtSessionRegistry | null
  /** The store of session records, or `null`. */
  readonly store: Store | null
  /** Ends the database sessions of a user; `null` if that is not possible. */
  readonly endOtherSessions: ((userId: string) => Promise<unknown>) | null
  readonly hooks: Pick<Hooks, 'jwt' | 'session'>
  /** Whether sessions are those of Auth.js v5. */
  readonly hasAuthJsFormat: boolean
  /** The ids of the features whose claims the `session` callback does not receive. */
  readonly hiddenClaims: ReadonlySet<string>
  readonly emit: Emit
  readonly logger: Logger
}

/** The lifetime of a token's session. */
function lifetimeIn(token: Token, lifetime: Lifetime): Lifetime {
  return resolveLifetime(lifetime, getSessionAge(token))
}

/** The expiry of the session of a token that is written now. */
function computeExpiry(token: Token, { lifetime, now }: Pick<JwtSessionDeps, 'lifetime' | 'now'>): Date {
  const expires = nextExpiry(now(), getSessionStart(token), lifetimeIn(token, lifetime))
  const { until } = getImpersonation(token) ?? {}
  return until === undefined ? expires : new Date(Math.min(expires.getTime(), until * 1000))
}

/** The argument `claims` of the `session` callback, if features stated any. */
function getClaims(
  { session_claims }: Token,
  { hiddenClaims }: Pick<JwtSessionDeps, 'hiddenClaims'>
): { readonly claims?: SessionClaims } {
  const claims = session_claims === undefined ? null : parseSessionClaims(session_claims)
  const shown = withoutHiddenClaims(claims, hiddenClaims)
  return shown ? { claims: shown } : {}
}

/** The session of a request, and the cookies that may be cleared. */
interface OwnSession {
  readonly found: JwtSession
  readonly own: RequestCookies
}

/** The cookie contains the session as an encrypted token that only the server can read. */
export class JwtSessions implements SessionStrategy {
  readonly #reader: JwtSessionReader
  readonly #deps: JwtSessionDeps
  #hasWarned = false

  constructor(finder: JwtSessionReader, deps: JwtSessionDeps) {
    this.#reader = finder
    this.#deps = deps
  }

  get #hasUsers(): boolean {
    return this.#deps.store !== null || this.#deps.revocations !== null
  }

  /** Creates a token and its cookie; ends the previous session of the browser if revocations are stored. */
  async create(admission: NewSession, before: FoundSession | null, cookies: RequestCookies): Promise<CreatedSession> {
    const { jwtSessionRegistry, hooks, now } = this.#deps
    const token = await signInToken(admission, hooks.jwt, now())
    const name = await jwtSessionRegistry?.begin(toRevocable(token).userId, admission, computeExpiry(token, this.#deps))
    const drop = async (error: unknown): Promise<never> => {
      if (name) await dropRecord(name.session_id, this.#deps)
      throw error
    }
    const written = await this.#write({ ...token, ...name }, cookies).catch(drop)
    await admission.continues?.confirm().catch(drop)
    if (before) await this.#end(before)
    return { cookies: written, handle: name?.session_id ?? null }
  }

  /** The cookie is not sent; only the record of the session is stored. */
  async discard({ handle }: CreatedSession): Promise<void> {
    if (handle !== null) await dropRecord(handle, this.#deps)
  }

  async read(cookies: RequestCookies): Promise<SessionResult> {
    const search = await this.#reader.search(cookies)
    return search.found ? this.#reading(search.found, search.own, {}) : this.#none(search)
  }

  async update(cookies: RequestCookies, data: unknown): Promise<SessionResult> {
    const search = await this.#reader.search(cookies)
    const { found, own } = search
    return found ? this.#reading(found, own, { trigger: 'update', session: data }) : this.#none(search)
  }

  async destroy(cookies: RequestCookies): Promise<SetCookies> {
    const ended = new Set<string>()
    const { own, ...first } = await this.#reader.searchToEnd(cookies)
    let { found } = first
    while (found) {
      await this.#dropReservations(found)
      await this.#end(found)
      // The user of an impersonation has not signed out.
      if (!getImpersonation(found.token)) await this.#deps.emit('signOut', { token: found.token })
      if (found.handle === null || !hasSeveral(cookies, this.#deps.cookie.name)) break
      ended.add(found.handle)
      // Otherwise the next of several cookies with one name would count.
      const next: JwtSession | null = (await this.#reader.searchToEnd(cookies)).found
      found = next?.handle && !ended.has(next.handle) ? next : null
    }
    return this.#clear(own)
  }

  async destroyOthers(cookies: RequestCookies, endPending: () => Promise<void>): Promise<SetCookies | null> {
    const kept = await this.#destroyOthers(cookies)
    // A JWT session states the version that was current before its check: those that begin now have ended too.
    await endPending()
    return kept
  }

  async reissue(cookies: RequestCookies): Promise<SetCookies | null> {
    const { jwtSessionRegistry, revocations } = this.#deps
    const { found, own } = await this.#reader.readUncached(cookies)
    if (!found?.principal) return null
    const { token, handle, expires, principal } = found
    refuseActor(principal, 'a new token of the session')
    if (!jwtSessionRegistry || !revocations) return noCookies
    // A token without an id is ended by the version of the user alone.
    if (handle === null) return this.#destroyOthers(cookies)
    const record = await jwtSessionRegistry.getRecord(token)
    const next: Token = { ...continuedToken(token, token, this.#hasUsers), ...jwtSessionRegistry.renew(token) }
    const written = await this.#write(next, own)
    await jwtSessionRegistry.rename(token, next, { record, expires: computeExpiry(next, this.#deps) })
    // The session may have been ended by its earlier id meanwhile.
    const isEnded = (await this.#readOwn(principal.userId, cookies))?.found.handle !== handle
    await revocations.revokeSession(handle, expires)
    if (!isEnded) return written
    await dropRecord(toRevocable(next).sessionId ?? '', this.#deps)
    return null
  }

  async #destroyOthers(cookies: RequestCookies): Promise<SetCookies | null> {
    const { jwtSessionRegistry, store, now } = this.#deps
    const userId = (await this.#reader.readUser(cookies))?.userId ?? ''
    if (!jwtSessionRegistry || userId === '') return null
    const tickets = store?.tickets ?? null
    if (!tickets) return this.#destroyOthersUnchecked(userId, cookies, jwtSessionRegistry)
    const version = await jwtSessionRegistry.getVersion(userId)
    const before = await this.#readOwn(userId, cookies)
    if (!before) return null
    // A token without an id is identified by its claims.
    const id = before.found.handle ?? JSON.stringify(before.found.token)
    const record = await jwtSessionRegistry.getRecord(before.found.token)
    const reservation = await reserveVersion({ userId, version, id }, tickets, now())
    // Another session may have ended this one since.
    const current = await this.#readOwn(userId, cookies)
    if (!current || current.found.handle !== before.found.handle) {
      // If another request of this session has raised the version, it still needs the reservation.
      const isUnused = reservation !== null && (await jwtSessionRegistry.getVersion(userId)) === version
      if (isUnused) await releaseVersion(reservation, tickets)
      return null
    }
    if (!reservation) {
      await this.#endAll(userId, jwtSessionRegistry)
      return null
    }
    const { token } = current.found
    const kept = await this.#keep(current, record, jwtSessionRegistry)
    if (!kept) return null
    if ((await isReserved(reservation, tickets, now())) && !(await this.#reader.hasEnded(token))) return kept.cookies
    // All sessions of the user, or this one, were ended in the meantime.
    await dropRecord(kept.id, this.#deps)
    return null
  }

  /** Without tickets, of two sessions that end each other at the same moment, the later one stays. */
  async #destroyOthersUnchecked(
    userId: string,
    cookies: RequestCookies,
    registry: JwtSessionRegistry
  ): Promise<SetCookies | null> {
    const current = await this.#readOwn(userId, cookies)
    if (!current) return null
    const record = await registry.getRecord(current.found.token)
    return (await this.#keep(current, record, registry))?.cookies ?? null
  }

  /**
   * Reads the session of a user from the store: a session that another process has ended must not end the user's other
   * sessions.
   */
  async #readOwn(userId: string, cookies: RequestCookies): Promise<OwnSession | null> {
    const { found, own } = await this.#reader.readUncached(cookies)
    return found?.principal?.userId === userId ? { found, own } : null
  }

  /** Two sessions of a user end each other at the same moment: neither stays, as nothing tells which is the owner's. */
  async #endAll(userId: string, registry: JwtSessionRegistry): Promise<void> {
    const version = await registry.endAll(userId)
    await this.#deps.endOtherSessions?.(userId)
    await registry.forget(userId, version)
  }

  /** Ends all sessions of a user except the one of a token, which continues with a new version. */
  async #keep(
    { found: { token }, own }: OwnSession,
    record: SessionRecord | null,
    registry: JwtSessionRegistry
  ): Promise<{ readonly id: string; readonly cookies: SetCookies } | null> {
    const { store, now, endOtherSessions } = this.#deps
    const { userId } = toRevocable(token)
    const name = await registry.endOthers(userId)
    await endOtherSessions?.(userId)
    // The owner of the email address claimed the user in the meantime: this session ended with the others.
    if (store?.tickets && (await wasJustClaimed(userId, now(), store.tickets))) return null
    // The same applies to a suspension, whose revocation may be the earlier one.
    if (store?.tickets && (await isSuspended(userId, store.tickets))) return null
    const next: Token = { ...continuedToken(token, token, this.#hasUsers), ...name }
    const cookies = await this.#write(next, own)
    await registry.rename(token, next, { record, expires: computeExpiry(next, this.#deps) })
    await registry.forget(userId, name.session_version)
    return { id: name.session_id, cookies }
  }

  /** Refuses a request of a session that ends the others at this moment: the session has signed out. */
  async #dropReservations({ principal }: FoundSession): Promise<void> {
    const { jwtSessionRegistry, store, logger } = this.#deps
    if (!jwtSessionRegistry || !principal || !store?.tickets) return
    try {
      await dropReservations(principal.userId, store.tickets)
    } catch (error) {
      logger.error('SESSION_REVOCATION_ERROR', serializeError(error))
    }
  }

  async #end({ handle, expires }: FoundSession): Promise<void> {
    const { revocations, logger } = this.#deps
    if (!revocations || handle === null) return
    try {
      await revocations.revokeSession(handle, expires)
      await dropRecord(handle, this.#deps)
    } catch (error) {
      // Recording the revocation may fail: the cookie is cleared in any case.
      logger.error('SESSION_REVOCATION_ERROR', serializeError(error))
    }
  }

  #clear(cookies: RequestCookies): SetCookies {
    const fromAuthJs = this.#fromAuthJs()
    return joinCookies(
      clearChunked(this.#deps.cookie, cookies),
      fromAuthJs ? clearChunked(fromAuthJs, cookies) : noCookies
    )
  }

  /** The cookie of Auth.js, if its sessions are accepted. */
  #fromAuthJs(): CookieSetting | null {
    const { authJsCookie, application } = this.#deps
    return authJsCookie && application.acceptsUnbound ? authJsCookie.cookie : null
  }

  /** Clears the cookies. A late answer to a request with an ended token must not clear the one that has replaced it. */
  #none({ own, isEnded }: Pick<JwtSessionSearch, 'own' | 'isEnded'>): SessionResult {
    // Nothing tells which of several cookies with one name would be cleared.
    if (isEnded || hasSeveral(own, this.#deps.cookie.name)) return noSession
    const cleared = this.#clear(own)
    return cleared.size === 0 ? noSession : { ...noSession, cookies: cleared }
  }

  async #reading(
    { token, isAuthJs, principal, expires }: JwtSession,
    cookies: RequestCookies,
    update: { trigger?: 'update'; session?: unknown }
  ): Promise<SessionResult> {
    const { hooks, logger, now, lifetime } = this.#deps
    const before = hooks.jwt ? JSON.stringify(token) : ''
    try {
      const result: unknown = hooks.jwt ? await hooks.jwt({ token: { ...token }, ...update }) : token
      if (result === null) return this.#none({ own: cookies, isEnded: false })
      const { iat } = token
      const changed = parseCallbackToken(result)
      const isChanged = hooks.jwt !== null && JSON.stringify(changed) !== before
      const isOld = typeof iat !== 'number' || needsRenewal(now(), iat * 1000, lifetimeIn(token, lifetime))
      const isAged = isOld && getImpersonation(token) === null
      const isWritten = isChanged || isAged || isAuthJs || update.trigger === 'update'
      // User, time of sign-in and lifetime survive every update.
      const continued = continuedToken(token, changed, this.#hasUsers)
      const renewed = isWritten ? await this.#renew(token, continued, cookies) : null
      const next = renewed?.token ?? (isWritten ? token : continued)
      const session = await this.#session(token, next, renewed ? computeExpiry(next, this.#deps) : expires)
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
  ): Promise<{ readonly token: Token; readonly cookies: SetCookies } | null> {
    const { jwtSessionRegistry, lifetime, logger } = this.#deps
    const next: Token = { ...continued, ...jwtSessionRegistry?.keepName(token) }
    try {
      const written = await this.#write(next, cookies)
      await jwtSessionRegistry?.touch(next, computeExpiry(next, this.#deps), lifetimeIn(next, lifetime).updateAge)
      return { token: next, cookies: written }
    } catch (error) {
      if (!(error instanceof AuthError && error.code === 'SessionTooLarge')) throw error
      logger.error('SESSION_TOO_LARGE_ERROR', serializeError(error))
      return null
    }
  }

  /** The session for the application; in next-auth v4, the user is the one of the token before the `jwt` callback. */
  async #session(token: Token, next: Token, expires: Date): Promise<Session | null> {
    const { hooks, emit, hasAuthJsFormat } = this.#deps
    const { name, email, picture } = hasAuthJsFormat ? next : token
    const { actor } = getImpersonation(token) ?? {}
    const plain: Session = {
      user: { name, email, image: picture },
      expires: expires.toISOString(),
      ...(actor ? { actor } : {})
    }
    const question = { session: plain, token: next, ...getClaims(token, this.#deps) }
    const context = { getAuthentication: async () => getAuthentication(next) }
    const session = hooks.session ? parseCallbackSession(await hooks.session(question, context)) : plain
    if (!session) return null
    await emit('session', { session, token: next })
    return session
  }

  /** Writes a token of this application, even if the `jwt` callback changed the claim. */
  async #write(token: Token, cookies: RequestCookies): Promise<SetCookies> {
    const { codec, cookie, application, budget, chunkSize, tokenMaxAge, lifetime, now } = this.#deps
    const time = now()
    const expires = computeExpiry(token, { lifetime, now: () => time })
    const left = Math.floor((expires.getTime() - time) / 1000)
    const bound: Token = { ...token, session_app: application.id }
    const value = await codec.encode(bound, Math.min(tokenMaxAge, left))
    this.#checkLength(value.length, token)
    const until = getSessionAge(token) === 0 ? null : expires
    const chunks = writeChunked(cookie, value, { expires: until, size: chunkSize, cookies })
    const written = joinCookies(chunks, dropPending(cookies, chunks, budget))
    const fromAuthJs = this.#fromAuthJs()
    return fromAuthJs ? joinCookies(clearChunked(fromAuthJs, cookies), written) : written
  }

  /** @throws AuthError `SessionTooLarge` if no browser could send the session back */
  #checkLength(length: number, token: Token): void {
    const max = getMaxSessionLength(this.#deps.budget)
    if (length <= max / 2) return
    const { name, size } = findLargestClaim(token)
    const message = `the session takes ${length} of ${max} characters; its largest claim is ${name} (${size} characters as JSON)`
    if (length > max) throw new AuthError('SessionTooLarge', message)
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#deps.logger.warn('SESSION_LARGE', { message })
  }
}

function findLargestClaim(token: Token): { readonly name: string; readonly size: number } {
  const sizes = Object.entries(token).map(([name, value]) => ({ name, size: JSON.stringify(value)?.length ?? 0 }))
  return sizes.reduce((largest, claim) => (claim.size > largest.size ? claim : largest), { name: '', size: 0 })
}
