import { revocationMethods } from '../adapter/revocation.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import type { Logger } from '../model/logger.ts'
import { type JwtSessionRegistry, versionIn } from '../sessions/jwt-session-registry.ts'
import { dropReservations } from '../sessions/kept-session.ts'
import type { RevocationList } from '../sessions/revocation-list.ts'
import { dropRecord, getOrigins } from '../sessions/session-metadata.ts'
import type { SessionKey } from '../sessions/strategy.ts'
import {
  type DirectorySession,
  type MissingMethods,
  type SessionDirectory,
  type SessionInfo,
  sortByExpiry,
  toSessionInfo
} from './session-directory.ts'

/** What revokes JWT sessions; both are `null` if revocations are not stored. */
export interface JwtSessionDirectoryDeps {
  readonly revocations: RevocationList
  readonly jwtSessionRegistry: JwtSessionRegistry
  readonly logger: Logger
}

const forRecords = ['putSessionRecord', 'getSessionRecords'] as const

/** The JWT sessions of users that have a record. */
export class JwtSessionDirectory implements SessionDirectory {
  readonly #store: Store | null
  readonly #ends: JwtSessionDirectoryDeps | null
  readonly #now: () => number
  readonly missingMethods: MissingMethods
  readonly hasUnlisted = true

  constructor(store: Store | null, ends: JwtSessionDirectoryDeps | null, now: () => number) {
    this.#store = store
    this.#ends = ends
    this.#now = now
    const toEnd = ends ? [] : revocationMethods
    const known = [...forRecords.filter((name) => !store?.[name]), ...toEnd]
    this.missingMethods = { list: known, end: known, endAll: toEnd }
  }

  async listByUser(userId: string, limit?: number): Promise<readonly DirectorySession[]> {
    const { getSessionRecords } = this.#store ?? {}
    if (!getSessionRecords) return []
    if (limit === undefined) return this.#live(await getSessionRecords({ userId }))
    // Records of revoked sessions, or of database sessions, may take the places of valid ones.
    for (let count = limit; ; count *= 4) {
      const records = await getSessionRecords({ userId, limit: count })
      const live = await this.#live(sortByExpiry(records))
      if (live.length >= limit || records.length !== count) return live.slice(0, limit)
    }
  }

  async findByKey({ id, userId }: SessionKey): Promise<SessionInfo | null> {
    const info = (await this.findById(id))?.info ?? null
    return info?.userId === userId ? info : null
  }

  async findById(id: string): Promise<DirectorySession | null> {
    const [known] = await this.#live((await this.#store?.getSessionRecords?.({ id })) ?? [])
    return known ?? null
  }

  findByRecord(record: SessionRecord): DirectorySession | null {
    if (record.sessionToken !== null) return null
    const end = async (): Promise<void> => this.#end(record)
    return { info: toSessionInfo(record), origins: getOrigins(record), end }
  }

  async getVersion(userId: string): Promise<number> {
    return (await this.#ends?.jwtSessionRegistry.getVersion(userId)) ?? 0
  }

  async endAll(userId: string): Promise<void> {
    if (!this.#ends) return
    const { jwtSessionRegistry } = this.#ends
    await jwtSessionRegistry.forget(userId, await jwtSessionRegistry.endAll(userId))
  }

  async #end({ id, userId, expires }: SessionRecord): Promise<void> {
    if (!this.#ends) return
    const { revocations, logger } = this.#ends
    // Another request of the session may be about to continue it under a new id.
    if (this.#store?.tickets) await dropReservations(userId, this.#store.tickets)
    await revocations.revokeSession(id, expires)
    await dropRecord(id, { store: this.#store, logger })
  }

  /** Returns the records of valid sessions: a record may outlive a token that was revoked or has expired. */
  async #live(records: readonly SessionRecord[]): Promise<readonly DirectorySession[]> {
    const tokens = records
      .filter(({ sessionToken, expires }) => sessionToken === null && expires.getTime() > this.#now())
      .map((record) => ({ record, userId: record.userId, sessionId: record.id, version: versionIn(record.id) }))
    const live = (await this.#ends?.revocations.withoutRevoked(tokens)) ?? []
    return live.flatMap(({ record }) => this.findByRecord(record) ?? [])
  }
}
