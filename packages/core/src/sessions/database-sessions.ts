import { isCommitted, type Store } from '../adapter/store.ts'
import { clearChunked, hasSeveral, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import { parseCallbackSession } from '../hooks/hooks.ts'
import { isPromise, type MaybePromise } from '../model/awaitable.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import { lazy } from '../model/lazy.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { Session } from '../model/session.ts'
import { randomBase64Url } from '../tokens/random.ts'
import type { DatabaseSession, DatabaseSessionReader, DatabaseSessionSettings } from './database-session-reader.ts'
import { createImpersonationError } from './impersonation.ts'
import { createSessionRecord, recordAs, storedSessionId, touchRecord } from './session-metadata.ts'
import { exceedsIdle, needsRenewal, nextExpiry, resolveLifetime } from './session-renewal.ts'
import {
  clearProof,
  formatSessionToken,
  parseSessionToken,
  prove,
  type SessionToken,
  toStored
} from './session-token.ts'
import {
  type ActingSession,
  type FoundSession,
  type NewSession,
  noSession,
  type ReissuedSession,
  type SessionResult,
  type SessionStrategy,
  type StartedSession
} from './strategy.ts'
import type { UserVersions } from './user-versions.ts'

/** The cookie contains a key to a session in the store. */
export class DatabaseSessions implements SessionStrategy {
  readonly #reader: DatabaseSessionReader
  readonly #store: Store
  readonly #userVersions: UserVersions
  readonly #settings: DatabaseSessionSettings

  constructor(reader: DatabaseSessionReader, userVersions: UserVersions, settings: DatabaseSessionSettings) {
    this.#reader = reader
    this.#store = reader.store
    this.#userVersions = userVersions
    this.#settings = settings
  }

  /** Stores a session and creates its cookie; deletes the previous session of the browser. */
  async start(newSession: NewSession, before: FoundSession | null, cookies: RequestCookies): Promise<StartedSession> {
    const { user, remembered, continues, authentication, impersonation } = newSession
    const store = newSession.store ?? this.#store
    const { keys, storage, lifetime, now } = this.#settings
    const { startedAt, ...generated } = await this.#generate(remembered !== null || impersonation !== null)
    const { authTime } = authentication
    const issued = {
      ...generated,
      startedAt: startedAt && (continues?.startedAt ?? startedAt),
      // It may be later than the session began, which a second factor does not change, but not later than now: a provider whose
      // clock is ahead may state that.
      authTime: authTime === null ? null : new Date(Math.min(authTime * 1000, now())),
      impersonation,
      remembered: remembered ?? generated.remembered
    }
    const token = formatSessionToken(issued)
    const renewable = nextExpiry(now(), issued.startedAt, resolveLifetime(lifetime, remembered))
    const latest = (impersonation?.until ?? Number.POSITIVE_INFINITY) * 1000
    const expires = new Date(Math.min(renewable.getTime(), latest))
    const session = { sessionToken: await toStored(token, keys, storage), userId: user.id, expires }
    const id = await storedSessionId(session.sessionToken)
    if (!store.putSessionRecord) await store.createSession(session)
    else await store.createSession(session, createSessionRecord({ id, ...session }, newSession, now()))
    if (before?.handle) await deleteFound(before.handle, store, continues !== null)
    const complete = () => this.#cookie({ token, remembered: issued.remembered }, expires, cookies)
    return { handle: session.sessionToken, id, complete }
  }

  async discard({ handle }: Pick<StartedSession, 'handle'>): Promise<void> {
    if (handle !== null) await deleteFound(handle, this.#store, false)
  }

  /** Reads the row, calls the `session` callback, and extends the expiry if the session is due for renewal. */
  read(cookies: RequestCookies): Promise<SessionResult> {
    return cookies.size === 0 ? Promise.resolve(noSession) : this.#reading(cookies, {})
  }

  update(cookies: RequestCookies, data: unknown): Promise<SessionResult> {
    return this.#reading(cookies, { trigger: 'update', newSession: data })
  }

  async destroy(cookies: RequestCookies, request: RequestInfo | null): Promise<SetCookies> {
    const { emit, cookie } = this.#settings
    const ended = new Set<string>()
    const { own, ...first } = await this.#reader.search(cookies)
    let { found } = first
    while (found && !ended.has(found.session.sessionToken)) {
      const { session, isImpersonation } = found
      ended.add(session.sessionToken)
      await this.#end(found, request)
      // The user of an impersonation has not signed out.
      if (!isImpersonation) await emit('signOut', { session })
      // Otherwise the next of several cookies with one name would count.
      found = hasSeveral(cookies, cookie.name) ? await this.#reader.read(cookies) : null
    }
    return this.#clear(own)
  }

  async act(cookies: RequestCookies): Promise<ActingSession | null> {
    const { found, own } = await this.#reader.search(cookies)
    if (!found?.principal) return null
    if (found.principal.actor) throw createImpersonationError('this change')
    const { session, user } = found
    return {
      userId: user.id,
      sessionToken: session.sessionToken,
      endsWithAll: false,
      // An end of all sessions has deleted the row.
      isAllowed: async () => {
        const row = await this.#store.getSessionAndUser(session.sessionToken)
        return row !== null && row.session.expires.getTime() > this.#settings.now()
      },
      reissue: (store) => this.#reissue(found, own, store)
    }
  }

  /** Deletes the row of the session first: the request that deletes it has the session. */
  async #reissue(found: DatabaseSession, cookies: RequestCookies, store: Store): Promise<ReissuedSession> {
    const { keys, storage, logger } = this.#settings
    const { session: before, startedAt, remembered, principal } = found
    const generated = await this.#generate(false)
    const authTime = principal?.authenticatedAt ?? null
    const token = formatSessionToken({ ...generated, startedAt, authTime, remembered })
    const sessionToken = await toStored(token, keys, storage)
    const record = await recordAs(sessionToken, before.sessionToken, this.#store, logger)
    if ((await deleteFound(before.sessionToken, store, true)) === null)
      throw new AuthError('SessionRequired', 'the session has ended', { userId: before.userId })
    await store.createSession({ ...before, sessionToken }, ...(record ? [record] : []))
    const cookie = await this.#cookie({ token, remembered }, before.expires, cookies)
    return { cookies: cookie, sessionToken, afterCommit: () => undefined }
  }

  async #end({ session }: DatabaseSession, request: RequestInfo | null): Promise<void> {
    const { sessionToken, userId } = session
    const ended = { userId, sessionId: await storedSessionId(sessionToken), request }
    await this.#userVersions.endSession(userId, async (store) => store?.deleteSession(sessionToken), ended)
  }

  async #reading(
    cookies: RequestCookies,
    update: { trigger?: 'update'; newSession?: unknown }
  ): Promise<SessionResult> {
    const store = this.#store
    const { logger } = this.#settings
    const { found, own } = await this.#reader.search(cookies)
    if (!found?.principal) {
      // A late answer to a request with an ended token must not clear the cookie with the token that has replaced it.
      if (!found && this.#reader.hasOwnToken(own)) return noSession
      if (found) await store.deleteSession(found.session.sessionToken)
      // Nothing tells which of several cookies with one name would be cleared.
      if (hasSeveral(own, this.#settings.cookie.name)) return noSession
      const cleared = this.#clear(own)
      return cleared.size === 0 ? noSession : { ...noSession, cookies: cleared }
    }
    const current = this.#isPlain(found) ? await this.#rehashed(found) : found
    if (!current) return noSession
    const renewal = current.isImpersonation ? noCookies : this.#renew(current, own)
    const renewed = isPromise(renewal) ? await renewal : renewal
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

  /** Whether the row is from before hashing was enabled. */
  #isPlain({ token, session }: DatabaseSession): boolean {
    return this.#settings.storage === 'both' && session.sessionToken === token
  }

  /** Replaces a plain row with a hashed one on first use. @returns `null` if it has ended. */
  async #rehashed(found: DatabaseSession): Promise<DatabaseSession | null> {
    const store = this.#store
    const { keys, storage, logger } = this.#settings
    const { token, session } = found
    const hashed = { ...session, sessionToken: await toStored(token, keys, storage) }
    const record = await recordAs(hashed.sessionToken, token, store, logger)
    const args: NewRow = record ? [hashed, record] : [hashed]
    const replace = store.transact ? replaceAtOnce : replaceInSteps
    // A concurrent request may have replaced it.
    if ((await replace(token, args, store)) || (await store.getSessionAndUser(hashed.sessionToken)))
      return { ...found, session: hashed }
    // Another change of the user may have come first: the next use replaces it.
    return (await store.getSessionAndUser(token)) && found
  }

  /** Extends the expiry if the session is due for renewal. */
  #renew(found: DatabaseSession, cookies: RequestCookies): MaybePromise<SetCookies> {
    const { isAuthJs, startedAt, lifetime, session } = found
    const { now } = this.#settings
    const writtenAt = session.expires.getTime() - lifetime.maxAge * 1000
    const expires = nextExpiry(now(), startedAt, lifetime)
    const isLate = needsRenewal(now(), writtenAt, lifetime) && expires > session.expires
    if (!isLate && !exceedsIdle(session.expires, expires, lifetime))
      return isAuthJs ? this.#cookie(found, session.expires, cookies) : noCookies
    return this.#extend(found, expires, cookies)
  }

  async #extend(found: DatabaseSession, expires: Date, cookies: RequestCookies): Promise<SetCookies> {
    const store = this.#store
    const { logger, now } = this.#settings
    const { session } = found
    await store.updateSession({ sessionToken: session.sessionToken, expires })
    await touchRecord({ ...session, expires }, store, logger, now())
    return this.#cookie(found, expires, cookies)
  }

  /** The session for the application; `expires` is the stored expiry before the renewal, as in next-auth v4. */
  async #session(
    found: DatabaseSession,
    update: { trigger?: 'update'; newSession?: unknown },
    getAuthentication: SessionResult['getAuthentication']
  ): Promise<Session | null> {
    const { hooks, emit, hasClaims, hasAuthJsFormat } = this.#settings
    const { session, user } = found
    const claims = hasClaims && hooks.session ? await this.#reader.getClaims(found) : null
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
   * Creates a token with the application's tag.
   *
   * @param needsTime - Whether it contains its creation time, which the application's own function may omit. A token that must be
   *   distinguishable from another library's always does.
   */
  async #generate(needsTime: boolean): Promise<SessionToken> {
    const { generateToken, randomBytes, proof, now, tags } = this.#settings
    const [tag = null] = await tags
    if (!generateToken) {
      const secret = randomBase64Url(randomBytes, 32)
      return { tag, secret, startedAt: new Date(now()), authTime: null, impersonation: null, remembered: null }
    }
    const generated = parseSessionToken(await generateToken())
    const isTimed = needsTime || proof !== null
    return { ...generated, tag, startedAt: generated.startedAt ?? (isTimed ? new Date(now()) : null) }
  }

  async #cookie(
    { token, remembered }: Pick<DatabaseSession, 'token' | 'remembered'>,
    expires: Date,
    cookies: RequestCookies
  ): Promise<SetCookies> {
    const { cookie, chunkSize, proof, now } = this.#settings
    const until = remembered === 0 ? null : expires
    const written = writeChunked(cookie, token, { expires: until, size: chunkSize, cookies })
    return joinCookies(this.#clear(cookies), written, proof ? await prove(token, until && now(), proof) : noCookies)
  }

  #clear(cookies: RequestCookies): SetCookies {
    const { cookie, authJsCookie, proof, application } = this.#settings
    const fromAuthJs = authJsCookie && application.acceptsUnbound ? clearChunked(authJsCookie, cookies) : noCookies
    return joinCookies(clearChunked(cookie, cookies), fromAuthJs, proof ? clearProof(cookies, proof) : noCookies)
  }
}

/** The session that the `session` callback of Auth.js v5 receives; copies of it lack the token. */
function toAuthJsSession(plain: Session, { session, user }: DatabaseSession): Session {
  const { sessionToken, ...row } = session
  return Object.defineProperty(Object.assign({ ...plain }, row, { user }), 'sessionToken', { value: sessionToken })
}

type NewRow = Readonly<Parameters<Store['createSession']>>

/** Replaces the row of a session, which must exist, in one transaction. @returns `false` if nothing was written. */
async function replaceAtOnce(token: string, row: NewRow, { transact, versions }: Store): Promise<boolean> {
  const { userId } = row[0]
  const { version = null } = (await versions?.get(userId)) ?? {}
  const outcome = await transact?.([
    ...(version === null ? [] : [{ method: 'requireUserVersion', args: [userId, version] } as const]),
    { method: 'deleteSession', args: [token], isRequired: true },
    { method: 'createSession', args: row }
  ])
  return outcome !== undefined && isCommitted(outcome)
}

/** The same without transactions. A kill in between leaves both rows. */
async function replaceInSteps(token: string, row: NewRow, store: Store): Promise<boolean> {
  const [{ sessionToken }] = row
  try {
    await store.createSession(...row)
  } catch (error) {
    // A concurrent request may have created the row already.
    if (await store.getSessionAndUser(sessionToken)) return true
    throw error
  }
  if ((await store.deleteSession(token)) !== null) return true
  // The session was ended in the meantime: the hashed row must not outlive it.
  await store.deleteSession(sessionToken)
  return false
}

/**
 * Deletes a session that was read before. Some adapters throw if it is already gone, which is not an error here.
 *
 * @returns `null` if it is gone.
 */
async function deleteFound(sessionToken: string, store: Store, isRequired: boolean): Promise<unknown> {
  return store.deleteSession(sessionToken, isRequired).catch(async (error: unknown) => {
    if (await store.getSessionAndUser(sessionToken)) throw error
    return null
  })
}
