import type { Store } from '../adapter/store.ts'
import { AccountError } from '../errors/account-error.ts'
import type { EndedSession } from '../hooks/feature-hooks.ts'
import type { RequestInfo } from '../model/request-info.ts'
import type { DirectorySession, MissingMethods, SessionDirectory, SessionInfo } from './session-directory.ts'
import type { SessionKey } from './strategy.ts'
import { deletePending, type UserVersions } from './user-versions.ts'

/** The sessions that a provider ends. */
export interface ProviderLogout {
  readonly provider: string
  /** The user; `null` if the provider names none, or no user has the account. */
  readonly userId: string | null
  /** The session id (`sid`) at the provider; `null` for all sessions of the user. */
  readonly sessionId: string | null
}

/** Lists the sessions of this registration, and ends sessions of both strategies. */
export class SessionManager {
  readonly #sessions: SessionDirectory
  readonly #others: SessionDirectory | null
  readonly userVersions: UserVersions
  /** `null` if there is none. */
  readonly store: Store | null

  /** @param others - The sessions of the other strategy, which another registration may create in the same store. */
  constructor(sessions: SessionDirectory, others: SessionDirectory | null, userVersions: UserVersions) {
    this.#sessions = sessions
    this.#others = others
    this.userVersions = userVersions
    this.store = userVersions.store
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
    const find = async (): Promise<DirectorySession | null> => {
      const found = await this.#sessions.findById(id)
      return found && (userId === null || found.info.userId === userId) ? found : null
    }
    let known = await find()
    if (!known) return false
    const { userId: owner } = known.info
    const ended = (): readonly EndedSession[] => (known ? [{ userId: owner, sessionId: id, request }] : [])
    await this.userVersions.change({ userId: owner, raises: false, isForced: 'at last', ended }, async (store) => {
      // Another request may have given the session a new token: then it has another id.
      known = await find()
      await known?.end(store)
    })
    known?.forget()
    return known !== null
  }

  /** Ends the sessions of a user, and the sign-ins that are not complete. @throws AccountError, AuthError `StoreUnavailable` */
  async endAll(userId: string): Promise<void> {
    this.require('endAll')
    await this.userVersions.endSessions(userId)
  }

  /**
   * Ends the sessions that a logout token names: one session, or all sessions of its user. A session with the provider that was
   * created before session ids were recorded ends too, because it may be the one.
   *
   * @throws AuthError `StoreUnavailable`
   * @see OpenID Connect Back-Channel Logout 1.0 §2.7
   */
  async endByProvider(logout: ProviderLogout): Promise<void> {
    const { userId, sessionId } = logout
    if (sessionId === null || !this.store?.getSessionRecords) {
      if (userId !== null) await this.userVersions.endSessions(userId)
      return
    }
    const named = await this.#findNamed(logout, sessionId)
    const users = new Set([...named.map(({ info }) => info.userId), ...(userId === null ? [] : [userId])])
    for (const id of users) await this.#endNamed(id, logout, sessionId)
  }

  /** Ends the sessions of a user with an id at the provider. One that continues under another id meanwhile is found again. */
  async #endNamed(userId: string, logout: ProviderLogout, sessionId: string): Promise<void> {
    let ended: readonly DirectorySession[] = []
    const listEnded = () => ended.map(({ info }) => ({ userId, sessionId: info.id }))
    const change = { userId, raises: false, isForced: 'at last', ended: listEnded } as const
    await this.userVersions.change(change, async (store) => {
      const named = await this.#findNamed({ ...logout, userId }, sessionId)
      const others = logout.userId === null ? [] : await this.#findOthers(userId, logout.provider, sessionId)
      ended = [...named, ...others.filter(({ info }) => named.every((found) => found.info.id !== info.id))]
      for (const { end } of ended) await end(store)
      // A sign-in that is not complete must not outlive the session at the provider.
      await deletePending(userId, store)
    })
    for (const { forget } of ended) forget()
  }

  async #findNamed({ provider, userId }: ProviderLogout, sessionId: string): Promise<readonly DirectorySession[]> {
    const records = (await this.store?.getSessionRecords?.({ provider, providerSessionId: sessionId })) ?? []
    const own = records.filter((record) => userId === null || record.userId === userId)
    return own.flatMap((record) => this.#sessions.findByRecord(record) ?? this.#others?.findByRecord(record) ?? [])
  }

  /** Finds the sessions of a user that linked an account with this id at the provider, or whose id was not recorded. */
  async #findOthers(userId: string, provider: string, sessionId: string): Promise<readonly DirectorySession[]> {
    const found: DirectorySession[] = []
    for (const sessions of [this.#sessions, this.#others]) {
      if (!sessions || sessions.missingMethods.list.length > 0) continue
      found.push(...(await sessions.listByUser(userId)).filter((session) => mayBe(session, provider, sessionId)))
    }
    return found
  }
}

/** The newest first. */
function sortByAge(sessions: readonly SessionInfo[]): readonly SessionInfo[] {
  const time = ({ createdAt }: SessionInfo): number => createdAt?.getTime() ?? 0
  return sessions.toSorted((one, other) => time(other) - time(one))
}

function mayBe({ origins }: DirectorySession, provider: string, sessionId: string): boolean {
  const isUnknownOr = (recorded: string | null, value: string): boolean => recorded === null || recorded === value
  return origins.some(
    (origin) => isUnknownOr(origin.provider, provider) && isUnknownOr(origin.providerSessionId, sessionId)
  )
}
