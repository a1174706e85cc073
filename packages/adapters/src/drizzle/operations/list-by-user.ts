import { type Column, desc, sql } from 'drizzle-orm'
import { isKey, type RowTable } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'

/** Creates the list of a user's rows. One with a limit has those that expire last. */
export function createList<Row>(
  { statements: { isExactly, prepare } }: Pick<TableAccess, 'statements'>,
  table: RowTable<Row> & { readonly userId: Column; readonly expires: Column }
) {
  const isOfUser = () => isKey(isExactly, { userId: table.userId })
  const all = prepare(table, () => ({ where: isOfUser() }))
  const latest = prepare(table, () => ({
    where: isOfUser(),
    orderBy: [desc(table.expires)],
    limit: sql.placeholder('limit')
  }))
  return (userId: string, limit?: number) => (limit === undefined ? all({ userId }) : latest({ userId, limit }))
}
