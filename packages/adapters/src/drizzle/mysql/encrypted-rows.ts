import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import type { MySqlColumn, MySqlTable } from 'drizzle-orm/mysql-core'
import type { EncryptedRowMethods } from '../../methods.ts'
import { getEncryptedColumns, toEncryptedRow } from '../encrypted-tables.ts'
import { type Connection, getAffectedRows } from './connection.ts'

/** The methods for rows with encrypted texts. The order is that of the collations, in which keys are unique. */
export function encryptedRowMethods({ db, tables, isExactly, retryIdempotent }: Connection): EncryptedRowMethods {
  const find = (name: Parameters<typeof getEncryptedColumns>[0]) =>
    getEncryptedColumns<MySqlTable, MySqlColumn>(name, tables)
  return {
    listEncryptedRows: async ({ table: name, after, limit, now }) => {
      const { table, group, id, texts, expires } = find(name)
      // A comparison of pairs would not use the index.
      const isNext = after && or(gt(group, after.group), and(eq(group, after.group), gt(id, after.id)))
      const isValid = expires && gt(expires, expires.dataType === 'date' ? now : now.getTime())
      const rows = await retryIdempotent(() =>
        db
          .select({ group, id, ...texts })
          .from(table)
          .where(and(isNext ?? undefined, isValid ?? undefined))
          .orderBy(asc(group), asc(id))
          .limit(limit)
      )
      return rows.map(toEncryptedRow)
    },
    replaceEncryptedTexts: async (name, row, changed) => {
      const { table, group, id, texts } = find(name)
      const areSame = Object.entries(texts).map(([field, column]) => {
        const text = row.texts[field] ?? null
        return text === null ? isNull(column) : isExactly(column, text)
      })
      const isRow = and(isExactly(group, row.group), isExactly(id, row.id), ...areSame)
      return getAffectedRows(await retryIdempotent(() => db.update(table).set(changed).where(isRow))) === 1
    }
  }
}
