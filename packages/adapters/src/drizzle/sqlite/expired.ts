import { setImmediate as turn } from 'node:timers/promises'
import type { Adapter } from '@postern/core'
import { asc, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { lazily } from '../lazily.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

type Delete = (before: Date, most: number) => number

/** The method that deletes what has ended: a statement for each table, so that others get their turn between. */
export function expiredMethods(connection: Connection): Required<Pick<Adapter, 'deleteExpired'>> {
  const { tables, write } = connection
  const { sessions, verificationTokens, posternSessions, posternRevocations, posternLocks } = tables
  const deletions = lazily(() => [
    prepareDelete(connection, sessions, sessions.expires, [sessions.sessionToken]),
    prepareDelete(connection, verificationTokens, verificationTokens.expires, [
      verificationTokens.identifier,
      verificationTokens.token
    ]),
    prepareDelete(connection, posternSessions, posternSessions.expires, [posternSessions.id]),
    prepareDelete(connection, posternRevocations, posternRevocations.until, [posternRevocations.subject]),
    prepareDelete(connection, posternLocks, posternLocks.until, [posternLocks.key])
  ])
  return {
    deleteExpired: async (before, most) => {
      let deleted = 0
      for (const remove of deletions()) {
        deleted += await write(() => remove(before, most))
        await turn()
      }
      return deleted
    }
  }
}

function prepareDelete(
  { db }: Connection,
  table: SQLiteTable,
  end: SQLiteColumn,
  keys: readonly SQLiteColumn[]
): Delete {
  const key = sql.join([...keys], sql`, `)
  const ended = db
    .select({ key })
    .from(table)
    .where(lt(end, named('before')))
    .orderBy(asc(end))
    .limit(sql.placeholder('most'))
  const statement = db.delete(table).where(sql`(${key}) in (${ended})`).prepare()
  // A column of whole numbers takes none for a date.
  const toLimit = (before: Date): unknown => (end.dataType === 'date' ? end.mapToDriverValue(before) : before.getTime())
  return (before, most) => statement.run({ before: toLimit(before), most }).changes
}
