import { revocationMethods } from '../adapter/revocation.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { type JwtSessionRegistry, versionIn } from './jwt-session-registry.ts'
import {
  type DirectorySession,
  type MissingMethods,
  type SessionDirectory,
  type SessionInfo,
  sortByExpiry,
  toSessionInfo
} from './session-directory.ts'
import { getOrigins } from './session-metadata.ts'
import type { SessionKey } from './strategy.ts'

const forRecords = ['putSessionRecord', 'getSessionRecords'] as const

/** The JWT sessions of users that have a record. */
export class JwtSessionDirectory implements SessionDirectory {
  readonly #store: Store | null
  readonly #registry: JwtSessionRegistry | null
  readonly #now: () => number
  readonly missingMethods: MissingMethods

  /** @param registry - `null` if revocations are not stored. */
  constructor(store: Store | null, registry: JwtSessionRegistry | null, now: () => number) {
    this.#store = store
    this.#registry = registry
    this.#now = now
    const toEnd = registry ? [] : revocationMethods
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
    const registry = this.#registry
    return {
      info: toSessionInfo(record),
      origins: getOrigins(record),
      end: async (store) => registry?.end(record, store),
      forget: () => registry?.forgetSession(record)
    }
  }

  /** Returns the records of valid sessions: a record may outlive a token that was revoked or has expired. */
  async #live(records: readonly SessionRecord[]): Promise<readonly DirectorySession[]> {
    const tokens = records
      .filter(({ sessionToken, expires }) => sessionToken === null && expires.getTime() > this.#now())
      .map((record) => ({ record, userId: record.userId, sessionId: record.id, version: versionIn(record.id) }))
    const live = (await this.#registry?.revocations.withoutRevoked(tokens)) ?? []
    return live.flatMap(({ record }) => this.findByRecord(record) ?? [])
  }
}
