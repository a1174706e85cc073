import type { Revocation } from '../adapter/revocation.ts'
import type { Revocations } from '../adapter/store.ts'
import { AuthError } from '../errors/auth-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'

/** The claims of a token that decide whether it was revoked. */
export interface Revocable {
  readonly userId: string
  /** `null` for a token without a known session. */
  readonly sessionId: string | null
  /** The version of the user's revocations when the token was issued. */
  readonly version: number
}

/** The times and the size of the cache. */
export interface RevocationSettings {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Seconds that cached revocations count as fresh. */
  readonly refresh: number
  /** Seconds that cached revocations are used while the store does not respond. */
  readonly stale: number
  /** The maximum number of cached revocations; beyond it, each token is looked up. */
  readonly max: number
  /** The maximum lifetime of a token in seconds. */
  readonly maxAge: number
}

/** Allows for clock differences, and for a token that is issued at this moment and lives longer. */
const margin = 60_000

/** How far each refresh overlaps with the previous one, for revocations that a slower clock recorded. */
const overlap = 60_000
/** The interval of complete reloads, which catch what a refresh could have missed. */
const wholeAgain = 600_000
/** The minimum time before a failed store is queried again. */
const pause = 1000

export const getUserSubject = (id: string): string => `user:${id}`
export const getSessionSubject = (id: string): string => `session:${id}`

/** Revocations by subject, so that they are found by the claims of a token. */
export class RevocationCache {
  readonly #users = new Map<string, Revocation>()
  readonly #sessions = new Map<string, Revocation>()

  constructor(revocations: readonly Revocation[] = []) {
    for (const revocation of revocations) this.add(revocation)
  }

  get size(): number {
    return this.#users.size + this.#sessions.size
  }

  has({ userId, sessionId, version }: Revocable): boolean {
    const user = this.#users.get(userId)
    return (user !== undefined && user.version > version) || (sessionId !== null && this.#sessions.has(sessionId))
  }

  add(revocation: Revocation): void {
    const [, kind, id = ''] = /^(user|session):(.*)$/s.exec(revocation.subject) ?? []
    if (kind === undefined) return
    const all = kind === 'user' ? this.#users : this.#sessions
    if ((all.get(id)?.version ?? 0) <= revocation.version) all.set(id, revocation)
  }

  forget(now: number): void {
    for (const all of [this.#users, this.#sessions])
      for (const [id, { until }] of all) if (until.getTime() <= now) all.delete(id)
  }
}

/**
 * Knows which tokens are revoked without querying the store on each request: it caches revocations, and refreshes the
 * cache on use, at most every few seconds.
 */
export class RevocationList {
  readonly #store: Revocations
  readonly #logger: Logger
  readonly #settings: RevocationSettings
  /** Whether the adapter stores them, so that it revokes the sessions of a user together with the row. */
  readonly isOneStore: boolean
  #cache = new RevocationCache()
  #isCrowded = false
  /** The times of the last complete load, the last load and the next attempt; milliseconds since 1970. */
  #wholeAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null
  #failure: unknown = null

  constructor(store: Revocations, isOneStore: boolean, logger: Logger, settings: RevocationSettings) {
    this.#store = store
    this.isOneStore = isOneStore
    this.#logger = logger
    this.#settings = settings
  }

  /** @throws AuthError `StoreUnavailable` if the cached revocations are too old. */
  isRevoked(token: Revocable): boolean | Promise<boolean> {
    const reading = this.#fresh()
    if (reading) return reading.then(() => this.#decide(token))
    return this.#decide(token)
  }

  /** @returns The version for the tokens of a session that begins now. */
  async getVersion(userId: string): Promise<number> {
    const found = await this.#store.getRevocations([getUserSubject(userId)])
    return found.find(({ subject }) => subject === getUserSubject(userId))?.version ?? 0
  }

  /** @returns The tokens that were not revoked, according to the store. */
  async withoutRevoked<T extends Revocable>(tokens: readonly T[]): Promise<readonly T[]> {
    if (tokens.length === 0) return []
    const subjects = new Set(tokens.flatMap(getSubjects))
    const found = new RevocationCache(await this.#store.getRevocations([...subjects]))
    return tokens.filter((token) => !found.has(token))
  }

  /** Ends one session. @param expires - When its known token expires; other tokens of the session may expire later. */
  async revokeSession(id: string, expires: Date): Promise<void> {
    await this.#revoke(getSessionSubject(id), expires)
  }

  /**
   * Ends all sessions of a user except those that begin with the returned version.
   *
   * @param version - The version to record at least. @defaultValue the next one of the store
   * @throws AuthError `StoreUnavailable` if the store has recorded a lower one, which leaves sessions.
   */
  async revokeUser(id: string, version?: number): Promise<number> {
    const revoked = await this.#revoke(getUserSubject(id), null, version)
    if (version === undefined || revoked >= version) return revoked
    throw new AuthError('StoreUnavailable', `revoke: expected the version ${version} or a later one, got ${revoked}`)
  }

  /** Knows a revocation at once that another call of the store has recorded. */
  add(revocation: Revocation): void {
    if (!this.#isCrowded) this.#cache.add(revocation)
  }

  /** Until when a revocation of tokens must be stored. @param expires - When the last known token expires. */
  getEnd(expires: Date | null): Date {
    const { now, maxAge } = this.#settings
    return new Date(Math.max(now() + maxAge * 1000, expires?.getTime() ?? 0) + margin)
  }

  async #revoke(subject: string, expires: Date | null, named?: number): Promise<number> {
    const until = this.getEnd(expires)
    const version = await this.#store.revoke(subject, until, ...(named === undefined ? [] : [named]))
    this.add({ subject, version, until })
    return version
  }

  #decide(token: Revocable): boolean | Promise<boolean> {
    if (this.#cache.has(token)) return true
    return this.#isCrowded && this.#lookUp(token)
  }

  async #lookUp(token: Revocable): Promise<boolean> {
    return new RevocationCache(await this.#store.getRevocations(getSubjects(token))).has(token)
  }

  /** @returns A promise if a load is needed first, or `null` if the cache is fresh. */
  #fresh(): Promise<void> | null {
    const now = this.#settings.now()
    // If the clock was set back, the store is queried as well.
    if (now < this.#nextAt && now >= this.#readAt) return this.#failure === null ? null : this.#goOn(this.#failure)
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(now: number): Promise<void> {
    const { refresh } = this.#settings
    try {
      await this.#take(now)
      this.#readAt = now
      this.#nextAt = now + refresh * 1000
      this.#failure = null
    } catch (error) {
      this.#failure = error
      this.#nextAt = now + pause
      this.#logger.warn('SESSION_REVOCATIONS_ERROR', serializeError(error))
      await this.#goOn(error)
    }
  }

  /** The store does not respond: the cached revocations remain valid for a limited time. */
  async #goOn(failure: unknown): Promise<void> {
    const { now, stale } = this.#settings
    if (now() - this.#readAt >= stale * 1000 || now() < this.#readAt) throw failure
  }

  async #take(now: number): Promise<void> {
    const { max } = this.#settings
    const isWhole = now - this.#wholeAt >= wholeAgain || now < this.#readAt
    // Too many revocations are not reloaded each time: each token is looked up until the next complete load.
    if (this.#isCrowded && !isWhole) return
    const since = new Date(isWhole ? 0 : this.#readAt - overlap)
    const found = await this.#store.listRevocations(since, max + 1)
    if (isWhole) this.#wholeAt = now
    for (const revocation of found) this.#cache.add(revocation)
    if (isWhole || this.#cache.size > max) this.#cache.forget(now)
    this.#isCrowded = found.length > max || this.#cache.size > max
    if (this.#isCrowded) this.#cache = new RevocationCache()
  }
}

export function getSubjects({ userId, sessionId }: Revocable): string[] {
  return sessionId === null ? [getUserSubject(userId)] : [getUserSubject(userId), getSessionSubject(sessionId)]
}
