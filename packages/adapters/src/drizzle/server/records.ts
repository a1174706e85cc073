import { and, desc } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import type { ServerConnection } from './connection.ts'

/** The methods for session records. */
export function recordMethods({ tables, statements, fit, retryIdempotent }: ServerConnection): RecordMethods {
  const { posternSessions: records } = tables
  const { isExactly } = statements
  return {
    putSessionRecord: (record) => {
      // A record that has never been used is most likely new.
      const isKnown = record.lastSeen > record.createdAt
      return retryIdempotent(() =>
        statements.upsert(records, { id: records.id }, { row: fit(records, toRecordRow(record)), isKnown })
      )
    },
    getSessionRecords: (query) => {
      if ('userId' in query) {
        const { userId, limit } = query
        const orderBy = limit === undefined ? [] : [desc(records.expires)]
        return retryIdempotent(() =>
          statements.select(records, { where: isExactly(records.userId, userId), orderBy, limit })
        )
      }
      const where =
        'id' in query
          ? isExactly(records.id, query.id)
          : and(
              isExactly(records.provider, query.provider),
              isExactly(records.providerSessionId, query.providerSessionId)
            )
      return retryIdempotent(() => statements.select(records, { where }))
    },
    deleteSessionRecord: (id) => retryIdempotent(() => statements.delete(records, isExactly(records.id, id)))
  }
}
