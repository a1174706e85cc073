import type { SessionRecord, SessionRecordQuery } from '@postern/core'
import { toRecordRow } from '../../rows.ts'
import { isKey } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'
import { createList } from './list-by-user.ts'

/** Reads session records. */
export function recordQueries(access: TableAccess) {
  const { posternSessions: records } = access.tables
  const { isExactly, prepare } = access.statements
  const { id, provider, providerSessionId } = records
  const byId = prepare(records, () => ({ where: isKey(isExactly, { id }) }))
  const byProvider = prepare(records, () => ({ where: isKey(isExactly, { provider, providerSessionId }) }))
  const list = createList(access, records)
  return {
    getSessionRecords: (query: SessionRecordQuery) => {
      if ('id' in query) return byId({ id: query.id })
      if ('userId' in query) return list(query.userId, query.limit)
      return byProvider({ provider: query.provider, providerSessionId: query.providerSessionId })
    }
  }
}

/** Writes session records. */
export function recordOperations({ tables: { posternSessions: records }, statements }: TableAccess) {
  const put = statements.upsert(records, { id: records.id })
  const remove = statements.delete(records, { id: records.id })
  return {
    // A record that has never been used is most likely new.
    putSessionRecord: (record: SessionRecord) => put(toRecordRow(record), record.lastSeen > record.createdAt),
    deleteSessionRecord: (id: string) => remove({ id })
  }
}
