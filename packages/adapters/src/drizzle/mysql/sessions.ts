import type { Adapter, AdapterSession } from '@postern/core'
import { load } from '../load.ts'
import { named } from '../named.ts'
import { toSessionPatch } from '../rows.ts'
import { affectedRowsOf, type Connection } from './connection.ts'
import { isExactly, isNotExactly } from './exact.ts'

const { and, eq }: typeof import('drizzle-orm') = load('drizzle-orm')

type SessionMethods = Pick<
  Required<Adapter>,
  'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'
>

/** The methods that concern sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, safe, once } = connection
  const { sessions } = tables
  const statements = prepareStatements(connection)
  const isToken = (sessionToken: string) => isExactly(sessions.sessionToken, sessionToken)
  const find = async (sessionToken: string): Promise<AdapterSession | null> =>
    (await db.select().from(sessions).where(isToken(sessionToken)))[0] ?? null
  return {
    createSession: ({ sessionToken, userId, expires }) => {
      const row: AdapterSession = { sessionToken, userId, expires }
      return once(
        async () => {
          await db.insert(sessions).values(row)
          return row
        },
        async () => {
          const found = await find(sessionToken)
          return found?.userId === userId ? found : null
        }
      )
    },
    getSessionAndUser: async (sessionToken) => {
      const [found] = await safe(() => statements.withUser.execute({ sessionToken }))
      return found ?? null
    },
    updateSession: ({ sessionToken, ...changes }) => {
      const patch = toSessionPatch(changes)
      return safe(async () => {
        if (Object.keys(patch).length > 0) await db.update(sessions).set(patch).where(isToken(sessionToken))
        return find(sessionToken)
      })
    },
    deleteSession: (sessionToken) =>
      safe(async () => {
        const found = await find(sessionToken)
        if (!found) return null
        const result = await db.delete(sessions).where(isToken(sessionToken))
        return affectedRowsOf(result) === 1 ? found : null
      }),
    listSessions: (userId) => safe(() => statements.byUser.execute({ userId })),
    deleteSessions: async (userId, except) => {
      const isOther = except === undefined ? undefined : isNotExactly(sessions.sessionToken, except)
      await safe(() => db.delete(sessions).where(and(isExactly(sessions.userId, userId), isOther)))
    }
  } satisfies SessionMethods
}

function prepareStatements({ db, tables }: Connection) {
  const { sessions, users } = tables
  return {
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(isExactly(sessions.sessionToken, named('sessionToken')))
      .prepare(),
    byUser: db
      .select()
      .from(sessions)
      .where(isExactly(sessions.userId, named('userId')))
      .prepare()
  }
}
