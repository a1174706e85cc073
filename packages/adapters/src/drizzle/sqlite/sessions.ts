import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import type { recordOperations } from '../operations/records.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'
import { createPatch } from './patch.ts'

const userId = placeholder('userId')
const except = placeholder('except')

/** The synchronous parts of the methods that a transaction may contain. */
export function sessionOperations(
  connection: Connection,
  { putSessionRecord }: Pick<ReturnType<typeof recordOperations>, 'putSessionRecord'>
) {
  const { sessions, posternSessions: records } = connection.tables
  const deletions = lazy(() => prepareDeletions(connection))
  const deleteRecord = connection.statements.delete(records, { sessionToken: records.sessionToken })
  const insert = connection.statements.insert(sessions)
  const take = connection.statements.take(sessions, { sessionToken: sessions.sessionToken })
  return {
    createSession: ({ sessionToken, userId, expires }: AdapterSession, record?: SessionRecord): AdapterSession => {
      const row: AdapterSession = { sessionToken, userId, expires }
      insert(row)
      if (record) putSessionRecord(record)
      return row
    },
    deleteSession: (sessionToken: string) => {
      deleteRecord({ sessionToken })
      return take({ sessionToken })
    },
    deleteSessions: (userId: string, except?: string): void => {
      for (const statement of deletions()) statement.run({ userId, except: except ?? null })
    }
  }
}

/** The statements that delete the sessions of a user with their records, except the one of the session `except`. */
function prepareDeletions({ db, tables }: Connection) {
  const { sessions, posternSessions: records } = tables
  const areOther = ({ userId: owner, sessionToken }: typeof sessions | typeof records) =>
    and(eq(owner, userId), isNotNull(sessionToken), or(isNull(except), ne(sessionToken, except)))
  return [
    db.delete(records).where(areOther(records)).prepare(),
    db.delete(sessions).where(areOther(sessions)).prepare()
  ]
}

/** The method that updates a session. */
export function sessionMethods({ db, tables: { sessions }, write }: Connection): Pick<SessionMethods, 'updateSession'> {
  const isToken = eq(sessions.sessionToken, placeholder('sessionToken'))
  const patch = createPatch(sessions, ['userId', 'expires'], (set) =>
    db.update(sessions).set(set).where(isToken).returning().prepare()
  )
  return {
    updateSession: ({ sessionToken, ...changes }) => write(() => patch({ sessionToken }, toSessionPatch(changes)))
  }
}
