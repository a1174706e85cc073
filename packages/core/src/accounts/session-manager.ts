import { markEndedSessions } from '../adapter/ended-sessions.ts'
import type { Store } from '../adapter/store.ts'
import { pendingSignInKind } from '../adapter/ticket.ts'
import type { FeatureHooks } from '../model/feature-hooks.ts'
import type { RequestInfo } from '../model/request-info.ts'
import { dropReservations } from '../sessions/kept-session.ts'
import type { SessionKey } from '../sessions/strategy.ts'
import { AccountError } from './account-error.ts'
import type { DirectorySession, MissingMethods, SessionDirectory, SessionInfo } from './session-directory.ts'

/** The sessions that a provider ends. */
export interface ProviderLogout {
  readonly provider: string
  /** The user; `null` if the provider names none, or no user has the account. */
  readonly userId: string | null
  /** The session id (`sid`) at the provider; `null` for all sessions of the user. */
  readonly sessionId: string | null
}

/** How often sessions are searched for that a link has replaced. */
const maxPasses = 5

/** The dependencies of {@link SessionManager}. */
export interface SessionManagerDeps {
  readonly sessions: SessionDirectory
  /** The sessions of the other strategy, which another registration may create in the same store. */
  readonly others: SessionDirectory | null
  readonly store: Store | null
  /** Called after sessions ended. */
  readonly onEnd: FeatureHooks['endSession']
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Lists the sessions of this registration, and ends sessions of both strategies. */
export class SessionManager {
  readonly #sessions: SessionDirectory
  readonly #others: SessionDirectory | null
  readonly #store: Store | null
  readonly #onEnd: FeatureHooks['endSession']
  readonly #now: () => number

  constructor({ sessions, others, store, onEnd, now }: SessionManagerDeps) {
    this.#sessions = sessions
    this.#others = others
    this.#store = store
    this.#onEnd = onEnd
    this.#now = now
  }

  /** @throws AccountError `ADAPTER_INCOMPLETE` */
  require(what: keyof MissingMethods): void {
    const missing = this.#sessions.missingMethods[what]
    if (missing.length > 0)
      throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the methods ${missing.join(', ')}`)
  }

  can(what: keyof MissingMethods): boolean {
    return this.#sessions.missingMethods[what].length === 0
  }

  /**
   * @param limit - The maximum number of sessions: those that expire last.
   * @returns A user's valid sessions, the newest first. @throws AccountError, AuthError `StoreUnavailable`
   */
  async list(userId: string, limit?: number): Promise<readonly SessionInfo[]> {
    this.require('list')
    const known = await this.#sessions.listByUser(userId, limit)
    return sortByAge(known.map(({ info }) => info))
  }

  /**
   * Adds the session of a request to a list that a limit has left it out of, in place of the oldest.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async withSession(listed: readonly SessionInfo[], key: SessionKey): Promise<readonly SessionInfo[]> {
    const found = await this.#sessions.findByKey(key)
    return found ? sortByAge([...listed.slice(0, -1), found]) : listed
  }

  /**
   * Ends one session.
   *
   * @param userId - The required owner; `null` for any.
   * @param request - The request of the user who ends it; `null` if the application does.
   * @returns Whether there was such a session.
   * @throws AccountError, AuthError `StoreUnavailable`
   */
  async end(id: string, userId: string | null, request: RequestInfo | null = null): Promise<boolean> {
    this.require('end')
    const known = await this.#sessions.findById(id)
    if (!known || (userId !== null && known.info.userId !== userId)) return false
    await known.end()
    await this.#onEnd({ userId: known.info.userId, sessionId: id, request })
    return true
  }

  /** Ends the sessions of a user, and the sign-ins that are not complete. @throws AccountError, AuthError `StoreUnavailable` */
  async endAll(userId: string): Promise<void> {
    this.require('endAll')
    // If the process ends within this, what has been ended has been counted.
    await this.endPending(userId)
    await this.#endTwice(userId, async () => {
      await this.#sessions.endAll(userId)
      await this.#others?.endAll(userId)
    })
    await this.#onEnd({ userId, sessionId: null })
  }

  /**
   * Ends sessions, and those that overlap this: a link or an interrupted sign-in reads the mark twice. It is refused if the mark
   * has changed in between, and otherwise its session exists already, so that the second end finds it.
   */
  async #endTwice(userId: string, end: () => Promise<void>): Promise<void> {
    await end()
    await this.endPending(userId)
    await end()
  }

  /**
   * Ends the sessions that a logout token names: one session, or all sessions of its user with the provider. A session
   * that was created before session ids were recorded ends too, because it may be the one.
   *
   * @throws AuthError `StoreUnavailable`
   * @see OpenID Connect Back-Channel Logout 1.0 §2.7
   */
  async endByProvider(logout: ProviderLogout): Promise<void> {
    const { userId, sessionId } = logout
    if (userId !== null) await this.endPending(userId)
    if (sessionId !== null) await this.#endNamed(logout, sessionId)
    if (userId === null) return
    await this.#endTwice(userId, async () => {
      for (const sessions of [this.#sessions, this.#others])
        if (sessions) await this.#endThrough({ ...logout, userId }, sessions)
    })
    await this.#onEnd({ userId, sessionId: null })
  }

  /**
   * Ends the sign-ins of a user that are not complete, also those that have just consumed their ticket.
   *
   * @throws AuthError `StoreUnavailable`
   */
  async endPending(userId: string): Promise<void> {
    const tickets = this.#store?.tickets
    if (tickets) await markEndedSessions(userId, tickets, this.#now())
    await this.#deletePending(userId)
  }

  async #deletePending(userId: string): Promise<void> {
    await this.#store?.tickets?.delete(userId, pendingSignInKind)
  }

  /** Ends the sessions with an id at the provider, until there are none: a link may replace one, and keeps that id. */
  async #endNamed(logout: ProviderLogout, sessionId: string): Promise<void> {
    for (let passes = 1; passes <= maxPasses; passes++) {
      const named = await this.#named(logout, sessionId)
      if (named.length === 0) return
      // A sign-in that is not complete must not outlive the session at the provider.
      for (const id of new Set(named.map(({ info }) => info.userId))) await this.endPending(id)
      await endEach(named)
    }
  }

  /**
   * Ends the sessions of a user that were created through a provider, until there are none: another request may replace one.
   * Ends all sessions if they cannot be listed.
   */
  async #endThrough(logout: ProviderLogout & { readonly userId: string }, sessions: SessionDirectory): Promise<void> {
    const { userId, sessionId } = logout
    if (sessions.missingMethods.list.length > 0) return sessions.endAll(userId)
    for (let passes = 1; passes <= maxPasses; passes++) {
      const version = await sessions.getVersion(userId)
      if (this.#store?.tickets) await dropReservations(userId, this.#store.tickets)
      const all = await sessions.listByUser(userId)
      if (all.length === 0 && !sessions.hasUnlisted) return
      const meant = all.filter((session) => isMeant(session, logout))
      // Sessions without a record cannot be listed: they end too if no listed session remains.
      if (sessionId === null && meant.length === all.length) return sessions.endAll(userId)
      await endEach(meant)
      // If the version has changed, one may have continued under another id since it was listed.
      if (meant.length === 0 && (await sessions.getVersion(userId)) === version) return
    }
  }

  async #named({ provider, userId }: ProviderLogout, sessionId: string): Promise<readonly DirectorySession[]> {
    const records = (await this.#store?.getSessionRecords?.({ provider, providerSessionId: sessionId })) ?? []
    const own = records.filter((record) => userId === null || record.userId === userId)
    return own.flatMap((record) => this.#sessions.findByRecord(record) ?? this.#others?.findByRecord(record) ?? [])
  }
}

/** The newest first. */
function sortByAge(sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  const time = ({ createdAt }: SessionInfo): number => createdAt?.getTime() ?? 0
  return sessions.toSorted((one, other) => time(other) - time(one))
}

function isMeant({ origins }: DirectorySession, { provider, sessionId }: ProviderLogout): boolean {
  const isUnknownOr = (recorded: string | null, value: string): boolean => recorded === null || recorded === value
  return origins.some(
    (origin) =>
      isUnknownOr(origin.provider, provider) && (sessionId === null || isUnknownOr(origin.providerSessionId, sessionId))
  )
}

async function endEach(sessions: readonly DirectorySession[]): Promise<void> {
  for (const { end } of sessions) await end()
}
