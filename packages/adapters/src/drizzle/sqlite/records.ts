import type { SessionRecord } from '@postern/core'
import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { lazy } from '../lazy.ts'
import { placeholder, placeholders } from '../placeholder.ts'
import { tableColumns } from '../table-columns.ts'
import type { Connection } from './connection.ts'

const { id, ...columns } = placeholders(tableColumns.records.columns)
const except = placeholder('except')

/** The statements on records that accompany those on sessions and users. */
export interface RecordStatements {
  readonly put: (record: SessionRecord) => void
  readonly delete: (id: string) => void
  readonly deleteBySession: (sessionToken: string) => void
  readonly deleteByUser: (userId: string) => void
  /** Deletes the records of a user's database sessions, except the one of the session `except`. */
  readonly deleteOfSessions: (userId: string, except?: string) => void
}

/** Prepares the statements on records. */
export function prepareRecordStatements({ db, tables }: Connection): RecordStatements {
  const { posternSessions: records } = tables
  const bind = createEncode(records)
  const put = db
    .insert(records)
    .values({ id, ...columns })
    .onConflictDoUpdate({ target: records.id, set: columns })
    .prepare()
  const deleteById = db.delete(records).where(eq(records.id, id)).prepare()
  const deleteBySession = db.delete(records).where(eq(records.sessionToken, columns.sessionToken)).prepare()
  const isOfUser = eq(records.userId, columns.userId)
  const isOther = or(isNull(except), ne(records.sessionToken, except))
  const deleteByUser = db.delete(records).where(isOfUser).prepare()
  const deleteOfSessions = db
    .delete(records)
    .where(and(isOfUser, isNotNull(records.sessionToken), isOther))
    .prepare()
  return {
    put: (record) => void put.run(bind(toRecordRow(record))),
    delete: (id) => void deleteById.run({ id }),
    deleteBySession: (sessionToken) => void deleteBySession.run({ sessionToken }),
    deleteByUser: (userId) => void deleteByUser.run({ userId }),
    deleteOfSessions: (userId, except) => void deleteOfSessions.run({ userId, except: except ?? null })
  }
}

/** The synchronous parts of the methods that a transaction may contain. */
export function recordOperations(statements: RecordStatements) {
  return {
    putSessionRecord: (record: SessionRecord): void => statements.put(record),
    deleteSessionRecord: (id: string): void => statements.delete(id)
  }
}

/** The methods for session records. */
export function recordMethods({ db, tables, read }: Connection): Pick<RecordMethods, 'getSessionRecords'> {
  const { posternSessions: records } = tables
  const byId = db.select().from(records).where(eq(records.id, id)).prepare()
  const byUser = db.select().from(records).where(eq(records.userId, columns.userId)).prepare()
  const latestByUser = lazy(() =>
    db
      .select()
      .from(records)
      .where(eq(records.userId, columns.userId))
      .orderBy(desc(records.expires))
      .limit(sql.placeholder('limit'))
      .prepare()
  )
  const isProviderSession = and(
    eq(records.provider, columns.provider),
    eq(records.providerSessionId, columns.providerSessionId)
  )
  const byProvider = db.select().from(records).where(isProviderSession).prepare()
  return {
    getSessionRecords: (query) =>
      read(() => {
        if ('id' in query) return byId.all({ id: query.id })
        if ('userId' in query) {
          const { userId, limit } = query
          return limit === undefined ? byUser.all({ userId }) : latestByUser().all({ userId, limit })
        }
        return byProvider.all({ provider: query.provider, providerSessionId: query.providerSessionId })
      })
  }
}
