import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import type { Token } from '../model/session.ts'
import { ReplayCache } from '../tokens/replay-cache.ts'
import { getSessionSubject, type RevocationList } from './revocation-list.ts'
import { createSessionRecord, dropRecord } from './session-metadata.ts'
import type { NewSession } from './strategy.ts'
import { getSessionStart, toRevocable } from './token-claims.ts'

/** The maximum number of sessions whose last update is cached. */
const maxSeen = 10_000

/** The claims that identify a JWT session. */
export interface SessionName {
  readonly session_id: string
  readonly session_version: number
}

/**
 * Generates the id of a JWT session. It contains the version of the session, so that its record is valid exactly as long as the
 * token.
 *
 * @returns The claims of a new session, or of one that continues under a new id.
 */
export function createSessionName(session_version: number): SessionName {
  return { session_id: `${session_version.toString(36)}.${crypto.randomUUID()}`, session_version }
}

/** @returns The version in an id; 0 for a session from before ids existed. */
export function versionIn(id: string): number {
  const [, version] = /^([0-9a-z]{1,11})\./.exec(id) ?? []
  return version === undefined ? 0 : Number.parseInt(version, 36)
}

/** Assigns ids to JWT sessions, and keeps a record of each. */
export class JwtSessionRegistry {
  readonly revocations: RevocationList
  readonly #store: Store | null
  readonly #requiresRecords: boolean
  readonly #logger: Logger
  readonly #now: () => number
  readonly #seen: ReplayCache

  /**
   * @param store - The store of session records, or `null`.
   * @param requiresRecords - Whether a session without a record is refused, because the sessions of a user are counted.
   */
  constructor(
    revocations: RevocationList,
    store: Store | null,
    requiresRecords: boolean,
    { logger, now }: { readonly logger: Logger; readonly now: () => number }
  ) {
    this.revocations = revocations
    this.#store = store
    this.#requiresRecords = requiresRecords
    this.#logger = logger
    this.#now = now
    this.#seen = new ReplayCache(maxSeen, now)
  }

  /**
   * @returns The claims that identify a continuing session; one from before ids existed keeps the id it is known by.
   */
  keepName(token: Token): Token {
    const { sessionId, version } = toRevocable(token)
    return sessionId === null ? { ...createSessionName(version) } : { session_id: sessionId, session_version: version }
  }

  /**
   * Creates the id and the record of a new session. Outside of a transaction, a failure to store the record only prevents the sign-in
   * if sessions are counted.
   *
   * @returns The claims of the session. @throws AuthError `StoreUnavailable`
   */
  async begin(userId: string, newSession: NewSession, expires: Date): Promise<SessionName> {
    const { userVersion, store } = newSession
    const name = createSessionName(userVersion ?? (await this.revocations.getVersion(userId)))
    const begun = { id: name.session_id, userId, sessionToken: null, expires }
    await this.#put(createSessionRecord(begun, newSession, this.#now()), { store, isRequired: this.#requiresRecords })
    return name
  }

  /**
   * Updates the record of a session in use, at most once per `updateAge`; a failure is ignored.
   *
   * @param updateAge - Seconds between two updates, however often the token is written.
   */
  async touch(token: Token, expires: Date, updateAge: number): Promise<void> {
    const store = this.#store
    const { sessionId: id, userId } = toRevocable(token)
    if (!store?.getSessionRecords || id === null) return
    if (!this.#seen.isNew(id, this.#now() + updateAge * 1000)) return
    try {
      const known = (await store.getSessionRecords({ id })).find((record) => record.userId === userId)
      const record = { ...(known ?? this.#unknown(token, id)), lastSeen: new Date(this.#now()), expires }
      await this.#put(record, { store: null, isRequired: false })
    } catch (error) {
      this.#logger.warn('SESSION_RECORD_ERROR', serializeError(error))
    }
  }

  /** Returns the record of a token's session, if there is one. @throws AuthError `StoreUnavailable` */
  async getRecord(token: Token): Promise<SessionRecord | null> {
    const { sessionId: id } = toRevocable(token)
    const [record] = id === null ? [] : ((await this.#store?.getSessionRecords?.({ id })) ?? [])
    return record ?? null
  }

  /**
   * Gives a session a new id and a new version, and ends its earlier token: in the transaction of the store, if it is one.
   *
   * @param expires - When the earlier token and the session expire.
   */
  async rename(
    before: Token,
    name: SessionName,
    { store, expires }: { readonly store: Store; readonly expires: { readonly before: Date; readonly session: Date } }
  ): Promise<void> {
    const { sessionId: id } = toRevocable(before)
    const known = (await this.getRecord(before)) ?? this.#unknown(before, id ?? '')
    if (id !== null) await this.end({ id, expires: expires.before }, store)
    if (!store.putSessionRecord) return
    const record = { ...known, id: name.session_id, lastSeen: new Date(this.#now()), expires: expires.session }
    await this.#put(record, { store, isRequired: false })
  }

  /** Ends one session: in the transaction of the store, if it is one. @throws AuthError `StoreUnavailable` */
  async end({ id, expires }: Pick<SessionRecord, 'id' | 'expires'>, store: Store | null): Promise<void> {
    const { revocations } = this
    const versions = store?.versions ?? null
    if (versions && revocations.isOneStore) await versions.revoke(getSessionSubject(id), revocations.getEnd(expires))
    else await revocations.revokeSession(id, expires)
    // The record has no effect after that: only in a transaction, a failure is one of the end.
    const deleteSessionRecord = store?.deleteSessionRecord && (versions ?? store).deleteSessionRecord
    await dropRecord(id, { store: { deleteSessionRecord: deleteSessionRecord ?? null }, logger: this.#logger })
  }

  /** This process knows at once that a session has ended. */
  forgetSession({ id, expires }: Pick<SessionRecord, 'id' | 'expires'>): void {
    const { revocations } = this
    revocations.add({ subject: getSessionSubject(id), version: this.#now(), until: revocations.getEnd(expires) })
  }

  /** Deletes the records of a user's sessions that a version has ended. */
  async forget(userId: string, version: number): Promise<void> {
    const store = this.#store
    try {
      for (const { id, sessionToken } of (await store?.getSessionRecords?.({ userId })) ?? [])
        if (sessionToken === null && versionIn(id) < version) await store?.deleteSessionRecord?.(id)
    } catch (error) {
      this.#logger.warn('SESSION_RECORD_ERROR', serializeError(error))
    }
  }

  #unknown(token: Token, id: string): Omit<SessionRecord, 'lastSeen' | 'expires'> {
    const { userId } = toRevocable(token)
    const createdAt = getSessionStart(token) ?? new Date(this.#now())
    return {
      id,
      userId,
      sessionToken: null,
      createdAt,
      provider: null,
      providerSessionId: null,
      userAgent: null,
      address: null,
      data: null
    }
  }

  /** @param isRequired - Whether a failure is thrown. That of a transaction always is. */
  async #put(
    record: SessionRecord,
    { store, isRequired }: { readonly store: Store | null; readonly isRequired: boolean }
  ): Promise<void> {
    const writing = store ?? this.#store
    if (!writing?.putSessionRecord) return
    try {
      await (writing.versions ?? { putSessionRecord: writing.putSessionRecord }).putSessionRecord(record)
    } catch (error) {
      this.#logger.warn('SESSION_RECORD_ERROR', serializeError(error))
      if (isRequired) throw error
    }
  }
}
