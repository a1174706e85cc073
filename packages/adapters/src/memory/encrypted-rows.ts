import type { EncryptedRow, EncryptedRowKey, EncryptedTable, EncryptedTexts } from '@postern/core'
import type { EncryptedRowMethods } from '../methods.ts'
import { pairKey, type Store } from './store.ts'
import type { Table } from './table.ts'

/** A table with texts that Postern encrypts. */
interface EncryptedRows {
  readonly list: (now: Date) => readonly EncryptedRow[]
  /** Replaces the texts of a row. @returns `false` if they are others. */
  readonly replace: (row: EncryptedRow, texts: EncryptedTexts) => boolean
}

/** The methods for rows with encrypted texts. */
export function encryptedRowMethods({ accounts, factors, tickets }: Store): EncryptedRowMethods {
  const tables: Readonly<Record<EncryptedTable, EncryptedRows>> = {
    account: toRows(accounts, ({ provider: group, providerAccountId: id, access_token, refresh_token, id_token }) => ({
      group,
      id,
      texts: { access_token, refresh_token, id_token }
    })),
    factor: toRows(factors, ({ type: group, id, data }) => ({ group, id, texts: { data } })),
    ticket: toRows(
      tickets,
      ({ kind: group, id, data }) => ({ group, id, texts: { data } }),
      ({ expires }, now) => expires > now
    )
  }
  return {
    listEncryptedRows: async ({ table, after, limit, now }) =>
      tables[table]
        .list(now)
        .filter((row) => after === null || compareKeys(row, after) > 0)
        .toSorted(compareKeys)
        .slice(0, limit),
    replaceEncryptedTexts: async (table, row, texts) => tables[table].replace(row, texts)
  }
}

function compareKeys(one: EncryptedRowKey, other: EncryptedRowKey): number {
  const [left, right] = one.group === other.group ? [one.id, other.id] : [one.group, other.group]
  if (left === right) return 0
  return left < right ? -1 : 1
}

function toRows<Row extends object>(
  table: Table<Row>,
  toRow: (row: Row) => EncryptedRow,
  isValid: (row: Row, now: Date) => boolean = () => true
): EncryptedRows {
  return {
    list: (now) => table.filter((row) => isValid(row, now)).map(toRow),
    replace: ({ group, id, texts: before }, texts) => {
      const row = table.get(pairKey(group, id))
      if (!row || Object.entries(toRow(row).texts).some(([name, text]) => text !== before[name])) return false
      table.replace({ ...row, ...texts })
      return true
    }
  }
}
