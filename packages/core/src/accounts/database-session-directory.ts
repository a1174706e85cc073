import type { AdapterSession } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { getOrigins, storedSessionId } from '../sessions/session-metadata.ts'
import {
  type DirectorySession,
  type MissingMethods,
  type SessionDirectory,
  toSessionInfo
} from './session-directory.ts'

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
  readonly hasUnlisted = false

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
    const forList = store.listSessions ? [] : ['listSessions']
    this.missingMethods = { list: forList, end: forList, endAll: store.deleteSessions ? [] : ['deleteSessions'] }
  }

  async listByUser(userId: string): Promise<readonly DirectorySession[]> {
    const { listSessions, getSessionRecords } = this.#store
    const rows = (await listSessions?.(userId)) ?? []
    const records = (await getSessionRecords?.({ userId })) ?? []
    const byToken = new Map(records.map((record) => [record.sessionToken, record]))
    const live = rows.filter(({ expires }) => expires.getTime() > this.#now())
    return Promise.all(live.map((row) => this.#known(row, byToken.get(row.sessionToken))))
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
    return { info: toSessionInfo(record), origins: getOrigins(record), end: () => this.#end(sessionToken, record.id) }
  }

  async endAll(userId: string): Promise<void> {
    await this.#store.deleteSessions?.(userId)
  }

  async #known(row: AdapterSession, record: SessionRecord | undefined): Promise<DirectorySession> {
    const { sessionToken, userId, expires } = row
    const known = record && this.findByRecord(record)
    if (known) return { ...known, info: { ...known.info, expires } }
    const id = withUser(await storedSessionId(sessionToken), userId)
    return {
      info: { id, userId, expires, ...nothing },
      origins: [{ provider: null, providerSessionId: null }],
      end: () => this.#end(sessionToken)
    }
  }

  async #end(sessionToken: string, id?: string): Promise<void> {
    await this.#store.deleteSession(sessionToken)
    if (id !== undefined) await this.#store.deleteSessionRecord?.(id)
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
