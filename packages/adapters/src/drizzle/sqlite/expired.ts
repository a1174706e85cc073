import { setImmediate as turn } from 'node:timers/promises'
import { asc, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ExpiredMethods } from '../../methods.ts'
import { type Ending, endingsOf } from '../expiring-tables.ts'
import { lazily } from '../lazy.ts'
import { named } from '../named.ts'
import type { Connection } from './connection.ts'

type Delete = (before: Date, most: number) => number

/** The method that deletes what has ended: a statement for each table, so that others get their turn between. */
export function expiredMethods(connection: Connection): ExpiredMethods {
  const { tables, write } = connection
  const deletions = lazily(() =>
    endingsOf<SQLiteTable, SQLiteColumn>(tables).map((ending) => prepareDelete(connection, ending))
  )
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

function prepareDelete({ db }: Connection, { table, key: columns, end }: Ending<SQLiteTable, SQLiteColumn>): Delete {
  const key = sql.join(Object.values(columns), sql`, `)
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
