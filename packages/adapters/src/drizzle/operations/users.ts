import type { UserQuery } from '@postern/core'
import { asc, gt, sql } from 'drizzle-orm'
import type { TableAccess } from '../table-access.ts'

/** Reads users. The order is that of the column's collation, in which ids are unique. */
export function userQueries({ tables: { users }, statements }: TableAccess) {
  const find = statements.find(users, { id: users.id })
  const page = { orderBy: [asc(users.id)], limit: sql.placeholder('limit') }
  const after = sql.param(sql.placeholder('after'), users.id)
  const first = statements.prepare(users, () => page)
  // An optional condition in one prepared statement could not use the index.
  const next = statements.prepare(users, () => ({ ...page, where: gt(users.id, after) }))
  return {
    getUser: (id: string) => find({ id }),
    listUsers: ({ after, limit }: UserQuery) => (after === null ? first({ limit }) : next({ after, limit }))
  }
}
