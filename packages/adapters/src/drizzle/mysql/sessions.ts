import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, isNotNull, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow } from '../../rows.ts'
import * as server from '../server/sessions.ts'
import { isNotExactly } from './binary-compare.ts'
import { type Connection, within } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'
import { getAffectedRows } from './results.ts'

/** The methods that write sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, isExactly, statements, retryIdempotent } = connection
  const { sessions, posternSessions: records } = tables
  const isToken = (sessionToken: string) => isExactly(sessions.sessionToken, sessionToken)
  const find = statements.find(sessions, { sessionToken: sessions.sessionToken })
  return {
    ...server.sessionMethods(connection, {
      insert: createInsert(connection),
      update: async (sessionToken, patch) => {
        await db.update(sessions).set(patch).where(isToken(sessionToken))
        return find({ sessionToken })
      }
    }),
    deleteSession: (sessionToken) =>
      retryIdempotent(async () => {
        const found = await find({ sessionToken })
        if (!found) return null
        // One statement deletes both: the affected rows are the session, and its record if there is one.
        const result = await db.execute(sql`
          delete ${sessions}, ${records} from ${sessions} left join ${records}
            on ${isExactly(records.sessionToken, sessionToken)}
          where ${isToken(sessionToken)}`)
        return Number(getAffectedRows(result)) > 0 ? found : null
      }),
    deleteSessions: deletingAll(connection)
  } satisfies Omit<SessionMethods, 'getSessionAndUser' | 'listSessions'>
}

function createInsert(connection: Connection): server.SessionStatements['insert'] {
  const { db, tables, transaction } = connection
  const { sessions, posternSessions: records } = tables
  const together = createBoth(connection)
  return async (row, record) => {
    if (!record) return db.insert(sessions).values(row)
    if (await together(row, record)) return null
    return transaction(async (db) => {
      await db.insert(sessions).values(row)
      await within(connection, db).statements.upsert(records, { id: records.id })(toRecordRow(record))
    })
  }
}

function deletingAll(connection: Connection): SessionMethods['deleteSessions'] {
  const { tables, isExactly, retryIdempotent, transaction } = connection
  const { sessions, posternSessions: records } = tables
  return async (userId, except) => {
    const isOther = except === undefined ? undefined : isNotExactly(sessions.sessionToken, except)
    const isOtherRecord =
      except === undefined ? isNotNull(records.sessionToken) : isNotExactly(records.sessionToken, except)
    await retryIdempotent(() =>
      transaction(async (db) => {
        await db.delete(sessions).where(and(isExactly(sessions.userId, userId), isOther))
        await db.delete(records).where(and(isExactly(records.userId, userId), isOtherRecord))
      })
    )
  }
}

/** Writes a session and its record at once. @returns `false`, without any effect, if that is not possible. */
function createBoth({ db, tables, fit, compoundStatement }: Connection) {
  const { sessions, posternSessions: records } = tables
  return (row: AdapterSession, record: SessionRecord): Promise<boolean> => {
    const noted = db.insert(records).values(fit(records, toRecordRow(record)))
    return compoundStatement([db.insert(sessions).values(row).getSQL(), noted.getSQL()]).catch((error: unknown) => {
      // The duplicate may be the existing record, which is then replaced.
      if (errorClassifier.isDuplicate(error)) return false
      throw error
    })
  }
}
