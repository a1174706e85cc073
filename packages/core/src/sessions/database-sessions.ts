import type { Store } from '../adapter/store.ts'
import { clearChunked, writeChunked } from '../cookies/chunks.ts'
import { joinCookies, noCookies } from '../cookies/set-cookies.ts'
import type { Tell } from '../hooks/events.ts'
import { type Hooks, sessionOf } from '../hooks/hooks.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Logger } from '../model/logger.ts'
import type { Session } from '../model/session.ts'
import { isDue, lifetimeOf, nextExpiry } from './expiry.ts'
import { recordAs, recordOf, storedSessionId, touchRecord } from './session-metadata.ts'
import type { StoredFinderRules, StoredSession, StoredSessionFinder } from './stored-session-finder.ts'
import { clearProof, prove, rememberedIn, rememberedToken, timedToken, timeOf, toStored } from './session-token-storage.ts'
import type { Admission, FoundSession, Reading, SessionStrategy } from './strategy.ts'

/** What database sessions are made with. */
export interface DatabaseSessionRules extends StoredFinderRules {
  readonly chunkSize: number
  readonly generateToken: () => string | Promise<string>
  readonly hooks: Pick<Hooks, 'session'>
  readonly tell: Tell
  readonly logger: Logger
}

const nothing: Reading = { session: null, signedIn: null, cookies: noCookies }

/** The cookie is a key to the store. */
export class DatabaseSessions implements SessionStrategy {
  readonly #finder: StoredSessionFinder
  readonly #rules: DatabaseSessionRules

  constructor(finder: StoredSessionFinder, rules: DatabaseSessionRules) {
    this.#finder = finder
    this.#rules = rules
  }

  /** Stores a session and makes its cookie; the session that the browser had before is deleted. */
  async open(admission: Admission, before: FoundSession | null, cookies: RequestCookies): Promise<SetCookies> {
    const { user, remembered } = admission
    const store = admission.store ?? this.#rules.store
    const { keys, storage, generateToken, lifetime, now } = this.#rules
    const token = rememberedToken(this.#ours(await generateToken()), remembered, now())
    const expires = nextExpiry(now(), timeOf(token), lifetimeOf(lifetime, remembered))
    const session = { sessionToken: await toStored(token, keys, storage), userId: user.id, expires }
    const id = store.putSessionRecord && (await storedSessionId(session.sessionToken))
    await store.createSession(session, ...(id === null ? [] : [recordOf({ id, ...session }, admission, now())]))
    if (before?.handle) await endFound(before.handle, store)
    return this.#cookie(token, expires, cookies)
  }

  /** Has the row found, asks the `session` callback, and writes a later end where the session is old enough. */
  async read(cookies: RequestCookies): Promise<Reading> {
    return this.#reading(cookies, {})
  }

  async update(cookies: RequestCookies, data: unknown): Promise<Reading> {
    return this.#reading(cookies, { trigger: 'update', newSession: data })
  }

  async close(cookies: RequestCookies): Promise<SetCookies> {
    const { store, tell } = this.#rules
    const found = await this.#finder.find(cookies)
    if (found) {
      const deleted = await store.deleteSession(found.session.sessionToken)
      await tell('signOut', { session: deleted ?? found.session })
    }
    return this.#clear(cookies)
  }

  async closeOthers(cookies: RequestCookies): Promise<SetCookies | null> {
    const found = await this.#finder.find(cookies)
    if (!found?.signedIn) return null
    await this.#rules.store.deleteSessions?.(found.user.id, found.session.sessionToken)
    return noCookies
  }

  async #reading(cookies: RequestCookies, update: { trigger?: 'update'; newSession?: unknown }): Promise<Reading> {
    const { store, logger } = this.#rules
    const found = await this.#finder.find(cookies)
    if (!found?.signedIn) {
      if (found) await store.deleteSession(found.session.sessionToken)
      const cleared = this.#clear(cookies)
      return cleared.size === 0 ? nothing : { ...nothing, cookies: cleared }
    }
    const renewed = await this.#renew(await this.#rehashed(found), cookies)
    try {
      const session = await this.#session(found, update)
      return { session, signedIn: session && found.signedIn, cookies: renewed }
    } catch (error) {
      logger.error('SESSION_ERROR', error)
      return nothing
    }
  }

  /** A row that still stands plain, from before the change-over, is kept hashed from its first use on. */
  async #rehashed(found: StoredSession): Promise<StoredSession> {
    const { store, keys, storage } = this.#rules
    const { token, session } = found
    if (storage !== 'both' || session.sessionToken !== token) return found
    const hashed = { ...session, sessionToken: await toStored(token, keys, storage) }
    const record = await recordAs(hashed.sessionToken, token, this.#rules)
    await store.createSession(hashed, ...(record ? [record] : [])).catch(async (error: unknown) => {
      // Another request of the same moment may have been faster: then it is there.
      if (!(await store.getSessionAndUser(hashed.sessionToken))) throw error
    })
    await store.deleteSession(token)
    return { ...found, session: hashed }
  }

  /** Writes the new end of a session that is old enough, and nothing otherwise. */
  async #renew(
    { token, isForeign, since, lifetime, session }: StoredSession,
    cookies: RequestCookies
  ): Promise<SetCookies> {
    const { store, now } = this.#rules
    const writtenAt = session.expires.getTime() - lifetime.maxAge * 1000
    const expires = nextExpiry(now(), since, lifetime)
    const isLate = isDue(now(), writtenAt, lifetime) && expires > session.expires
    if (!isLate) return isForeign ? this.#cookie(token, session.expires, cookies) : noCookies
    await store.updateSession({ sessionToken: session.sessionToken, expires })
    await touchRecord({ ...session, expires }, this.#rules)
    return this.#cookie(token, expires, cookies)
  }

  /** What the application sees; `expires` is the stored end before it was renewed, as in next-auth v4. */
  async #session(
    { session, user }: StoredSession,
    update: { trigger?: 'update'; newSession?: unknown }
  ): Promise<Session | null> {
    const { hooks, tell } = this.#rules
    const { name, email, image } = user
    const plain: Session = { user: { name, email, image }, expires: session.expires.toISOString() }
    const seen = hooks.session ? sessionOf(await hooks.session({ session: plain, user, ...update })) : plain
    if (!seen) return null
    await tell('session', { session: seen })
    return seen
  }

  /** A token that has to be told from those of another library says when it was made. */
  #ours(token: string): string {
    const { proof, now } = this.#rules
    return proof && timeOf(token) === null ? timedToken(token, now()) : token
  }

  async #cookie(token: string, expires: Date, cookies: RequestCookies): Promise<SetCookies> {
    const { cookie, chunkSize, proof, now } = this.#rules
    const until = rememberedIn(token) === 0 ? null : expires
    const written = writeChunked(cookie, token, { expires: until, size: chunkSize, cookies })
    return joinCookies(this.#clear(cookies), written, await prove(token, until && now(), proof))
  }

  #clear(cookies: RequestCookies): SetCookies {
    const { cookie, foreign, proof } = this.#rules
    const others = foreign ? clearChunked(foreign, cookies) : noCookies
    return joinCookies(clearChunked(cookie, cookies), others, clearProof(cookies, proof))
  }
}

/** Deletes a session that was found before; that it is gone by now is an error to some adapters, and none to us. */
async function endFound(sessionToken: string, store: Store): Promise<void> {
  await store.deleteSession(sessionToken).catch(async (error: unknown) => {
    if (await store.getSessionAndUser(sessionToken)) throw error
  })
}
