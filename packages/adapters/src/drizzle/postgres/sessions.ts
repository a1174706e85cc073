import type { AdapterSession } from '@postern/core'
import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder, unnamedPlaceholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'
import { insertRecord } from './records.ts'

/** The methods for sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, retryIdempotent, runOnce } = connection
  const { sessions, posternSessions } = tables
  const statements = lazy(() => prepareStatements(connection))
  const isToken = (sessionToken: string) => eq(sessions.sessionToken, sessionToken)
  const find = async (sessionToken: string): Promise<AdapterSession | null> =>
    (await db.select().from(sessions).where(isToken(sessionToken)))[0] ?? null
  return {
    createSession: ({ sessionToken, userId, expires }, record) => {
      const row: AdapterSession = { sessionToken, userId, expires }
      return runOnce(
        async () => {
          const noted = record && db.$with('noted').as(insertRecord(connection, record).returning())
          await (noted ? db.with(noted) : db).insert(sessions).values(row)
          return row
        },
        async () => {
          const found = await find(sessionToken)
          return found?.userId === userId ? found : null
        }
      )
    },
    getSessionAndUser: async (sessionToken) => {
      const [found] = await retryIdempotent(() => statements().withUser.execute({ sessionToken }))
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
    listSessions: (userId, limit) =>
      retryIdempotent(() =>
        limit === undefined ? statements().byUser.execute({ userId }) : selectLatest(connection, userId, limit)
      ),
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

/** The sessions of a user that expire last. */
function selectLatest({ db, tables }: Connection, userId: string, limit: number) {
  const { sessions } = tables
  return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.expires)).limit(limit)
}

function prepareStatements({ db, tables }: Connection) {
  const { sessions, users } = tables
  return {
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.sessionToken, placeholder('sessionToken')))
      .prepare(unnamedPlaceholder),
    byUser: db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, placeholder('userId')))
      .prepare(unnamedPlaceholder)
  }
}
