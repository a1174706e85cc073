import type { Adapter } from '@postern/core'
import { asc, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import { type Access, affectedRowsOf } from './connection.ts'

/** A table whose rows end. */
interface Ending {
  readonly table: MySqlTable
  readonly key: Readonly<Record<string, MySqlColumn>>
  readonly end: MySqlColumn
}

const tuple = (members: readonly SQLWrapper[]): SQL => sql`(${sql.join([...members], sql`, `)})`

/** The method that deletes what has ended. Rows that somebody else has to do with are left for the next time. */
export function expiredMethods({ tables, safe, transactionOnRows }: Access): Required<Pick<Adapter, 'deleteExpired'>> {
  const { sessions, verificationTokens: tokens, posternSessions, posternRevocations, posternLocks } = tables
  const endings: readonly Ending[] = [
    { table: sessions, key: { sessionToken: sessions.sessionToken }, end: sessions.expires },
    { table: tokens, key: { identifier: tokens.identifier, token: tokens.token }, end: tokens.expires },
    { table: posternSessions, key: { id: posternSessions.id }, end: posternSessions.expires },
    { table: posternRevocations, key: { subject: posternRevocations.subject }, end: posternRevocations.until },
    { table: posternLocks, key: { key: posternLocks.key }, end: posternLocks.until }
  ]
  const clean = ({ table, key, end }: Ending, before: Date, most: number): Promise<number> =>
    transactionOnRows(async (db) => {
      const isOver = lt(end, end.dataType === 'date' ? before : before.getTime())
      const ended = await db
        .select(key)
        .from(table)
        .where(isOver)
        .orderBy(asc(end))
        .limit(most)
        .for('update', { skipLocked: true })
      if (ended.length === 0) return 0
      // No other row has one of these keys, in whatever collation: they are unique in it.
      const keys = ended.map((row) => tuple(Object.keys(key).map((field) => sql`${row[field]}`)))
      const areEnded = sql`${tuple(Object.values(key))} in ${tuple(keys)}`
      return Number(affectedRowsOf(await db.delete(table).where(areEnded)))
    })
  return {
    deleteExpired: async (before, most) => {
      let deleted = 0
      for (const ending of endings) deleted += await safe(() => clean(ending, before, most))
      return deleted
    }
  }
}
