import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import type { RecordMethods } from '../methods.ts'
import { toRecordRow } from '../rows.ts'
import { latest } from './latest.ts'
import { requireOwnSession, type Store } from './store.ts'

/** The methods for session records. */
export function recordMethods(store: Store): RecordMethods {
  const { records, revocations } = store
  return {
    putSessionRecord: async (record) => {
      requireOwnSession(store, record)
      records.replace(toRecordRow(record))
      return { userVersion: revocations.get(`user:${record.userId}`)?.version ?? 0 }
    },
    getSessionRecords: async (query) => {
      if ('userId' in query) return records.filter(({ userId }) => userId === query.userId, latest(query.limit))
      if (!('id' in query)) return records.filter((record) => matches(record, query))
      const record = records.get(query.id)
      return record ? [record] : []
    },
    deleteSessionRecord: async (id) => records.take(id)
  }
}

function matches(record: SessionRecord, query: Extract<SessionRecordQuery, { provider: string }>): boolean {
  return record.provider === query.provider && record.providerSessionId === query.providerSessionId
}
