import type { Revocation } from '../adapter/revocation.ts'
import type { Revocations } from '../adapter/store.ts'
import { describe } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'

/** What of a signed token says whether it was revoked. */
export interface Revocable {
  readonly userId: string
  /** `null` for a token that no session of ours is known by. */
  readonly sessionId: string | null
  /** The version of the user's revocations that the token was made with. */
  readonly version: number
}

/** What a list of revocations is made with. */
export interface RevocationRules {
  readonly store: Revocations
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Seconds that what is known counts as fresh. */
  readonly refresh: number
  /** Seconds that what is known may stand in while the store does not answer. */
  readonly stale: number
  /** Revocations that are kept in memory; where there are more, each token is looked up. */
  readonly most: number
  /** Seconds that a token of ours can last. */
  readonly longest: number
}

/** How far clocks may differ, and a token that is made in this moment may last longer. */
const margin = 60_000

/** How far back each refresh looks again, for revocations that were noted by a slower clock. */
const overlap = 60_000
/** How often everything is read again, for what a refresh could have missed. */
const wholeAgain = 600_000
/** The soonest that a store is asked again that did not answer. */
const pause = 1000

const ofUser = (id: string): string => `user:${id}`
const ofSession = (id: string): string => `session:${id}`

/** Revocations by what they are of, so that a token finds them by its own claims. */
class Known {
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

  versionOf(userId: string): number {
    return this.#users.get(userId)?.version ?? 0
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
 * Knows which signed tokens count no longer, without asking the store at each request: it keeps what was revoked, and
 * looks for news when it is asked, at most every few seconds.
 */
export class RevocationList {
  readonly #rules: RevocationRules
  #known = new Known()
  #isCrowded = false
  /** When the last whole reading, the last reading and the next try are or were; milliseconds since 1970. */
  #wholeAt = Number.NEGATIVE_INFINITY
  #readAt = Number.NEGATIVE_INFINITY
  #nextAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null
  #failure: unknown = null

  constructor(rules: RevocationRules) {
    this.#rules = rules
  }

  /** @throws AuthError `StoreUnavailable`: what is known is too old to count. */
  isRevoked(token: Revocable): boolean | Promise<boolean> {
    const reading = this.#fresh()
    if (reading) return reading.then(() => this.#decide(token))
    return this.#decide(token)
  }

  /** @returns What `versionOf` will most likely return, without asking: it may be some seconds old. */
  lastVersionOf(userId: string): number {
    return this.#known.versionOf(userId)
  }

  /** @returns What the tokens of a session that begins now are made with. */
  async versionOf(userId: string): Promise<number> {
    const found = await this.#rules.store.getRevocations([ofUser(userId)])
    return found.find(({ subject }) => subject === ofUser(userId))?.version ?? 0
  }

  /** @returns Those of the tokens that were not revoked, by the store itself. */
  async withoutRevoked<T extends Revocable>(tokens: readonly T[]): Promise<readonly T[]> {
    if (tokens.length === 0) return []
    const subjects = new Set(tokens.flatMap(subjectsOf))
    const found = new Known(await this.#rules.store.getRevocations([...subjects]))
    return tokens.filter((token) => !found.has(token))
  }

  /** Ends one session. @param expires - When the token that is known of ends; others of the session may end later. */
  async revokeSession(id: string, expires: Date): Promise<void> {
    await this.#revoke(ofSession(id), expires)
  }

  /** Ends all sessions of a user but those that begin with the version that it returns. */
  async revokeUser(id: string): Promise<number> {
    return this.#revoke(ofUser(id), null)
  }

  async #revoke(subject: string, expires: Date | null): Promise<number> {
    const { store, now, longest } = this.#rules
    const until = new Date(Math.max(now() + longest * 1000, expires?.getTime() ?? 0) + margin)
    const version = await store.revoke(subject, until)
    if (!this.#isCrowded) this.#known.add({ subject, version, until })
    return version
  }

  #decide(token: Revocable): boolean | Promise<boolean> {
    if (this.#known.has(token)) return true
    return this.#isCrowded && this.#lookUp(token)
  }

  async #lookUp(token: Revocable): Promise<boolean> {
    return new Known(await this.#rules.store.getRevocations(subjectsOf(token))).has(token)
  }

  /** @returns What has to be waited for, or `null` where what is known counts. */
  #fresh(): Promise<void> | null {
    const now = this.#rules.now()
    // A clock that was set back must not keep us from looking.
    if (now < this.#nextAt && now >= this.#readAt) return this.#failure === null ? null : this.#goOn(this.#failure)
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(now: number): Promise<void> {
    const { refresh, logger } = this.#rules
    try {
      await this.#take(now)
      this.#readAt = now
      this.#nextAt = now + refresh * 1000
      this.#failure = null
    } catch (error) {
      this.#failure = error
      this.#nextAt = now + pause
      logger.warn('SESSION_REVOCATIONS_ERROR', describe(error))
      await this.#goOn(error)
    }
  }

  /** The store does not answer: what is known counts for a while. */
  async #goOn(failure: unknown): Promise<void> {
    const { now, stale } = this.#rules
    if (now() - this.#readAt >= stale * 1000 || now() < this.#readAt) throw failure
  }

  async #take(now: number): Promise<void> {
    const { store, most } = this.#rules
    const isWhole = now - this.#wholeAt >= wholeAgain || now < this.#readAt
    // Too many are not read over and over: each token is looked up until the next whole reading.
    if (this.#isCrowded && !isWhole) return
    const since = new Date(isWhole ? 0 : this.#readAt - overlap)
    const found = await store.listRevocations(since, most + 1)
    if (isWhole) this.#wholeAt = now
    for (const revocation of found) this.#known.add(revocation)
    if (isWhole || this.#known.size > most) this.#known.forget(now)
    this.#isCrowded = found.length > most || this.#known.size > most
    if (this.#isCrowded) this.#known = new Known()
  }
}

function subjectsOf({ userId, sessionId }: Revocable): string[] {
  return sessionId === null ? [ofUser(userId)] : [ofUser(userId), ofSession(sessionId)]
}
