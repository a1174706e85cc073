import type { AdapterSession, AdapterUser } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { readChunked, withoutValues } from '../cookies/chunks.ts'
import type { Actor, Authentication } from '../model/authentication.ts'
import { isPromise } from '../model/awaitable.ts'
import type { RequestCookies } from '../model/cookie.ts'
import type { SessionClaims } from '../model/session-claims.ts'
import { type ApplicationTags, getTag } from '../tokens/application-tag.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { Impersonation } from './impersonation.ts'
import { getRecordAuthentication, getRecordClaims, storedSessionId } from './session-metadata.ts'
import { isExpired, type Lifetime, resolveLifetime } from './session-renewal.ts'
import {
  isProven,
  parseSessionToken,
  type SessionProof,
  type SessionStorage,
  type SessionToken,
  storedForms
} from './session-token.ts'
import type { ActorSession, FoundSession, Principal, SessionKey, SessionReader, SessionSettings } from './strategy.ts'

/** Milliseconds that clocks of servers may differ. */
const clockDifference = 10_000

/** The settings of database sessions. */
export interface DatabaseSessionSettings extends SessionSettings {
  readonly storage: SessionStorage
  readonly keys: KeyRing
  /** The prefix of the application's session tokens. */
  readonly tags: ApplicationTags
  /** The proof that a token requires if the store holds plain tokens; `null` otherwise. */
  readonly proof: SessionProof | null
  /** The proof that a plain token in the store requires if the store also holds hashed ones; `null` otherwise. */
  readonly plainProof: SessionProof | null
  /** The function of the application; `null` for random tokens. */
  readonly generateToken: (() => Promise<string>) | null
  readonly randomBytes: (size: number) => Uint8Array
  /** Whether a feature states claims, which the `session` callback receives. */
  readonly hasClaims: boolean
}

interface Row {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/** A row that was found, and the value of its cookie. */
export interface DatabaseSession extends Row, FoundSession {
  readonly token: string
  readonly parsed: SessionToken
  readonly isAuthJs: boolean
  /** When the session was created, or `null` if unknown. */
  readonly startedAt: Date | null
  /** The lifetime of the session since its last renewal. */
  readonly lifetime: Lifetime
  /** Whether another user impersonates the user. */
  readonly isImpersonation: boolean
}

/** Who impersonates the user of a session, and until when. */
interface FoundActor {
  /** `null` if the session of the actor has ended. */
  readonly actor: Actor | null
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The session of a request, and the cookies that may be cleared. */
export interface DatabaseSessionSearch {
  readonly found: DatabaseSession | null
  /** The cookies without session cookies that another application may have set, and without their proof. */
  readonly own: RequestCookies
}

/** Reads sessions from the store. */
export class DatabaseSessionReader implements SessionReader {
  readonly store: Store
  readonly #settings: DatabaseSessionSettings

  constructor(store: Store, settings: DatabaseSessionSettings) {
    this.store = store
    this.#settings = settings
  }

  /** Reads the row without side effects. @throws AuthError `StoreUnavailable` */
  async read(cookies: RequestCookies): Promise<DatabaseSession | null> {
    return (await this.search(cookies)).found
  }

  /**
   * Reads the row of the first session cookie whose session is live, else of the first whose session has expired. Cookies that another application may have set cost no query.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async search(cookies: RequestCookies): Promise<DatabaseSessionSearch> {
    const { cookie, authJsCookie, application, tags, proof } = this.#settings
    const values = readChunked(cookies, cookie.name)
    const foreign = authJsCookie ? readChunked(cookies, authJsCookie.name) : []
    if (values.length === 0 && foreign.length === 0) return { found: null, own: cookies }
    const known = isPromise(tags) ? await tags : tags
    const isOwn = (token: string): boolean => {
      const tag = getTag(token)
      return tag === null ? application.acceptsUnbound : known.includes(tag)
    }
    const own = values.filter(isOwn)
    const found = await this.#first(own, foreign.filter(isOwn), cookies)
    if (own.length === values.length) return { found, own: cookies }
    const others = values.filter((value) => !own.includes(value))
    const ownCookies = new Map(withoutValues(cookies, cookie.name, others))
    if (proof) ownCookies.delete(proof.cookie.name)
    return { found, own: ownCookies }
  }

  /** Whether the cookies contain a token that this application has issued, whether or not its session has ended. */
  hasOwnToken(cookies: RequestCookies): boolean {
    return readChunked(cookies, this.#settings.cookie.name).some((token) => getTag(token) !== null)
  }

  /** @returns The first live session, else the first that has expired. */
  async #first(
    own: readonly string[],
    fromAuthJs: readonly string[],
    cookies: RequestCookies
  ): Promise<DatabaseSession | null> {
    const { store } = this
    const { proof, plainProof, keys, storage } = this.#settings
    let ended: DatabaseSession | null = null
    for (const token of [...own, ...fromAuthJs]) {
      if (proof && !(await isProven(token, cookies, proof))) continue
      const forms = storedForms(token, keys, storage)
      for (const sessionToken of isPromise(forms) ? await forms : forms) {
        const isPlain = sessionToken === token
        if (isPlain && plainProof && !(await isProven(token, cookies, plainProof))) continue
        const row = await store.getSessionAndUser(sessionToken)
        // A store that compares less strictly must not decide whose session this is.
        const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id
        if (!row || !isExact) continue
        const parsed = parseSessionToken(token)
        const actor = parsed.impersonation && (await this.#findActor(parsed.impersonation))
        const found = this.#found({ token, parsed, isAuthJs: !own.includes(token) }, row, actor)
        if (found.principal) return found
        ended ??= found
      }
    }
    return ended
  }

  async readUser(cookies: RequestCookies): Promise<Principal | null> {
    return (await this.read(cookies))?.principal ?? null
  }

  async readUserUncached(cookies: RequestCookies): Promise<Principal | null> {
    return this.readUser(cookies)
  }

  async readImpersonation(cookies: RequestCookies): Promise<Pick<Impersonation, 'actor' | 'sessionId'> | null> {
    const { cookie, authJsCookie } = this.#settings
    // The client chooses the cookie that it sends the token in.
    const values = [
      ...readChunked(cookies, cookie.name),
      ...(authJsCookie ? readChunked(cookies, authJsCookie.name) : [])
    ]
    if (!values.some((token) => parseSessionToken(token).impersonation !== null)) return null
    const found = await this.read(cookies)
    const sessionId = found?.parsed.impersonation?.sessionId
    const actor = found?.principal?.actor
    return actor && sessionId !== undefined ? { actor, sessionId } : null
  }

  async readActorSession(cookies: RequestCookies): Promise<ActorSession | null> {
    const found = await this.read(cookies)
    if (!found?.principal) return null
    const { principal, session, expires } = found
    return { principal, id: await storedSessionId(session.sessionToken), version: 0, expires }
  }

  /** Finds the user who impersonates the user of a session, if their own session exists. */
  async #findActor({ sessionId: id, until }: Pick<Impersonation, 'sessionId' | 'until'>): Promise<FoundActor> {
    const { store } = this
    const { now } = this.#settings
    const [record] = (await store.getSessionRecords?.({ id })) ?? []
    const stored = record?.sessionToken ?? null
    // A library that shares the tables may delete a session without its record.
    const row = stored === null ? null : await store.getSessionAndUser(stored)
    const isExact = row?.session.sessionToken === stored && row?.session.userId === row?.user.id
    const actor = row && isExact && row.session.expires.getTime() > now() ? { userId: row.user.id } : null
    return { actor, until: until * 1000 }
  }

  async readKey(cookies: RequestCookies): Promise<SessionKey | null> {
    const found = await this.read(cookies)
    if (!found?.principal) return null
    return { id: await storedSessionId(found.session.sessionToken), userId: found.user.id, expires: found.expires }
  }

  async readAuthentication(cookies: RequestCookies): Promise<Authentication | null> {
    const found = await this.read(cookies)
    return found && this.getAuthentication(found)
  }

  async readClaims(cookies: RequestCookies): Promise<SessionClaims | null> {
    const found = await this.read(cookies)
    return found?.principal ? this.getClaims(found) : null
  }

  /** Reads how the user of a session that was found was authenticated. @throws AuthError `StoreUnavailable` */
  async getAuthentication({ session: { sessionToken }, principal }: DatabaseSession): Promise<Authentication | null> {
    if (!principal) return null
    const { userId, actor, authenticatedAt: authTime } = principal
    const { id, record } = await this.#record(sessionToken)
    // The time in the token is also known for sessions without a record.
    return record
      ? { ...getRecordAuthentication(record), actor, authTime }
      : { userId, actor, sessionId: id, amr: [], authTime, provider: null }
  }

  /** Reads the claims of a session that was found. @throws AuthError `StoreUnavailable` */
  async getClaims({ session: { sessionToken } }: DatabaseSession): Promise<SessionClaims | null> {
    const { record } = await this.#record(sessionToken)
    return record && getRecordClaims(record)
  }

  async #record(sessionToken: string): Promise<{ readonly id: string; readonly record: SessionRecord | null }> {
    const id = await storedSessionId(sessionToken)
    const [record = null] = (await this.store.getSessionRecords?.({ id })) ?? []
    return { id, record }
  }

  /** A time in the future is unknown: the clock was set back. */
  #orUnknown(time: Date | null): Date | null {
    return time && time.getTime() <= this.#settings.now() + clockDifference ? time : null
  }

  #found(
    value: Pick<DatabaseSession, 'token' | 'parsed' | 'isAuthJs'>,
    { session, user }: Row,
    found: FoundActor | null
  ): DatabaseSession {
    const { startedAt, remembered, authTime } = value.parsed
    const lifetime = resolveLifetime(this.#settings.lifetime, remembered)
    const { sessionToken: handle, expires } = session
    const now = this.#settings.now()
    const isEnded = found !== null && (found.actor === null || found.until <= now)
    const isPast = isEnded || isExpired(now, expires, startedAt, lifetime)
    const principal = isPast
      ? null
      : {
          userId: user.id,
          actor: found?.actor ?? null,
          name: user.name ?? null,
          email: user.email ?? null,
          signedInAt: this.#orUnknown(startedAt),
          authenticatedAt: this.#orUnknown(authTime),
          storedUser: user
        }
    const isImpersonation = found !== null
    return { ...value, startedAt, lifetime, session, user, isImpersonation, principal, remembered, handle, expires }
  }
}
