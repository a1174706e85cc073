import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { EncryptedRowMethods } from '../../methods.ts'
import { getEncryptedColumns, toEncryptedRow } from '../encrypted-tables.ts'
import type { Connection } from './connection.ts'

/** The methods for rows with encrypted texts. */
export function encryptedRowMethods({ db, tables, retryIdempotent }: Connection): EncryptedRowMethods {
  const find = (name: Parameters<typeof getEncryptedColumns>[0]) => getEncryptedColumns<PgTable, PgColumn>(name, tables)
  return {
    listEncryptedRows: async ({ table: name, after, limit, now }) => {
      const { table, group, id, texts, expires } = find(name)
      const isNext = after && sql`(${group}, ${id}) > (${after.group}, ${after.id})`
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
        return text === null ? isNull(column) : eq(column, text)
      })
      const isRow = and(eq(group, row.group), eq(id, row.id), ...areSame)
      const written = await retryIdempotent(() => db.update(table).set(changed).where(isRow).returning({ id }))
      return written.length === 1
    }
  }
}
