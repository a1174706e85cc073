import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow, toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { sessionQueries } from '../server/sessions.ts'
import { isNotExactly } from './binary-compare.ts'
import { type Connection, within } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'
import { getAffectedRows } from './results.ts'

/** The methods for sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { sessions, posternSessions: records } = tables
  const withUser = lazy(() => prepareWithUser(connection))
  const isToken = (sessionToken: string) => isExactly(sessions.sessionToken, sessionToken)
  const { find, findInserted, listSessions } = sessionQueries(connection)
  return {
    createSession: creating(connection, findInserted),
    getSessionAndUser: async (sessionToken) => {
      const [found] = await retryIdempotent(() => withUser().execute({ sessionToken }))
      return found ?? null
    },
    updateSession: ({ sessionToken, ...changes }) => {
      const patch = toSessionPatch(changes)
      return retryIdempotent(async () => {
        if (Object.keys(patch).length > 0) await db.update(sessions).set(patch).where(isToken(sessionToken))
        return find(sessionToken)
      })
    },
    deleteSession: (sessionToken) =>
      retryIdempotent(async () => {
        const found = await find(sessionToken)
        if (!found) return null
        // One statement deletes both: the affected rows are the session, and its record if there is one.
        const result = await db.execute(sql`
          delete ${sessions}, ${records} from ${sessions} left join ${records}
            on ${isExactly(records.sessionToken, sessionToken)}
          where ${isToken(sessionToken)}`)
        return Number(getAffectedRows(result)) > 0 ? found : null
      }),
    listSessions,
    deleteSessions: deletingAll(connection)
  } satisfies SessionMethods
}

function creating(
  connection: Connection,
  find: (session: AdapterSession) => Promise<AdapterSession | null>
): SessionMethods['createSession'] {
  const { db, tables, fit, runOnce, transaction } = connection
  const { sessions, posternSessions: records } = tables
  const together = createBoth(connection)
  return ({ sessionToken, userId, expires }, record) => {
    const row: AdapterSession = { sessionToken, userId, expires }
    return runOnce(
      async () => {
        if (!record) await db.insert(sessions).values(row)
        else if (!(await together(row, record)))
          await transaction(async (db) => {
            await db.insert(sessions).values(row)
            const written = fit(records, toRecordRow(record))
            await within(connection, db).statements.upsert(records, { id: records.id }, { row: written })
          })
        return row
      },
      () => find(row)
    )
  }
}

function deletingAll({
  tables,
  isExactly,
  retryIdempotent,
  transaction
}: Connection): SessionMethods['deleteSessions'] {
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

function prepareWithUser({ db, tables, isExactly }: Connection) {
  const { sessions, users } = tables
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(isExactly(sessions.sessionToken, sql.placeholder('sessionToken')))
    .prepare()
}
