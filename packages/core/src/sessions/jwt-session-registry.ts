import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import type { Token } from '../model/session.ts'
import { ReplayCache } from '../tokens/replay-cache.ts'
import { reserveForEnd } from './kept-session.ts'
import type { RevocationList } from './revocation-list.ts'
import { createSessionRecord, dropRecord } from './session-metadata.ts'
import type { NewSession } from './strategy.ts'
import { getSessionStart, toRevocable } from './token-claims.ts'

/** What the registry of JWT sessions depends on. */
export interface JwtSessionRegistryDeps {
  readonly revocations: RevocationList
  /** The store of session records, or `null`. */
  readonly store: Store | null
  /** Whether the store also holds the revocations. */
  readonly isOneStore: boolean
  /** Whether a session without a record is refused, because the sessions of a user are counted. */
  readonly requiresRecords: boolean
  readonly logger: Logger
  readonly now: () => number
}

/** The maximum number of sessions whose last update is cached. */
const maxSeen = 10_000

/** The claims that identify a JWT session. */
export interface SessionName {
  readonly session_id: string
  readonly session_version: number
}

function nameWith(session_version: number): SessionName {
  return { session_id: jwtSessionId(session_version), session_version }
}

/**
 * Generates the id of a JWT session. It contains the version of the user's revocations when the session began, so that
 * its record is valid exactly as long as the token.
 */
function jwtSessionId(version: number): string {
  return `${version.toString(36)}.${crypto.randomUUID()}`
}

/** @returns The version in an id; 0 for a session from before ids existed. */
export function versionIn(id: string): number {
  const [, version] = /^([0-9a-z]{1,11})\./.exec(id) ?? []
  return version === undefined ? 0 : Number.parseInt(version, 36)
}

/** What the record of a session that gets a new id is made of. */
interface RenamedSession {
  readonly record: SessionRecord | null
  readonly expires: Date
}

/** Assigns ids to JWT sessions, and keeps a record of each. */
export class JwtSessionRegistry {
  readonly #deps: JwtSessionRegistryDeps
  readonly #seen: ReplayCache

  constructor(deps: JwtSessionRegistryDeps) {
    this.#deps = deps
    this.#seen = new ReplayCache(maxSeen, deps.now)
  }

  /**
   * @returns The claims that identify a continuing session; one from before ids existed keeps the id it is known by.
   */
  keepName(token: Token): Token {
    const { sessionId, version } = toRevocable(token)
    return { session_id: sessionId ?? jwtSessionId(version), session_version: version }
  }

  /** @returns The claims that identify a session from now on whose earlier token ends. */
  renew(token: Token): SessionName {
    return nameWith(toRevocable(token).version)
  }

  /**
   * Creates the id and the record of a new session. A failure to store the record only prevents the sign-in if sessions are
   * counted.
   *
   * The record contains the most likely version, and the store returns the actual one: usually one query is enough.
   *
   * @returns The claims of the session. @throws AuthError `StoreUnavailable`
   */
  async begin(userId: string, admission: NewSession, expires: Date): Promise<SessionName> {
    const { revocations, requiresRecords, now } = this.#deps
    const note = ({ session_id: id }: SessionName): Promise<number | null> =>
      this.#put(
        () => createSessionRecord({ id, userId, sessionToken: null, expires }, admission, now()),
        requiresRecords
      )
    const likely = nameWith(revocations.getLastVersion(userId))
    const stored = await note(likely)
    const version = stored ?? (await revocations.getVersion(userId).catch((error) => this.#withdraw(likely, error)))
    if (version === likely.session_version) return likely
    const name = nameWith(version)
    await dropRecord(likely.session_id, this.#deps)
    await note(name)
    return name
  }

  /**
   * Updates the record of a session in use, at most once per `updateAge`; a failure is ignored.
   *
   * @param updateAge - Seconds between two updates, however often the token is written.
   */
  async touch(token: Token, expires: Date, updateAge: number): Promise<void> {
    const { store, now } = this.#deps
    const { sessionId: id, userId } = toRevocable(token)
    if (!store?.getSessionRecords || id === null) return
    if (!this.#seen.isNew(id, now() + updateAge * 1000)) return
    await this.#put(async () => {
      const known = (await store.getSessionRecords?.({ id }))?.find((record) => record.userId === userId)
      return { ...(known ?? this.#unknown(token, id)), lastSeen: new Date(now()), expires }
    })
  }

  /** Returns the record of a token's session, if there is one. @throws AuthError `StoreUnavailable` */
  async getRecord(token: Token): Promise<SessionRecord | null> {
    const { sessionId: id } = toRevocable(token)
    const [record] = id === null ? [] : ((await this.#deps.store?.getSessionRecords?.({ id })) ?? [])
    return record ?? null
  }

  /**
   * Gives the record of the session a new id, because its tokens have a new version. There is a record at any time, by which the
   * session is found to end it.
   *
   * @param record - The record, read before the version was raised: another request of the session may have replaced it since.
   */
  async rename(before: Token, token: Token, { record, expires }: RenamedSession): Promise<void> {
    const { now } = this.#deps
    const [from, to] = [toRevocable(before).sessionId, toRevocable(token).sessionId]
    if (from === null || to === null || from === to) return
    const known = record ?? this.#unknown(before, from)
    await this.#put(() => ({ ...known, id: to, lastSeen: new Date(now()), expires }))
    await dropRecord(from, this.#deps)
  }

  /** The version of the sessions of a user, according to the store. @throws AuthError `StoreUnavailable` */
  getVersion(userId: string): Promise<number> {
    return this.#deps.revocations.getVersion(userId)
  }

  /**
   * Ends all sessions of a user except the one that continues with the returned claims.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async endOthers(userId: string): Promise<SessionName> {
    return nameWith(await this.#deps.revocations.revokeUser(userId))
  }

  /**
   * Ends all sessions of a user, also one that ends the others at this moment.
   *
   * @returns The version of the sessions that begin afterwards. @throws AuthError `StoreUnavailable`
   */
  async endAll(userId: string): Promise<number> {
    const { revocations, store, now } = this.#deps
    const getVersion = (): Promise<number> => this.getVersion(userId)
    if (store?.tickets) await reserveForEnd({ userId, getVersion }, store.tickets, now())
    return revocations.revokeUser(userId)
  }

  /** Deletes the records of a user's sessions that a version has ended. */
  async forget(userId: string, version: number): Promise<void> {
    const { store, logger } = this.#deps
    try {
      for (const { id, sessionToken } of (await store?.getSessionRecords?.({ userId })) ?? [])
        if (sessionToken === null && versionIn(id) < version) await store?.deleteSessionRecord?.(id)
    } catch (error) {
      logger.warn('SESSION_RECORD_ERROR', serializeError(error))
    }
  }

  #unknown(token: Token, id: string): Omit<SessionRecord, 'lastSeen' | 'expires'> {
    const { userId } = toRevocable(token)
    const createdAt = getSessionStart(token) ?? new Date(this.#deps.now())
    const nothing = { provider: null, providerSessionId: null, userAgent: null, address: null, data: null }
    return { id, userId, sessionToken: null, createdAt, ...nothing }
  }

  /** @returns The version of the user's revocations, or `null` if the store does not return it. */
  async #put(make: () => SessionRecord | Promise<SessionRecord>, isRequired: boolean = false): Promise<number | null> {
    const { store, isOneStore, logger } = this.#deps
    if (!store?.putSessionRecord) return null
    try {
      const version = await store.putSessionRecord(await make())
      return isOneStore ? version : null
    } catch (error) {
      logger.warn('SESSION_RECORD_ERROR', serializeError(error))
      if (isRequired) throw error
      return null
    }
  }

  /** Deletes the record of a session that is not created after all. */
  async #withdraw({ session_id }: SessionName, error: unknown): Promise<never> {
    await dropRecord(session_id, this.#deps)
    throw error
  }
}
