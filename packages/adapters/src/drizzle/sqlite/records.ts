import type { SessionRecord } from '@postern/core'
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { RecordMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import { createEncode } from '../encode.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

const { id, ...columns } = {
  id: named('id'),
  userId: named('userId'),
  sessionToken: named('sessionToken'),
  provider: named('provider'),
  providerSessionId: named('providerSessionId'),
  userAgent: named('userAgent'),
  address: named('address'),
  createdAt: named('createdAt'),
  lastSeen: named('lastSeen'),
  expires: named('expires')
}
const except = named('except')

/** The statements on records that go along with those on sessions and users. */
export interface RecordStatements {
  /** @returns The version of the user's revocations, 0 for none. */
  readonly put: (record: SessionRecord) => number
  readonly deleteBySession: (sessionToken: string) => void
  /** Deletes those of a user, but for the one of the session `except`. */
  readonly deleteByUser: (userId: string, except?: string) => void
}

/** Prepares the statements that go along with others. */
export function prepareRecordStatements({ db, tables }: Connection): RecordStatements {
  const { posternSessions: records, posternRevocations: revocations } = tables
  const bind = createEncode(records)
  const isTheirs = eq(revocations.subject, named('subject'))
  const version = sql<number | null>`(select ${revocations.version} from ${revocations} where ${isTheirs})`
  const put = db
    .insert(records)
    .values({ id, ...columns })
    .onConflictDoUpdate({ target: records.id, set: columns })
    .returning({ version })
    .prepare()
  const deleteBySession = db.delete(records).where(eq(records.sessionToken, columns.sessionToken)).prepare()
  const isOther = or(isNull(except), isNull(records.sessionToken), ne(records.sessionToken, except))
  const deleteByUser = db
    .delete(records)
    .where(and(eq(records.userId, columns.userId), isOther))
    .prepare()
  return {
    put: (record) => {
      const [row] = put.all({ ...bind(toRecordRow(record)), subject: `user:${record.userId}` })
      return Number(row?.version ?? 0)
    },
    deleteBySession: (sessionToken) => void deleteBySession.run({ sessionToken }),
    deleteByUser: (userId, except) => void deleteByUser.run({ userId, except: except ?? null })
  }
}

/** The methods that concern the records of sessions. */
export function recordMethods(connection: Connection, statements: RecordStatements): RecordMethods {
  const { db, tables, read, write } = connection
  const { posternSessions: records } = tables
  const byId = db.select().from(records).where(eq(records.id, id)).prepare()
  const byUser = db.select().from(records).where(eq(records.userId, columns.userId)).prepare()
  const isProviderSession = and(
    eq(records.provider, columns.provider),
    eq(records.providerSessionId, columns.providerSessionId)
  )
  const byProvider = db.select().from(records).where(isProviderSession).prepare()
  const remove = db.delete(records).where(eq(records.id, id)).prepare()
  return {
    putSessionRecord: (record) => write(() => ({ userVersion: statements.put(record) })),
    getSessionRecords: (query) =>
      read(() => {
        if ('id' in query) return byId.all({ id: query.id })
        if ('userId' in query) return byUser.all({ userId: query.userId })
        return byProvider.all({ provider: query.provider, providerSessionId: query.providerSessionId })
      }),
    deleteSessionRecord: (id) => write(() => void remove.run({ id }))
  }
}
