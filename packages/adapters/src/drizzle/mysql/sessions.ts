import type { AdapterSession, SessionRecord } from '@postern/core'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { toRecordRow, toSessionPatch } from '../../rows.ts'
import { lazily } from '../lazy.ts'
import { faults } from './driver-errors.ts'
import { affectedRowsOf, type Connection, within } from './connection.ts'
import { isNotExactly } from './binary-compare.ts'
import { insertRecord } from './records.ts'

/** The methods that concern sessions. */
export function sessionMethods(connection: Connection) {
  const { db, tables, isExactly, safe } = connection
  const { sessions, posternSessions: records } = tables
  const statements = lazily(() => prepareStatements(connection))
  const isToken = (sessionToken: string) => isExactly(sessions.sessionToken, sessionToken)
  const find = async (sessionToken: string): Promise<AdapterSession | null> =>
    (await db.select().from(sessions).where(isToken(sessionToken)))[0] ?? null
  return {
    createSession: creating(connection, find),
    getSessionAndUser: async (sessionToken) => {
      const [found] = await safe(() => statements().withUser.execute({ sessionToken }))
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
        // One statement for both: affected are the session, and its record where it has one.
        const result = await db.execute(sql`
          delete ${sessions}, ${records} from ${sessions} left join ${records}
            on ${isExactly(records.sessionToken, sessionToken)}
          where ${isToken(sessionToken)}`)
        return Number(affectedRowsOf(result)) > 0 ? found : null
      }),
    listSessions: (userId) => safe(() => statements().byUser.execute({ userId })),
    deleteSessions: deletingAll(connection)
  } satisfies SessionMethods
}

function creating(
  connection: Connection,
  find: (sessionToken: string) => Promise<AdapterSession | null>
): SessionMethods['createSession'] {
  const { db, tables, once, transaction } = connection
  const { sessions } = tables
  const together = createBoth(connection)
  return ({ sessionToken, userId, expires }, record) => {
    const row: AdapterSession = { sessionToken, userId, expires }
    return once(
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

function deletingAll({ tables, isExactly, safe, transaction }: Connection): SessionMethods['deleteSessions'] {
  const { sessions, posternSessions: records } = tables
  return async (userId, except) => {
    const isOther = except === undefined ? undefined : isNotExactly(sessions.sessionToken, except)
    const isOtherRecord =
      except === undefined ? undefined : or(isNull(records.sessionToken), isNotExactly(records.sessionToken, except))
    await safe(() =>
      transaction(async (db) => {
        await db.delete(sessions).where(and(isExactly(sessions.userId, userId), isOther))
        await db.delete(records).where(and(isExactly(records.userId, userId), isOtherRecord))
      })
    )
  }
}

/** Writes a session and its record at once. @returns `false`, and nothing has happened, where that cannot be done. */
function createBoth({ db, tables, fit, together }: Connection) {
  const { sessions, posternSessions: records } = tables
  return (row: AdapterSession, record: SessionRecord): Promise<boolean> => {
    const noted = db.insert(records).values(fit(records, toRecordRow(record)))
    return together([db.insert(sessions).values(row).getSQL(), noted.getSQL()]).catch((error: unknown) => {
      // It may be the record that is there already, and gives way.
      if (faults.isDuplicate(error)) return false
      throw error
    })
  }
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
