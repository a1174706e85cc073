import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, desc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'
import type { SessionInserter } from './insert-session.ts'
import { createPatch } from './patch.ts'
import type { RecordStatements } from './records.ts'
import { stablePlaceholder } from './stable-placeholder.ts'

const sessionToken = placeholder('sessionToken')
const userId = placeholder('userId')
const except = placeholder('except')

/** The synchronous parts of the methods that a transaction may contain. */
export function sessionOperations(connection: Connection, records: RecordStatements, { insert }: SessionInserter) {
  const statements = prepareChanges(connection)
  return {
    createSession: ({ sessionToken, userId, expires }: AdapterSession, record?: SessionRecord): AdapterSession => {
      const row: AdapterSession = { sessionToken, userId, expires }
      insert(row, record)
      return row
    },
    deleteSession: (sessionToken: string): AdapterSession | null => {
      records.deleteBySession(sessionToken)
      return statements.delete.all({ sessionToken })[0] ?? null
    },
    deleteSessions: (userId: string, except?: string): void => {
      records.deleteOfSessions(userId, except)
      statements.deleteByUser.run({ userId, except: except ?? null })
    }
  }
}

/** The methods for sessions. */
export function sessionMethods(connection: Connection) {
  const { read, write } = connection
  const statements = prepareStatements(connection)
  return {
    getSessionAndUser: (sessionToken) => read(() => statements.withUser.get({ sessionToken }) ?? null),
    updateSession: ({ sessionToken, ...changes }) =>
      write(() => {
        const patch = statements.bind(toSessionPatch(changes))
        return statements.patch.all({ sessionToken, ...patch })[0] ?? null
      }),
    listSessions: (userId, limit) =>
      read(() =>
        limit === undefined ? statements.byUser.all({ userId }) : statements.latestByUser().all({ userId, limit })
      )
  } satisfies Omit<SessionMethods, 'createSession' | 'deleteSession' | 'deleteSessions'>
}

function prepareStatements({ db, tables }: Connection) {
  const { sessions, users } = tables
  const isToken = eq(sessions.sessionToken, sessionToken)
  const { set, bind } = createPatch(sessions, ['userId', 'expires'])
  return {
    bind,
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.sessionToken, stablePlaceholder('sessionToken')))
      .prepare(),
    byUser: db.select().from(sessions).where(eq(sessions.userId, userId)).prepare(),
    latestByUser: lazy(() =>
      db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.expires))
        .limit(sql.placeholder('limit'))
        .prepare()
    ),
    patch: db.update(sessions).set(set).where(isToken).returning().prepare()
  }
}

function prepareChanges({ db, tables }: Connection) {
  const { sessions } = tables
  const isOther = or(isNull(except), ne(sessions.sessionToken, except))
  return {
    delete: db.delete(sessions).where(eq(sessions.sessionToken, sessionToken)).returning().prepare(),
    deleteByUser: db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), isOther))
      .prepare()
  }
}
