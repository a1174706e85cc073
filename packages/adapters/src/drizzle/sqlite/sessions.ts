import type { Adapter, AdapterSession } from '@postern/core'
import { createEncode } from '../encode.ts'
import { load } from '../load.ts'
import { named } from '../named.ts'
import { toSessionPatch } from '../rows.ts'
import type { Connection } from './connection.ts'

const { and, eq, isNull, ne, or }: typeof import('drizzle-orm') = load('drizzle-orm')

type SessionMethods = Pick<
  Required<Adapter>,
  'createSession' | 'getSessionAndUser' | 'updateSession' | 'deleteSession' | 'listSessions' | 'deleteSessions'
>

const sessionToken = named('sessionToken')
const userId = named('userId')
const expires = named('expires')
const except = named('except')

/** The methods that concern sessions. */
export function sessionMethods(connection: Connection) {
  const { tables, read, write, transaction } = connection
  const bind = createEncode(tables.sessions)
  const statements = prepareStatements(connection)
  return {
    createSession: ({ sessionToken, userId, expires }) =>
      write(() => {
        const row: AdapterSession = { sessionToken, userId, expires }
        statements.insert.run(bind(row))
        return row
      }),
    getSessionAndUser: (sessionToken) => read(() => statements.withUser.get({ sessionToken }) ?? null),
    updateSession: ({ sessionToken, ...changes }) =>
      transaction(() => {
        const before = statements.byToken.get({ sessionToken })
        if (!before) return null
        const row = { ...before, ...toSessionPatch(changes) }
        statements.update.run(bind(row))
        return row
      }),
    deleteSession: (sessionToken) => write(() => statements.delete.all({ sessionToken })[0] ?? null),
    listSessions: (userId) => read(() => statements.byUser.all({ userId })),
    deleteSessions: (userId, except) =>
      write(() => {
        statements.deleteByUser.run({ userId, except: except ?? null })
      })
  } satisfies SessionMethods
}

function prepareStatements({ db, tables }: Connection) {
  const { sessions, users } = tables
  const isToken = eq(sessions.sessionToken, sessionToken)
  const isUser = eq(sessions.userId, userId)
  const isOther = or(isNull(except), ne(sessions.sessionToken, except))
  return {
    insert: db.insert(sessions).values({ sessionToken, userId, expires }).prepare(),
    byToken: db.select().from(sessions).where(isToken).prepare(),
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(isToken)
      .prepare(),
    byUser: db.select().from(sessions).where(isUser).prepare(),
    update: db.update(sessions).set({ userId, expires }).where(isToken).prepare(),
    delete: db.delete(sessions).where(isToken).returning().prepare(),
    deleteByUser: db.delete(sessions).where(and(isUser, isOther)).prepare()
  }
}
