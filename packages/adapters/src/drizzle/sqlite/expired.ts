import { and, asc, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ExpiredMethods } from '../../methods.ts'
import type { DatabaseNotes } from '../database-problems.ts'
import { createExpiredMethods } from '../operations/expired.ts'
import { placeholder } from '../placeholder.ts'
import type { Connection } from './connection.ts'

/** The methods that delete old rows: one statement per table. */
export function expiredMethods({ db, tables, write }: Connection, notes: DatabaseNotes): ExpiredMethods {
  return createExpiredMethods<SQLiteTable, SQLiteColumn>(tables, notes, write, ({ table, key: columns, end }) => {
    const key = sql.join(Object.values(columns), sql`, `)
    const ended = db
      .select({ key })
      .from(table)
      .where(and(lt(end, placeholder('before')), isReadable(end)))
      .orderBy(asc(end))
      .limit(sql.placeholder('limit'))
    const statement = db.delete(table).where(sql`(${key}) in (${ended})`).prepare()
    return (moment, limit) => {
      const before = moment instanceof Date ? end.mapToDriverValue(moment) : moment
      return statement.run({ before, limit }).changes
    }
  })
}

/** Another library may keep times as texts, such as milliseconds: each would be less than a date. */
const isReadable = (end: SQLiteColumn): SQL | undefined =>
  end.dataType === 'date' ? sql`(typeof(${end}) <> 'text' or ${end} like '____-__-__%')` : undefined
