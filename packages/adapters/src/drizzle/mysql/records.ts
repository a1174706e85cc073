import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import { and, desc } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import { type Connection, getAffectedRows } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'

/** The methods for session records. */
export function recordMethods(connection: Connection): RecordMethods {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { posternSessions } = tables
  return {
    putSessionRecord: (record) =>
      retryIdempotent(async () => {
        // A record that has never been used is most likely new. A pool may count changed rows only: then it is found by its key.
        const isUsed = record.lastSeen > record.createdAt
        if (isUsed && getAffectedRows(await updateRecord(connection, record))) return
        await insertRecord(connection, record)
      }),
    getSessionRecords: (query) => {
      const condition = toCondition(connection, query)
      const limit = 'userId' in query ? query.limit : undefined
      return retryIdempotent(() => {
        const found = db.select().from(posternSessions).where(condition)
        return limit === undefined ? found : found.orderBy(desc(posternSessions.expires)).limit(limit)
      })
    },
    deleteSessionRecord: async (id) => {
      await retryIdempotent(() => db.delete(posternSessions).where(isExactly(posternSessions.id, id)))
    }
  }
}

/**
 * Inserts a record, or replaces one with the same id.
 *
 * `on duplicate key update` would also replace the record of another id with the same session.
 */
export async function insertRecord(connection: Connection, record: SessionRecord): Promise<unknown> {
  const { db, tables, fit, isExactly } = connection
  const { posternSessions } = tables
  try {
    return await db.insert(posternSessions).values(fit(posternSessions, toRecordRow(record)))
  } catch (error) {
    if (!errorClassifier.isDuplicate(error)) throw error
    const isThere = await db
      .select()
      .from(posternSessions)
      .where(isExactly(posternSessions.id, record.id))
      .for('update')
    if (isThere.length === 0) throw error
    return updateRecord(connection, record)
  }
}

function updateRecord({ db, tables, fit, isExactly }: Connection, record: SessionRecord): Promise<unknown> {
  const { posternSessions } = tables
  const { id, ...changes } = fit(posternSessions, toRecordRow(record))
  return db.update(posternSessions).set(changes).where(isExactly(posternSessions.id, id)).execute()
}

function toCondition({ tables, isExactly }: Connection, query: SessionRecordQuery) {
  const { posternSessions: records } = tables
  if ('userId' in query) return isExactly(records.userId, query.userId)
  if ('id' in query) return isExactly(records.id, query.id)
  return and(isExactly(records.provider, query.provider), isExactly(records.providerSessionId, query.providerSessionId))
}
