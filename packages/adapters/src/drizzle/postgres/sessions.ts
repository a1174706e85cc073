import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow, toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import { sessionQueries } from '../server/sessions.ts'
import type { Connection } from './connection.ts'
import { upsertRow } from './statements.ts'

/** The methods for sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, retryIdempotent, runOnce } = connection
  const { sessions, posternSessions } = tables
  const withUser = lazy(() => prepareWithUser(connection))
  const { find, findInserted, listSessions } = sessionQueries(connection)
  const isToken = (sessionToken: string) => eq(sessions.sessionToken, sessionToken)
  return {
    createSession: ({ sessionToken, userId, expires }, record) => {
      const row: AdapterSession = { sessionToken, userId, expires }
      return runOnce(
        async () => {
          const noted = record && insertRecord(connection, record)
          await (noted ? db.with(noted) : db).insert(sessions).values(row)
          return row
        },
        () => findInserted(row)
      )
    },
    getSessionAndUser: async (sessionToken) => {
      const [found] = await retryIdempotent(() => withUser().execute({ sessionToken }))
      return found ?? null
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const patch = toSessionPatch(changes)
      if (Object.keys(patch).length === 0) return retryIdempotent(() => find(sessionToken))
      const [row] = await retryIdempotent(() => db.update(sessions).set(patch).where(isToken(sessionToken)).returning())
      return row ?? null
    },
    deleteSession: async (sessionToken) => {
      const isRecord = eq(posternSessions.sessionToken, sessionToken)
      const forgotten = db.$with('forgotten').as(db.delete(posternSessions).where(isRecord).returning())
      const [row] = await retryIdempotent(() =>
        db.with(forgotten).delete(sessions).where(isToken(sessionToken)).returning()
      )
      return row ?? null
    },
    listSessions,
    deleteSessions: deletingAll(connection)
  } satisfies SessionMethods
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

function prepareWithUser({ db, tables }: Connection) {
  const { sessions, users } = tables
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.sessionToken, placeholder('sessionToken')))
    .prepare(unnamedPlaceholder)
}
