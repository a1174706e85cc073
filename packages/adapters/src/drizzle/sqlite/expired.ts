import { setImmediate as turn } from 'node:timers/promises'
import { and, asc, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ExpiredMethods } from '../../methods.ts'
import { type ExpiringTable, findExpiringTables } from '../expiring-tables.ts'
import { lazy } from '../lazy.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

type Delete = (before: Date, limit: number) => number

/** The methods that delete old rows: one statement per table, so that other work can run in between. */
export function expiredMethods(connection: Connection): ExpiredMethods {
  const { tables, write } = connection
  const deletions = lazy(() =>
    findExpiringTables<SQLiteTable, SQLiteColumn>(tables).map((ending) => prepareDelete(connection, ending))
  )
  const { posternEvents: events } = tables
  const deletion = lazy(() => prepareDelete(connection, { table: events, key: { id: events.id }, end: events.time }))
  return {
    deleteEvents: (before, limit) => write(() => deletion()(before, limit)),
    deleteExpired: async (before, limit) => {
      let deleted = 0
      for (const remove of deletions()) {
        deleted += await write(() => remove(before, limit))
        await turn()
      }
      return deleted
    }
  }
}

/** Another library may keep times as texts, such as milliseconds: each would be less than a date. */
const isReadable = (end: SQLiteColumn): SQL | undefined =>
  end.dataType === 'date' ? sql`(typeof(${end}) <> 'text' or ${end} like '____-__-__%')` : undefined

function prepareDelete(
  { db }: Connection,
  { table, key: columns, end }: ExpiringTable<SQLiteTable, SQLiteColumn>
): Delete {
  const key = sql.join(Object.values(columns), sql`, `)
  const ended = db
    .select({ key })
    .from(table)
    .where(and(lt(end, placeholder('before')), isReadable(end)))
    .orderBy(asc(end))
    .limit(sql.placeholder('limit'))
  const statement = db.delete(table).where(sql`(${key}) in (${ended})`).prepare()
  // An integer column does not accept a date.
  const toLimit = (before: Date): unknown => (end.dataType === 'date' ? end.mapToDriverValue(before) : before.getTime())
  return (before, limit) => statement.run({ before: toLimit(before), limit }).changes
}
