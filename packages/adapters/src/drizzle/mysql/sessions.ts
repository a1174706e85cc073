import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow, toSessionPatch } from '../../rows.ts'
import { lazy } from '../lazy.ts'
import { isNotExactly } from './binary-compare.ts'
import { type Connection, getAffectedRows, within } from './connection.ts'
import { errorClassifier } from './driver-errors.ts'
import { insertRecord } from './records.ts'

/** The methods for sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, isExactly, retryIdempotent } = connection
  const { sessions, posternSessions: records } = tables
  const statements = lazy(() => prepareStatements(connection))
  const isToken = (sessionToken: string) => isExactly(sessions.sessionToken, sessionToken)
  const find = async (sessionToken: string): Promise<AdapterSession | null> =>
    (await db.select().from(sessions).where(isToken(sessionToken)))[0] ?? null
  return {
    createSession: creating(connection, find),
    getSessionAndUser: async (sessionToken) => {
      const [found] = await retryIdempotent(() => statements().withUser.execute({ sessionToken }))
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
    listSessions: (userId, limit) =>
      retryIdempotent(() =>
        limit === undefined ? statements().byUser.execute({ userId }) : selectLatest(connection, userId, limit)
      ),
    deleteSessions: deletingAll(connection)
  } satisfies SessionMethods
}

function creating(
  connection: Connection,
  find: (sessionToken: string) => Promise<AdapterSession | null>
): SessionMethods['createSession'] {
  const { db, tables, runOnce, transaction } = connection
  const { sessions } = tables
  const together = createBoth(connection)
  return ({ sessionToken, userId, expires }, record) => {
    const row: AdapterSession = { sessionToken, userId, expires }
    return runOnce(
      async () => {
        if (!record) await db.insert(sessions).values(row)
        else if (!(await together(row, record)))
          await transaction(async (db) => {
            await db.insert(sessions).values(row)
            await insertRecord(within(connection, db), record)
          })
        return row
      },
      async () => {
        const found = await find(sessionToken)
        return found?.userId === userId ? found : null
      }
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

/** The sessions of a user that expire last. */
function selectLatest({ db, tables, isExactly }: Connection, userId: string, limit: number) {
  const { sessions } = tables
  return db
    .select()
    .from(sessions)
    .where(isExactly(sessions.userId, userId))
    .orderBy(desc(sessions.expires))
    .limit(limit)
}

function prepareStatements({ db, tables, isExactly }: Connection) {
  const { sessions, users } = tables
  return {
    withUser: db
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(isExactly(sessions.sessionToken, sql.placeholder('sessionToken')))
      .prepare(),
    byUser: db
      .select()
      .from(sessions)
      .where(isExactly(sessions.userId, sql.placeholder('userId')))
      .prepare()
  }
}
