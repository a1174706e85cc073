import type { AdapterSession } from '@postern/core'
import { desc, sql } from 'drizzle-orm'
import type { SessionMethods } from '../../methods.ts'
import { createFind, type ServerConnection } from './connection.ts'

/** Queries for sessions. */
interface SessionQueries extends Pick<SessionMethods, 'listSessions'> {
  readonly find: (sessionToken: string) => Promise<AdapterSession | null>
  /** Finds the session that an insertion may have written. */
  readonly findInserted: (session: AdapterSession) => Promise<AdapterSession | null>
}

/** Creates the queries for sessions. A list with a limit has those that expire last. */
export function sessionQueries(connection: ServerConnection): SessionQueries {
  const { statements, retryIdempotent } = connection
  const { sessions } = connection.tables
  const find = createFind(connection, sessions, { sessionToken: sessions.sessionToken })
  const byUser = statements.prepare(sessions, () => statements.isExactly(sessions.userId, sql.placeholder('userId')))
  return {
    find: (sessionToken) => find({ sessionToken }),
    findInserted: async ({ sessionToken, userId }) => {
      const found = await find({ sessionToken })
      return found?.userId === userId ? found : null
    },
    listSessions: (userId, limit) => {
      const where = statements.isExactly(sessions.userId, userId)
      const orderBy = [desc(sessions.expires)]
      return retryIdempotent(() =>
        limit === undefined ? byUser({ userId }) : statements.select(sessions, { where, orderBy, limit })
      )
    }
  }
}
