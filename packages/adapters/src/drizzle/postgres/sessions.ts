import type { SessionRecord } from '@postern/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import * as server from '../server/sessions.ts'
import type { Connection } from './connection.ts'
import { upsertRow } from './statements.ts'

/** The methods that write sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, retryIdempotent } = connection
  const { sessions, posternSessions } = tables
  const isToken = (sessionToken: string) => eq(sessions.sessionToken, sessionToken)
  return {
    ...server.sessionMethods(connection, {
      insert: (row, record) => {
        const noted = record && insertRecord(connection, record)
        return (noted ? db.with(noted) : db).insert(sessions).values(row)
      },
      update: async (sessionToken, patch) =>
        (await db.update(sessions).set(patch).where(isToken(sessionToken)).returning())[0]
    }),
    deleteSession: async (sessionToken) => {
      const isRecord = eq(posternSessions.sessionToken, sessionToken)
      const forgotten = db.$with('forgotten').as(db.delete(posternSessions).where(isRecord).returning())
      const [row] = await retryIdempotent(() =>
        db.with(forgotten).delete(sessions).where(isToken(sessionToken)).returning()
      )
      return row ?? null
    },
    deleteSessions: deletingAll(connection)
  } satisfies Omit<SessionMethods, 'getSessionAndUser' | 'listSessions'>
}

/** One statement deletes sessions and records. */
function deletingAll({ db, tables, retryIdempotent }: Connection): SessionMethods['deleteSessions'] {
  const { sessions, posternSessions } = tables
  const { sessionToken } = posternSessions
  return async (userId, except) => {
    const isOther = except === undefined ? undefined : ne(sessions.sessionToken, except)
    const isOtherRecord = except === undefined ? isNotNull(sessionToken) : ne(sessionToken, except)
    const forget = db.delete(posternSessions).where(and(eq(posternSessions.userId, userId), isOtherRecord))
    const forgotten = db.$with('forgotten').as(forget.returning())
    await retryIdempotent(() =>
      db
        .with(forgotten)
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), isOther))
    )
  }
}

/** The part of a statement that inserts a record, or replaces the one with its id. */
function insertRecord({ db, tables: { posternSessions: records } }: Connection, record: SessionRecord) {
  return db.$with('noted').as(upsertRow(db, [records, { id: records.id }], toRecordRow(record)).returning())
}
