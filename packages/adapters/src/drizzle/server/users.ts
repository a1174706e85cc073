import type { UserQuery } from '@postern/core'
import { asc, gt } from 'drizzle-orm'
import type { UserRow } from '../../user-columns.ts'
import { createFind, type ServerConnection } from './connection.ts'

/** Queries for users. */
interface UserQueries {
  readonly find: (id: string) => Promise<UserRow | null>
  readonly listUsers: (query: UserQuery) => Promise<readonly UserRow[]>
}

/** Creates the queries for users. The order is that of the column's collation, in which ids are unique. */
export function userQueries(connection: ServerConnection): UserQueries {
  const { users } = connection.tables
  const find = createFind(connection, users, { id: users.id })
  return {
    find: (id) => find({ id }),
    // An optional condition in one prepared statement could not use the index.
    listUsers: ({ after, limit }) => {
      const selection = { where: after === null ? undefined : gt(users.id, after), orderBy: [asc(users.id)], limit }
      return connection.retryIdempotent(() => connection.statements.select(users, selection))
    }
  }
}
