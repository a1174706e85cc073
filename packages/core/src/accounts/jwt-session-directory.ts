import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import type { Logger } from '../model/logger.ts'
import { dropRecord } from '../sessions/session-metadata.ts'
import type { RevocationList } from '../sessions/revocation-list.ts'
import { type TokenRegister, versionIn } from '../sessions/jwt-session-registry.ts'
import { infoOf, type KnownSession, type KnownSessions, type Lacking } from './session-directory.ts'

/** What ends signed tokens; both are `null` where nothing does. */
export interface TokenEnds {
  readonly revocations: RevocationList
  readonly register: TokenRegister
  readonly logger: Logger
}

const forRevocations = ['revoke', 'getRevocations', 'listRevocations']
const forRecords = ['putSessionRecord', 'getSessionRecords'] as const

/** The sessions that are signed tokens, as far as there are records of them. */
export class SignedSessions implements KnownSessions {
  readonly #store: Store | null
  readonly #ends: TokenEnds | null
  readonly #now: () => number
  readonly lacking: Lacking

  constructor(store: Store | null, ends: TokenEnds | null, now: () => number) {
    this.#store = store
    this.#ends = ends
    this.#now = now
    const toEnd = ends ? [] : forRevocations
    const known = [...forRecords.filter((name) => !store?.[name]), ...toEnd]
    this.lacking = { list: known, end: known, endAll: toEnd }
  }

  async of(userId: string): Promise<readonly KnownSession[]> {
    return this.#live((await this.#store?.getSessionRecords?.({ userId })) ?? [])
  }

  async byId(id: string): Promise<KnownSession | null> {
    const [known] = await this.#live((await this.#store?.getSessionRecords?.({ id })) ?? [])
    return known ?? null
  }

  byRecord(record: SessionRecord): KnownSession | null {
    const { id, sessionToken, providerSessionId, expires } = record
    if (sessionToken !== null) return null
    const end = async (): Promise<void> => this.#end(id, expires)
    return { info: infoOf(record), providerSessionId, end }
  }

  async endAll(userId: string): Promise<void> {
    if (!this.#ends) return
    const { session_version } = await this.#ends.register.endAll(userId)
    await this.#ends.register.forget(userId, session_version)
  }

  async #end(id: string, expires: Date): Promise<void> {
    if (!this.#ends) return
    const { revocations, logger } = this.#ends
    await revocations.revokeSession(id, expires)
    await dropRecord(id, { store: this.#store, logger })
  }

  /** Records outlive what they are about: those of tokens that were revoked or are over count no longer. */
  async #live(records: readonly SessionRecord[]): Promise<readonly KnownSession[]> {
    const tokens = records
      .filter(({ sessionToken, expires }) => sessionToken === null && expires.getTime() > this.#now())
      .map((record) => ({ record, userId: record.userId, sessionId: record.id, version: versionIn(record.id) }))
    const live = (await this.#ends?.revocations.withoutRevoked(tokens)) ?? []
    return live.flatMap(({ record }) => this.byRecord(record) ?? [])
  }
}
