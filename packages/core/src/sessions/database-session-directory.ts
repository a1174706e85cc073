import type { AdapterSession } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import {
  type DirectorySession,
  type MissingMethods,
  type SessionDirectory,
  type SessionInfo,
  sortByExpiry,
  toSessionInfo
} from './session-directory.ts'
import { getOrigins, storedSessionId } from './session-metadata.ts'
import type { SessionKey } from './strategy.ts'

const unknown = { amr: [], authTime: null, provider: null }
const nothing = {
  actor: null,
  provider: null,
  authentication: unknown,
  userAgent: null,
  address: null,
  createdAt: null,
  lastSeen: null
}

/** The database sessions of users. */
export class DatabaseSessionDirectory implements SessionDirectory {
  readonly #store: Store
  readonly #now: () => number
  readonly missingMethods: MissingMethods

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
    const forList = store.listSessions ? [] : ['listSessions']
    this.missingMethods = { list: forList, end: forList, endAll: store.deleteSessions ? [] : ['deleteSessions'] }
  }

  async listByUser(userId: string, limit?: number): Promise<readonly DirectorySession[]> {
    const { listSessions, getSessionRecords } = this.#store
    const rows = (await (limit === undefined ? listSessions?.(userId) : listSessions?.(userId, limit))) ?? []
    const live = rows.filter(({ expires }) => expires.getTime() > this.#now())
    const listed = limit === undefined ? live : sortByExpiry(live).slice(0, limit)
    const records =
      limit === undefined
        ? ((await getSessionRecords?.({ userId })) ?? [])
        : await this.#findRecords(userId, listed, limit)
    const byToken = new Map(records.map((record) => [record.sessionToken, record]))
    return Promise.all(listed.map((row) => this.#known(row, byToken.get(row.sessionToken))))
  }

  /** Finds the records of these sessions. They have the same order, unless the user has other records too. */
  async #findRecords(
    userId: string,
    rows: readonly AdapterSession[],
    limit: number
  ): Promise<readonly SessionRecord[]> {
    const { getSessionRecords } = this.#store
    if (!getSessionRecords) return []
    const records = await getSessionRecords({ userId, limit })
    // Fewer are all that exist, and more come from a store that ignores the limit.
    if (records.length !== limit) return records
    const tokens = new Set(records.map(({ sessionToken }) => sessionToken))
    const lacking = rows.filter(({ sessionToken }) => !tokens.has(sessionToken))
    const find = async ({ sessionToken }: AdapterSession): Promise<readonly SessionRecord[]> =>
      getSessionRecords({ id: await storedSessionId(sessionToken) })
    return [...records, ...(await Promise.all(lacking.map(find))).flat()]
  }

  async findByKey({ id, userId, expires }: SessionKey): Promise<SessionInfo | null> {
    const [record] = (await this.#store.getSessionRecords?.({ id })) ?? []
    return record ? { ...toSessionInfo(record), expires } : { id: withUser(id, userId), userId, expires, ...nothing }
  }

  async findById(id: string): Promise<DirectorySession | null> {
    const [record] = (await this.#store.getSessionRecords?.({ id })) ?? []
    if (record) return this.findByRecord(record)
    const userId = userIn(id)
    const known = userId === null ? [] : await this.listByUser(userId)
    return known.find(({ info }) => info.id === id) ?? null
  }

  findByRecord(record: SessionRecord): DirectorySession | null {
    const { sessionToken } = record
    if (sessionToken === null) return null
    return { info: toSessionInfo(record), origins: getOrigins(record), ...this.#createEnd(sessionToken) }
  }

  async #known(row: AdapterSession, record: SessionRecord | undefined): Promise<DirectorySession> {
    const { sessionToken, userId, expires } = row
    const known = record && this.findByRecord(record)
    if (known) return { ...known, info: { ...known.info, expires } }
    const id = withUser(await storedSessionId(sessionToken), userId)
    return {
      info: { id, userId, expires, ...nothing },
      origins: [{ provider: null, providerSessionId: null }],
      ...this.#createEnd(sessionToken)
    }
  }

  /** The record goes with its session. */
  #createEnd(sessionToken: string): Pick<DirectorySession, 'end' | 'forget'> {
    const end = async (store: Store | null): Promise<void> =>
      void (await (store ?? this.#store).deleteSession(sessionToken))
    return { end, forget: () => undefined }
  }
}

/** A session without a record is found by its user. */
function withUser(id: string, userId: string): string {
  return `${id}.${encodeURIComponent(userId)}`
}

function userIn(id: string): string | null {
  const [, user] = /^[0-9a-f]{64}\.(.+)$/.exec(id) ?? []
  try {
    return user === undefined ? null : decodeURIComponent(user)
  } catch {
    return null
  }
}
