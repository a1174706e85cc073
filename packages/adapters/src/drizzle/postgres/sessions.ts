import type { AdapterSession } from '@postern/core'
import { and, eq, isNull, ne, or } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toSessionPatch } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { named, unnamed } from '../named.ts'
import type { Connection } from './connection.ts'
import { insertRecord } from './records.ts'

/** The methods that concern sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, safe, once } = connection
  const { sessions, posternSessions } = tables
  const statements = lazily(() => prepareStatements(connection))
  const isToken = (sessionToken: string) => eq(sessions.sessionToken, sessionToken)
  const find = async (sessionToken: string): Promise<AdapterSession | null> =>
    (await db.select().from(sessions).where(isToken(sessionToken)))[0] ?? null
  return {
    createSession: ({ sessionToken, userId, expires }, record) => {
      const row: AdapterSession = { sessionToken, userId, expires }
      return once(
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
      const [found] = await safe(() => statements().withUser.execute({ sessionToken }))
      return found ?? null
    },
    updateSession: async ({ sessionToken, ...changes }) => {
      const patch = toSessionPatch(changes)
      if (Object.keys(patch).length === 0) return safe(() => find(sessionToken))
      const [row] = await safe(() => db.update(sessions).set(patch).where(isToken(sessionToken)).returning())
      return row ?? null
    },
    deleteSession: async (sessionToken) => {
      const isRecord = eq(posternSessions.sessionToken, sessionToken)
      const forgotten = db.$with('forgotten').as(db.delete(posternSessions).where(isRecord).returning())
      const [row] = await safe(() => db.with(forgotten).delete(sessions).where(isToken(sessionToken)).returning())
      return row ?? null
    },
    listSessions: (userId) => safe(() => statements().byUser.execute({ userId })),
    deleteSessions: deletingAll(connection)
  } satisfies SessionMethods
}

/** Sessions and records go in one statement. */
function deletingAll({ db, tables, safe }: Connection): SessionMethods['deleteSessions'] {
  const { sessions, posternSessions } = tables
  const { sessionToken } = posternSessions
  return async (userId, except) => {
    const isOther = except === undefined ? undefined : ne(sessions.sessionToken, except)
    const isOtherRecord = except === undefined ? undefined : or(isNull(sessionToken), ne(sessionToken, except))
    const forget = db.delete(posternSessions).where(and(eq(posternSessions.userId, userId), isOtherRecord))
    const forgotten = db.$with('forgotten').as(forget.returning())
    await safe(() =>
      db
        .with(forgotten)
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), isOther))
    )
  }
}

function prepareStatements({ db, tables }: Connection) {
  const { sessions, users } = tables
  return {
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.sessionToken, named('sessionToken')))
      .prepare(unnamed),
    byUser: db
      .select()
      .from(sessions)
      .where(eq(sessions.userId, named('userId')))
      .prepare(unnamed)
  }
}
