import type { Adapter } from '@postern/core'
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Connection } from './connection.ts'

/** A table whose rows end. */
interface Ending {
  readonly table: PgTable
  readonly key: Readonly<Record<string, PgColumn>>
  readonly end: PgColumn
}

/** The method that deletes what has ended. Rows that somebody else has to do with are left for the next time. */
export function expiredMethods({ db, tables, safe }: Connection): Required<Pick<Adapter, 'deleteExpired'>> {
  const { sessions, verificationTokens: tokens, posternSessions, posternRevocations, posternLocks } = tables
  const endings: readonly Ending[] = [
    { table: sessions, key: { sessionToken: sessions.sessionToken }, end: sessions.expires },
    { table: tokens, key: { identifier: tokens.identifier, token: tokens.token }, end: tokens.expires },
    { table: posternSessions, key: { id: posternSessions.id }, end: posternSessions.expires },
    { table: posternRevocations, key: { subject: posternRevocations.subject }, end: posternRevocations.until },
    { table: posternLocks, key: { key: posternLocks.key }, end: posternLocks.until }
  ]
  const clean = async ({ table, key, end }: Ending, before: Date, most: number): Promise<number> => {
    const moment = end.dataType === 'date' ? before : before.getTime()
    const ended = db
      .$with('ended')
      .as(
        db
          .select(key)
          .from(table)
          .where(lt(end, moment))
          .orderBy(asc(end))
          .limit(most)
          .for('update', { skipLocked: true })
      )
    const isEnded = and(...Object.entries(key).map(([field, column]) => eq(column, ended[field])))
    const deleted = await db
      .with(ended)
      .delete(table)
      .where(sql`exists (select from ${ended} where ${isEnded})`)
      .returning(key)
    return deleted.length
  }
  return {
    deleteExpired: async (before, most) => {
      let deleted = 0
      for (const ending of endings) deleted += await safe(() => clean(ending, before, most))
      return deleted
    }
  }
}
