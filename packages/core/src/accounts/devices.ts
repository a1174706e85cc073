import type { Store } from '../adapter/store.ts'
import { AccountError } from './account-error.ts'
import type { KnownSession, KnownSessions, Lacking, SessionInfo } from './session-directory.ts'

/** Which sessions a provider ends. */
export interface ProviderLogout {
  readonly provider: string
  /** Whose they are; `null` where the provider does not say, or nobody has the account. */
  readonly userId: string | null
  /** The provider's own name for the session; `null` for all of the user's. */
  readonly sessionId: string | null
}

/** The sessions of users, to be shown and ended, whatever they are kept in. */
export class Devices {
  readonly #sessions: KnownSessions
  readonly #store: Store | null

  constructor(sessions: KnownSessions, store: Store | null) {
    this.#sessions = sessions
    this.#store = store
  }

  /** @throws AccountError `ADAPTER_INCOMPLETE` */
  require(what: keyof Lacking): void {
    const missing = this.#sessions.lacking[what]
    if (missing.length > 0)
      throw new AccountError('ADAPTER_INCOMPLETE', `expected an adapter with the methods ${missing.join(', ')}`)
  }

  can(what: keyof Lacking): boolean {
    return this.#sessions.lacking[what].length === 0
  }

  /** @returns A user's sessions that count, the newest first. @throws AccountError, AuthError `StoreUnavailable` */
  async list(userId: string): Promise<readonly SessionInfo[]> {
    this.require('list')
    const known = await this.#sessions.of(userId)
    const time = ({ createdAt }: SessionInfo): number => createdAt?.getTime() ?? 0
    return known.map(({ info }) => info).toSorted((one, other) => time(other) - time(one))
  }

  /**
   * Ends one session.
   *
   * @param userId - Whose it has to be.
   * @returns Whether there was such a session.
   * @throws AccountError, AuthError `StoreUnavailable`
   */
  async end(id: string, userId: string | null): Promise<boolean> {
    this.require('end')
    const known = await this.#sessions.byId(id)
    if (!known || (userId !== null && known.info.userId !== userId)) return false
    await known.end()
    return true
  }

  /** @throws AccountError, AuthError `StoreUnavailable` */
  async endAll(userId: string): Promise<void> {
    this.require('endAll')
    await this.#sessions.endAll(userId)
  }

  /**
   * Ends what a provider says is over: the session that it names, or all that its user has through it. A session of
   * the user that may be meant ends too: one that was begun before such things were noted.
   *
   * @throws AuthError `StoreUnavailable`
   * @see OpenID Connect Back-Channel Logout 1.0 §2.7
   */
  async endByProvider(logout: ProviderLogout): Promise<void> {
    const { userId, sessionId } = logout
    if (sessionId !== null) await endEach(await this.#named(logout, sessionId))
    if (userId === null) return
    if (!this.can('list')) return this.#sessions.endAll(userId)
    const all = await this.#sessions.of(userId)
    const meant = all.filter((session) => isMeant(session, logout))
    // What is in no list ends too, where nothing is left that would be kept.
    if (sessionId === null && meant.length === all.length) return this.#sessions.endAll(userId)
    await endEach(meant)
  }

  async #named({ provider, userId }: ProviderLogout, sessionId: string): Promise<readonly KnownSession[]> {
    const records = (await this.#store?.getSessionRecords?.({ provider, providerSessionId: sessionId })) ?? []
    const own = records.filter((record) => userId === null || record.userId === userId)
    return own.flatMap((record) => this.#sessions.byRecord(record) ?? [])
  }
}

function isMeant({ info, providerSessionId }: KnownSession, { provider, sessionId }: ProviderLogout): boolean {
  const isThrough = info.provider === provider || info.provider === null
  return isThrough && (sessionId === null || providerSessionId === null || providerSessionId === sessionId)
}

async function endEach(sessions: readonly KnownSession[]): Promise<void> {
  for (const { end } of sessions) await end()
}
