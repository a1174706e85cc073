import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { describe } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import type { Token } from '../model/session.ts'
import { Seen } from '../tokens/replay-cache.ts'
import { dropRecord, recordOf } from './session-metadata.ts'
import type { RevocationList } from './revocation-list.ts'
import type { Admission } from './strategy.ts'
import { revocableOf, signedInOf } from './token-claims.ts'

/** What the register of signed tokens is made with. */
export interface TokenRegisterRules {
  readonly revocations: RevocationList
  /** Where records are kept; `null` for nowhere. */
  readonly store: Store | null
  /** Whether the store is where revocations are kept, too. */
  readonly isOneStore: boolean
  readonly logger: Logger
  readonly now: () => number
}

/** Sessions whose last note is remembered. */
const mostSeen = 10_000

/** The claims that name a session of signed tokens. */
export interface SessionName {
  readonly session_id: string
  readonly session_version: number
}

function nameWith(session_version: number): SessionName {
  return { session_id: signedSessionId(session_version), session_version }
}

/**
 * The id of a session of signed tokens. It says which version of the user's revocations it began with, so that a
 * record tells whether it counts as the token does.
 */
function signedSessionId(version: number): string {
  return `${version.toString(36)}.${crypto.randomUUID()}`
}

/** @returns The version that an id says; 0 for one from before sessions had names. */
export function versionIn(id: string): number {
  const [, version] = /^([0-9a-z]{1,11})\./.exec(id) ?? []
  return version === undefined ? 0 : Number.parseInt(version, 36)
}

/** Names the sessions of signed tokens, and keeps a record of each. */
export class TokenRegister {
  readonly #rules: TokenRegisterRules
  readonly #seen: Seen

  constructor(rules: TokenRegisterRules) {
    this.#rules = rules
    this.#seen = new Seen(mostSeen, rules.now)
  }

  /** @returns The claims of a session that goes on; one from before sessions had names keeps the id it goes by. */
  keepName(token: Token): Token {
    const { sessionId, version } = revocableOf(token)
    return { session_id: sessionId ?? signedSessionId(version), session_version: version }
  }

  /**
   * Names a session that begins, and notes it; that it could not be noted does not keep anybody from signing in.
   *
   * The record says the version that is most likely, and the store which one it is: mostly one query is enough.
   *
   * @returns The claims of the session. @throws AuthError `StoreUnavailable`
   */
  async begin(userId: string, admission: Admission, expires: Date): Promise<SessionName> {
    const { revocations, now } = this.#rules
    const note = ({ session_id: id }: SessionName): Promise<number | null> =>
      this.#put(() => recordOf({ id, userId, sessionToken: null, expires }, admission, now()))
    const likely = nameWith(revocations.lastVersionOf(userId))
    const told = await note(likely)
    const version = told ?? (await revocations.versionOf(userId).catch((error) => this.#withdraw(likely, error)))
    if (version === likely.session_version) return likely
    const name = nameWith(version)
    await dropRecord(likely.session_id, this.#rules)
    await note(name)
    return name
  }

  /**
   * Notes that a session is used, now and then; that it could not be noted ends nothing.
   *
   * @param updateAge - Seconds for which one note is enough, however often the token is written.
   */
  async touch(token: Token, expires: Date, updateAge: number): Promise<void> {
    const { store, now } = this.#rules
    const { sessionId: id, userId } = revocableOf(token)
    if (!store?.getSessionRecords || id === null) return
    if (!this.#seen.isNew(id, now() + updateAge * 1000)) return
    await this.#put(async () => {
      const known = (await store.getSessionRecords?.({ id }))?.find((record) => record.userId === userId)
      return { ...(known ?? this.#unknown(token, id)), lastSeen: new Date(now()), expires }
    })
  }

  /** The record of the session gets another id: its tokens have another version. */
  async rename(before: Token, token: Token, expires: Date): Promise<void> {
    const { store, now } = this.#rules
    const [from, to] = [revocableOf(before).sessionId, revocableOf(token).sessionId]
    if (from === null || to === null || from === to) return
    await this.#put(async () => {
      const [known] = (await store?.getSessionRecords?.({ id: from })) ?? []
      await store?.deleteSessionRecord?.(from)
      return { ...(known ?? this.#unknown(before, from)), id: to, lastSeen: new Date(now()), expires }
    })
  }

  /** Ends all sessions of a user but the one that goes on with these claims. @throws AuthError `StoreUnavailable` */
  async endAll(userId: string): Promise<SessionName> {
    return nameWith(await this.#rules.revocations.revokeUser(userId))
  }

  /** Takes away the records of a user's sessions that ended with a version. */
  async forget(userId: string, version: number): Promise<void> {
    const { store, logger } = this.#rules
    try {
      for (const { id, sessionToken } of (await store?.getSessionRecords?.({ userId })) ?? [])
        if (sessionToken === null && versionIn(id) < version) await store?.deleteSessionRecord?.(id)
    } catch (error) {
      logger.warn('SESSION_RECORD_ERROR', describe(error))
    }
  }

  #unknown(token: Token, id: string): Omit<SessionRecord, 'lastSeen' | 'expires'> {
    const { userId } = revocableOf(token)
    const createdAt = signedInOf(token)?.since ?? new Date(this.#rules.now())
    const nothing = { provider: null, providerSessionId: null, userAgent: null, address: null }
    return { id, userId, sessionToken: null, createdAt, ...nothing }
  }

  /** @returns The version of the user's revocations, or `null` where it is not told. */
  async #put(make: () => SessionRecord | Promise<SessionRecord>): Promise<number | null> {
    const { store, isOneStore, logger } = this.#rules
    if (!store?.putSessionRecord) return null
    try {
      const version = await store.putSessionRecord(await make())
      return isOneStore ? version : null
    } catch (error) {
      logger.warn('SESSION_RECORD_ERROR', describe(error))
      return null
    }
  }

  /** A session that is not to be leaves no record. */
  async #withdraw({ session_id }: SessionName, error: unknown): Promise<never> {
    await dropRecord(session_id, this.#rules)
    throw error
  }
}
