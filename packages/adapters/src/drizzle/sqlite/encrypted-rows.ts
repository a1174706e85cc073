import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { EncryptedRowMethods } from '../../methods.ts'
import { getEncryptedColumns, toEncryptedRow } from '../encrypted-tables.ts'
import type { Connection } from './connection.ts'

/** The methods for rows with encrypted texts. */
export function encryptedRowMethods({ db, tables, read, write }: Connection): EncryptedRowMethods {
  const find = (name: Parameters<typeof getEncryptedColumns>[0]) =>
    getEncryptedColumns<SQLiteTable, SQLiteColumn>(name, tables)
  return {
    listEncryptedRows: async ({ table: name, after, limit, now }) => {
      const { table, group, id, texts, expires } = find(name)
      const isNext = after && sql`(${group}, ${id}) > (${after.group}, ${after.id})`
      const isValid = expires && gt(expires, expires.dataType === 'date' ? now : now.getTime())
      const rows = await read(() =>
        db
          .select({ group, id, ...texts })
          .from(table)
          .where(and(isNext ?? undefined, isValid ?? undefined))
          .orderBy(asc(group), asc(id))
          .limit(limit)
          .all()
      )
      return rows.map(toEncryptedRow)
    },
    replaceEncryptedTexts: (name, row, changed) => {
      const { table, group, id, texts } = find(name)
      const areSame = Object.entries(texts).map(([field, column]) => {
        const text = row.texts[field] ?? null
        return text === null ? isNull(column) : eq(column, text)
      })
      const isRow = and(eq(group, row.group), eq(id, row.id), ...areSame)
      return write(() => db.update(table).set(changed).where(isRow).run().changes === 1)
    }
  }
}
