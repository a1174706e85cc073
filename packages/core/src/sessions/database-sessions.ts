import type { Store } from '../adapter/store.ts'
import { clearChunked, hasSeveral, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { Emit } from '../hooks/events.ts'
import { type Hooks, parseCallbackSession } from '../hooks/hooks.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { lazy } from '../model/lazy.ts'
import type { Logger } from '../model/logger.ts'
import type { Session } from '../model/session.ts'
import { withoutHiddenClaims } from '../model/session-claims.ts'
import { addTag } from '../tokens/application-tag.ts'
import type { DatabaseSession, DatabaseSessionReader, DatabaseSessionReaderDeps } from './database-session-reader.ts'
import { refuseActor, withImpersonation } from './impersonation.ts'
import { createSessionRecord, recordAs, storedSessionId, touchRecord } from './session-metadata.ts'
import { exceedsIdle, needsRenewal, nextExpiry, resolveLifetime } from './session-renewal.ts'
import {
  clearProof,
  parseTokenTime,
  prove,
  rememberedIn,
  rememberedToken,
  timedToken,
  toStored,
  withAuthTime,
  withoutStart,
  withStart
} from './session-token-storage.ts'
import {
  type CreatedSession,
  type FoundSession,
  type NewSession,
  noSession,
  type SessionResult,
  type SessionStrategy
} from './strategy.ts'

/** The dependencies of database sessions. */
export interface DatabaseSessionDeps extends DatabaseSessionReaderDeps {
  readonly chunkSize: number
  readonly generateToken: () => string | PromiseLike<string>
  /** Ends the JWT sessions of a user; `null` if that is not possible. */
  readonly endOtherSessions: ((userId: string) => Promise<unknown>) | null
  readonly hooks: Pick<Hooks, 'session'>
  /** Whether the `session` callback receives the session of Auth.js v5. */
  readonly hasAuthJsFormat: boolean
  /** Whether the `session` callback receives claims of features. */
  readonly hasVisibleClaims: boolean
  /** The ids of the features whose claims it does not receive. */
  readonly hiddenClaims: ReadonlySet<string>
  readonly emit: Emit
  readonly logger: Logger
}

/** The cookie contains a key to a session in the store. */
export class DatabaseSessions implements SessionStrategy {
  readonly #reader: DatabaseSessionReader
  readonly #deps: DatabaseSessionDeps

  constructor(finder: DatabaseSessionReader, deps: DatabaseSessionDeps) {
    this.#reader = finder
    this.#deps = deps
  }

  /** Stores a session and creates its cookie; deletes the previous session of the browser. */
  async create(admission: NewSession, before: FoundSession | null, cookies: RequestCookies): Promise<CreatedSession> {
    const { user, remembered, continues, authentication, impersonation } = admission
    const store = admission.store ?? this.#deps.store
    const { keys, storage, generateToken, lifetime, now } = this.#deps
    const generated = withStart(await this.#ours(await generateToken()), continues?.startedAt ?? null)
    const signIn = rememberedToken(withAuthTime(generated, authentication.authTime), remembered, now())
    const token = impersonation ? withImpersonation(withTime(signIn, now()), impersonation) : signIn
    const renewable = nextExpiry(now(), parseTokenTime(token), resolveLifetime(lifetime, remembered))
    const latest = (impersonation?.until ?? Number.POSITIVE_INFINITY) * 1000
    const expires = new Date(Math.min(renewable.getTime(), latest))
    const session = { sessionToken: await toStored(token, keys, storage), userId: user.id, expires }
    const id = store.putSessionRecord && (await storedSessionId(session.sessionToken))
    await store.createSession(
      session,
      ...(id === null ? [] : [createSessionRecord({ id, ...session }, admission, now())])
    )
    try {
      await continues?.confirm()
    } catch (error) {
      await endFound(session.sessionToken, store, false)
      throw error
    }
    if (before?.handle) await endFound(before.handle, store, continues !== null)
    return { cookies: await this.#cookie(token, expires, cookies), handle: session.sessionToken }
  }

  async discard({ handle }: CreatedSession): Promise<void> {
    if (handle !== null) await endFound(handle, this.#deps.store, false)
  }

  /** Reads the row, calls the `session` callback, and extends the expiry if the session is due for renewal. */
  async read(cookies: RequestCookies): Promise<SessionResult> {
    return this.#reading(cookies, {})
  }

  async update(cookies: RequestCookies, data: unknown): Promise<SessionResult> {
    return this.#reading(cookies, { trigger: 'update', newSession: data })
  }

  async destroy(cookies: RequestCookies): Promise<SetCookies> {
    const { store, emit, cookie } = this.#deps
    const ended = new Set<string>()
    const { own, ...first } = await this.#reader.search(cookies)
    let { found } = first
    while (found && !ended.has(found.session.sessionToken)) {
      const { session, isImpersonation } = found
      ended.add(session.sessionToken)
      const deleted = await store.deleteSession(session.sessionToken)
      // The user of an impersonation has not signed out.
      if (!isImpersonation) await emit('signOut', { session: deleted ?? session })
      // Otherwise the next of several cookies with one name would count.
      found = hasSeveral(cookies, cookie.name) ? await this.#reader.read(cookies) : null
    }
    return this.#clear(own)
  }

  async destroyOthers(cookies: RequestCookies, endPending: () => Promise<void>): Promise<SetCookies | null> {
    const { store } = this.#deps
    const { found, own } = await this.#reader.search(cookies)
    // Before the others end: of two requests with one token, the later one must not end the session of the earlier one.
    const kept = found?.principal ? await this.#reissue(found, own) : null
    if (!found || !kept) return null
    const endOthers = async (): Promise<void> => {
      await store.deleteSessions?.(found.user.id, kept.sessionToken)
      await this.#deps.endOtherSessions?.(found.user.id)
    }
    try {
      await endOthers()
      await endPending()
      // A sign-in that was not complete may have created its session since.
      await endOthers()
      return (await store.getSessionAndUser(kept.sessionToken)) ? kept.cookies : null
    } catch (error) {
      // The token before has ended: the user can try again with the new one.
      throw error instanceof AuthError ? error.withCookies(kept.cookies) : error
    }
  }

  async reissue(cookies: RequestCookies): Promise<SetCookies | null> {
    const { found, own } = await this.#reader.search(cookies)
    if (!found?.principal) return null
    refuseActor(found.principal, 'a new token of the session')
    return (await this.#reissue(found, own))?.cookies ?? null
  }

  /**
   * Writes the session with a new token, and deletes the row before. The request that deletes it has the session: if another one
   * has, or the session was ended, the new row goes.
   */
  async #reissue(
    found: DatabaseSession,
    cookies: RequestCookies
  ): Promise<{ readonly sessionToken: string; readonly cookies: SetCookies } | null> {
    const { store, keys, storage, generateToken, now } = this.#deps
    const { session: before, startedAt, remembered, principal } = found
    const generated = await this.#ours(await generateToken())
    const started = startedAt === null ? withoutStart(generated) : withStart(generated, startedAt)
    const authTime = principal?.authenticatedAt ? Math.floor(principal.authenticatedAt.getTime() / 1000) : null
    const token = rememberedToken(withAuthTime(started, authTime), remembered, now())
    const session = { ...before, sessionToken: await toStored(token, keys, storage) }
    const [record] = (await store.getSessionRecords?.({ id: await storedSessionId(before.sessionToken) })) ?? []
    const { sessionToken } = session
    await store.createSession(
      session,
      ...(record ? [{ ...record, id: await storedSessionId(sessionToken), sessionToken }] : [])
    )
    const isEnded = await store.deleteSession(before.sessionToken).then(
      (deleted) => deleted === null,
      async (error: unknown) => {
        // Some adapters throw if the session has already ended.
        if ((await store.getSessionAndUser(before.sessionToken).catch(() => undefined)) === null) return true
        await store.deleteSession(sessionToken).catch(() => undefined)
        throw error
      }
    )
    if (!isEnded) return { sessionToken, cookies: await this.#cookie(token, session.expires, cookies) }
    await store.deleteSession(sessionToken)
    return null
  }

  async #reading(
    cookies: RequestCookies,
    update: { trigger?: 'update'; newSession?: unknown }
  ): Promise<SessionResult> {
    const { store, logger } = this.#deps
    const { found, own } = await this.#reader.search(cookies)
    if (!found?.principal) {
      // A late answer to a request with an ended token must not clear the cookie with the token that has replaced it.
      if (!found && this.#reader.hasOwnToken(own)) return noSession
      if (found) await store.deleteSession(found.session.sessionToken)
      // Nothing tells which of several cookies with one name would be cleared.
      if (hasSeveral(own, this.#deps.cookie.name)) return noSession
      const cleared = this.#clear(own)
      return cleared.size === 0 ? noSession : { ...noSession, cookies: cleared }
    }
    const current = await this.#rehashed(found)
    if (!current) return noSession
    const renewed = current.isImpersonation ? noCookies : await this.#renew(current, own)
    try {
      const getAuthentication = lazy(() => this.#reader.getAuthentication(current))
      const session = await this.#session(current, update, getAuthentication)
      if (!session) return { ...noSession, cookies: renewed }
      return { session, principal: found.principal, token: null, cookies: renewed, getAuthentication }
    } catch (error) {
      logger.error('SESSION_ERROR', error)
      return noSession
    }
  }

  /** Replaces a plain row from before hashing was enabled with a hashed one on first use. */
  async #rehashed(found: DatabaseSession): Promise<DatabaseSession | null> {
    const { store, keys, storage } = this.#deps
    const { token, session } = found
    if (storage !== 'both' || session.sessionToken !== token) return found
    const hashed = { ...session, sessionToken: await toStored(token, keys, storage) }
    const record = await recordAs(hashed.sessionToken, token, this.#deps)
    try {
      await store.createSession(hashed, ...(record ? [record] : []))
    } catch (error) {
      // A concurrent request may have created the row already.
      if (!(await store.getSessionAndUser(hashed.sessionToken))) throw error
      return { ...found, session: hashed }
    }
    if ((await store.deleteSession(token)) !== null) return { ...found, session: hashed }
    // The session was ended in the meantime: the hashed row must not outlive it.
    await store.deleteSession(hashed.sessionToken)
    return null
  }

  /** Extends the expiry if the session is due for renewal. */
  async #renew(
    { token, isAuthJs, startedAt, lifetime, session }: DatabaseSession,
    cookies: RequestCookies
  ): Promise<SetCookies> {
    const { store, now } = this.#deps
    const writtenAt = session.expires.getTime() - lifetime.maxAge * 1000
    const expires = nextExpiry(now(), startedAt, lifetime)
    const isLate = needsRenewal(now(), writtenAt, lifetime) && expires > session.expires
    if (!isLate && !exceedsIdle(session.expires, expires, lifetime))
      return isAuthJs ? this.#cookie(token, session.expires, cookies) : noCookies
    await store.updateSession({ sessionToken: session.sessionToken, expires })
    await touchRecord({ ...session, expires }, this.#deps)
    return this.#cookie(token, expires, cookies)
  }

  /** The session for the application; `expires` is the stored expiry before the renewal, as in next-auth v4. */
  async #session(
    found: DatabaseSession,
    update: { trigger?: 'update'; newSession?: unknown },
    getAuthentication: SessionResult['getAuthentication']
  ): Promise<Session | null> {
    const { hooks, emit, hasVisibleClaims, hiddenClaims, hasAuthJsFormat } = this.#deps
    const { session, user } = found
    const stated = hasVisibleClaims && hooks.session ? await this.#reader.getClaims(found) : null
    const claims = withoutHiddenClaims(stated, hiddenClaims)
    const { name, email, image } = user
    const actor = found.principal?.actor
    const expires = session.expires.toISOString()
    const plain: Session = { user: { name, email, image }, expires, ...(actor ? { actor } : {}) }
    const given = hasAuthJsFormat ? toAuthJsSession(plain, found) : plain
    const seen = hooks.session
      ? parseCallbackSession(
          await hooks.session({ session: given, user, ...update, ...(claims ? { claims } : {}) }, { getAuthentication })
        )
      : plain
    if (!seen) return null
    await emit('session', { session: seen })
    return seen
  }

  /**
   * Adds the application's tag. A token that must be distinguishable from another library's also contains its creation
   * time.
   */
  async #ours(generated: string): Promise<string> {
    const { proof, now, tags } = this.#deps
    const token = addTag(generated, await tags)
    return proof && parseTokenTime(token) === null ? timedToken(token, now()) : token
  }

  async #cookie(token: string, expires: Date, cookies: RequestCookies): Promise<SetCookies> {
    const { cookie, chunkSize, proof, now } = this.#deps
    const until = rememberedIn(token) === 0 ? null : expires
    const written = writeChunked(cookie, token, { expires: until, size: chunkSize, cookies })
    return joinCookies(this.#clear(cookies), written, await prove(token, until && now(), proof))
  }

  #clear(cookies: RequestCookies): SetCookies {
    const { cookie, authJsCookie, proof, application } = this.#deps
    const fromAuthJs = authJsCookie && application.acceptsUnbound ? clearChunked(authJsCookie, cookies) : noCookies
    return joinCookies(clearChunked(cookie, cookies), fromAuthJs, clearProof(cookies, proof))
  }
}

/** The session that the `session` callback of Auth.js v5 receives; copies of it lack the token. */
function toAuthJsSession(plain: Session, { session, user }: DatabaseSession): Session {
  const { sessionToken, ...row } = session
  return Object.defineProperty(Object.assign({ ...plain }, row, { user }), 'sessionToken', { value: sessionToken })
}

/** The token with its creation time, which tokens of the application's own function may lack. */
function withTime(token: string, now: number): string {
  return parseTokenTime(token) === null ? timedToken(token, now) : token
}

/** Deletes a session that was read before. Some adapters throw if it is already gone, which is not an error here. */
async function endFound(sessionToken: string, store: Store, isRequired: boolean): Promise<void> {
  await store.deleteSession(sessionToken, isRequired).catch(async (error: unknown) => {
    if (await store.getSessionAndUser(sessionToken)) throw error
  })
}
