import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import { and, desc, eq } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import type { Connection } from './connection.ts'

/** The methods for session records. */
export function recordMethods(connection: Connection): RecordMethods {
  const { db, tables, retryIdempotent } = connection
  const { posternSessions } = tables
  return {
    putSessionRecord: async (record) => {
      await retryIdempotent(() => insertRecord(connection, record))
    },
    getSessionRecords: (query) => {
      const condition = toCondition(posternSessions, query)
      const limit = 'userId' in query ? query.limit : undefined
      return retryIdempotent(() => {
        const found = db.select().from(posternSessions).where(condition)
        return limit === undefined ? found : found.orderBy(desc(posternSessions.expires)).limit(limit)
      })
    },
    deleteSessionRecord: async (id) => {
      await retryIdempotent(() => db.delete(posternSessions).where(eq(posternSessions.id, id)))
    }
  }
}

/** The statement that inserts a record, or replaces one with the same id. */
export function insertRecord({ db, tables }: Pick<Connection, 'db' | 'tables'>, record: SessionRecord) {
  const { posternSessions } = tables
  const { id, ...rest } = toRecordRow(record)
  return db
    .insert(posternSessions)
    .values({ id, ...rest })
    .onConflictDoUpdate({ target: posternSessions.id, set: rest })
}

function toCondition(records: Connection['tables']['posternSessions'], query: SessionRecordQuery) {
  if ('userId' in query) return eq(records.userId, query.userId)
  if ('id' in query) return eq(records.id, query.id)
  return and(eq(records.provider, query.provider), eq(records.providerSessionId, query.providerSessionId))
}
