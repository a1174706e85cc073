import { and, asc, gt, isNull } from 'drizzle-orm'
import type { EncryptedRowMethods } from '../../methods.ts'
import { getEncryptedColumns, toEncryptedRow } from '../encrypted-tables.ts'
import type { Run } from '../statements.ts'
import type { TableAccess } from '../table-access.ts'

/** The methods for rows with encrypted texts. The order is that of the collations, in which keys are unique. */
export function encryptedRowMethods({ tables, statements }: TableAccess, read: Run, write: Run): EncryptedRowMethods {
  const { isExactly } = statements
  return {
    listEncryptedRows: async ({ table: name, after, limit, now }) => {
      const { table, group, id, texts, expires } = getEncryptedColumns(name, tables)
      const isNext = after ? statements.isAfter([group, id], [after.group, after.id]) : undefined
      const isValid = expires ? gt(expires, expires.dataType === 'date' ? now : now.getTime()) : undefined
      const fields = { group, id, ...texts }
      const selection = { fields, where: and(isNext, isValid), orderBy: [asc(group), asc(id)], limit }
      const rows = await read(() => statements.selectFields(table, selection))
      return rows.map(toEncryptedRow)
    },
    replaceEncryptedTexts: async (name, row, changed) => {
      const { table, group, id, texts } = getEncryptedColumns(name, tables)
      const areSame = Object.entries(texts).map(([field, column]) => {
        const text = row.texts[field] ?? null
        return text === null ? isNull(column) : isExactly(column, text)
      })
      const isRow = and(isExactly(group, row.group), isExactly(id, row.id), ...areSame)
      return (await write(() => statements.update(table, changed, isRow))) === 1
    }
  }
}
