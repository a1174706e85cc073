import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import type { RecordMethods } from '../methods.ts'
import { latest } from './latest.ts'
import type { Store } from './store.ts'

/** The methods for session records. */
export function recordMethods({ records }: Store): Pick<RecordMethods, 'getSessionRecords'> {
  return {
    getSessionRecords: async (query) => {
      if ('userId' in query) return records.filter(({ userId }) => userId === query.userId, latest(query.limit))
      if (!('id' in query)) return records.filter((record) => matches(record, query))
      const record = records.get(query.id)
      return record ? [record] : []
    }
  }
}

function matches(record: SessionRecord, query: Extract<SessionRecordQuery, { provider: string }>): boolean {
  return record.provider === query.provider && record.providerSessionId === query.providerSessionId
}
