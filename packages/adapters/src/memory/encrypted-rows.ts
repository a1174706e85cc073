import type { EncryptedRow, EncryptedRowKey, EncryptedTable, EncryptedTexts } from '@postern/core'
import type { EncryptedRowMethods } from '../methods.ts'
import { accountKey, factorKey, type Store, ticketKey } from './store.ts'

/** A table with texts that Postern encrypts. */
interface EncryptedRows {
  readonly list: (now: Date) => readonly EncryptedRow[]
  readonly get: (key: EncryptedRowKey) => EncryptedRow | null
  readonly write: (key: EncryptedRowKey, texts: EncryptedTexts) => void
}

/** The methods for rows with encrypted texts. */
export function encryptedRowMethods({ accounts, factors, tickets }: Store): EncryptedRowMethods {
  const tables: Readonly<Record<EncryptedTable, EncryptedRows>> = {
    account: accountRows(accounts),
    factor: factorRows(factors),
    ticket: ticketRows(tickets)
  }
  return {
    listEncryptedRows: async ({ table, after, limit, now }) =>
      tables[table]
        .list(now)
        .filter((row) => after === null || compareKeys(row, after) > 0)
        .toSorted(compareKeys)
        .slice(0, limit),
    replaceEncryptedTexts: async (table, row, texts) => {
      const found = tables[table].get(row)
      if (!found || Object.entries(found.texts).some(([name, text]) => text !== row.texts[name])) return false
      tables[table].write(row, texts)
      return true
    }
  }
}

function compareKeys(one: EncryptedRowKey, other: EncryptedRowKey): number {
  const [left, right] = one.group === other.group ? [one.id, other.id] : [one.group, other.group]
  if (left === right) return 0
  return left < right ? -1 : 1
}

function accountRows(accounts: Store['accounts']): EncryptedRows {
  const find = ({ group, id }: EncryptedRowKey) => accounts.get(accountKey({ provider: group, providerAccountId: id }))
  const toRow = (row: NonNullable<ReturnType<typeof find>>): EncryptedRow => {
    const { provider: group, providerAccountId: id, access_token, refresh_token, id_token } = row
    return { group, id, texts: { access_token, refresh_token, id_token } }
  }
  return {
    list: () => accounts.filter(() => true).map(toRow),
    get: (key) => {
      const row = find(key)
      return row && toRow(row)
    },
    write: (key, { access_token = null, refresh_token = null, id_token = null }) => {
      const row = find(key)
      if (row) accounts.replace({ ...row, access_token, refresh_token, id_token })
    }
  }
}

function factorRows(factors: Store['factors']): EncryptedRows {
  const find = ({ group, id }: EncryptedRowKey) => factors.get(factorKey({ type: group, id }))
  return {
    list: () => factors.filter(() => true).map(({ type, id, data }) => ({ group: type, id, texts: { data } })),
    get: (key) => {
      const row = find(key)
      return row && { ...key, texts: { data: row.data } }
    },
    write: (key, { data }) => {
      const row = find(key)
      if (row && typeof data === 'string') factors.replace({ ...row, data })
    }
  }
}

function ticketRows(tickets: Store['tickets']): EncryptedRows {
  const find = ({ group, id }: EncryptedRowKey) => tickets.get(ticketKey({ kind: group, id }))
  return {
    list: (now) =>
      tickets
        .filter(({ expires }) => expires > now)
        .map(({ kind, id, data }) => ({ group: kind, id, texts: { data } })),
    get: (key) => {
      const row = find(key)
      return row && { ...key, texts: { data: row.data } }
    },
    write: (key, { data }) => {
      const row = find(key)
      if (row && typeof data === 'string') tickets.replace({ ...row, data })
    }
  }
}
