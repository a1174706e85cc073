import type { AdapterSession } from '../adapter/adapter.ts'
import type { SessionRecord } from '../adapter/session-record.ts'
import type { Store } from '../adapter/store.ts'
import { storedSessionId } from '../sessions/session-metadata.ts'
import { infoOf, type KnownSession, type KnownSessions, type Lacking } from './session-directory.ts'

const nothing = { provider: null, userAgent: null, address: null, createdAt: null, lastSeen: null }

/** The sessions that are rows of the store. */
export class StoredSessions implements KnownSessions {
  readonly #store: Store
  readonly #now: () => number
  readonly lacking: Lacking

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
    const forList = store.listSessions ? [] : ['listSessions']
    this.lacking = { list: forList, end: forList, endAll: store.deleteSessions ? [] : ['deleteSessions'] }
  }

  async of(userId: string): Promise<readonly KnownSession[]> {
    const { listSessions, getSessionRecords } = this.#store
    const rows = (await listSessions?.(userId)) ?? []
    const records = (await getSessionRecords?.({ userId })) ?? []
    const byToken = new Map(records.map((record) => [record.sessionToken, record]))
    const live = rows.filter(({ expires }) => expires.getTime() > this.#now())
    return Promise.all(live.map((row) => this.#known(row, byToken.get(row.sessionToken))))
  }

  async byId(id: string): Promise<KnownSession | null> {
    const [record] = (await this.#store.getSessionRecords?.({ id })) ?? []
    if (record) return this.byRecord(record)
    const userId = userIn(id)
    const known = userId === null ? [] : await this.of(userId)
    return known.find(({ info }) => info.id === id) ?? null
  }

  byRecord(record: SessionRecord): KnownSession | null {
    const { sessionToken, providerSessionId } = record
    if (sessionToken === null) return null
    return { info: infoOf(record), providerSessionId, end: () => this.#end(sessionToken, record.id) }
  }

  async endAll(userId: string): Promise<void> {
    await this.#store.deleteSessions?.(userId)
  }

  async #known(row: AdapterSession, record: SessionRecord | undefined): Promise<KnownSession> {
    const { sessionToken, userId, expires } = row
    const known = record && this.byRecord(record)
    if (known) return { ...known, info: { ...known.info, expires } }
    const id = withUser(await storedSessionId(sessionToken), userId)
    return { info: { id, userId, expires, ...nothing }, providerSessionId: null, end: () => this.#end(sessionToken) }
  }

  async #end(sessionToken: string, id?: string): Promise<void> {
    await this.#store.deleteSession(sessionToken)
    if (id !== undefined) await this.#store.deleteSessionRecord?.(id)
  }
}

/** A session without a record is found among its user's. */
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
