import type { AdapterSession } from '@postern/core'
import { eq, sql } from 'drizzle-orm'
import type { UserRow } from '../../user-columns.ts'
import type { TableAccess } from '../table-access.ts'
import { createList } from './list-by-user.ts'

/** Reads sessions. */
export function sessionQueries(access: TableAccess) {
  const { sessions, users } = access.tables
  const { isExactly, prepareJoin } = access.statements
  const withUser = prepareJoin<{ session: AdapterSession; user: UserRow }>(() => ({
    fields: { session: sessions, user: users },
    from: sessions,
    inner: [users, eq(users.id, sessions.userId)],
    where: isExactly(sessions.sessionToken, sql.placeholder('sessionToken'))
  }))
  return {
    getSessionAndUser: (sessionToken: string) => withUser.first({ sessionToken }),
    listSessions: createList(access, sessions)
  }
}
