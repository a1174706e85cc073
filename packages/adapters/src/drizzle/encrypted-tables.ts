import type { EncryptedTable } from '@postern/core'
import type { Column, Table } from 'drizzle-orm'
import type { Key, SelectedRow } from './statements.ts'
import type { TableAccess } from './table-access.ts'

/** The columns of a table with texts that Postern encrypts. */
export interface EncryptedColumns {
  readonly table: Table
  /** The first column of the key. */
  readonly group: Column
  readonly id: Column
  readonly texts: Key
  /** `null` if the rows do not expire. */
  readonly expires: Column | null
}

/** Finds the columns of a table with texts that Postern encrypts. */
export function getEncryptedColumns(
  name: EncryptedTable,
  { accounts, posternFactors: factors, posternTickets: tickets }: TableAccess['tables']
): EncryptedColumns {
  if (name === 'factor')
    return { table: factors, group: factors.type, id: factors.id, texts: { data: factors.data }, expires: null }
  if (name === 'ticket') {
    const { kind: group, id, data, expires } = tickets
    return { table: tickets, group, id, texts: { data }, expires }
  }
  const { provider: group, providerAccountId: id, access_token, refresh_token, id_token } = accounts
  return { table: accounts, group, id, texts: { access_token, refresh_token, id_token }, expires: null }
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Converts the result of a query, whose columns are those of the key and of the texts. */
export function toEncryptedRow({ group, id, ...texts }: SelectedRow): {
  readonly group: string
  readonly id: string
  readonly texts: Readonly<Record<string, string | null>>
} {
  const named = Object.entries(texts).map(([name, value]) => [name, toText(value)] as const)
  return { group: String(group), id: String(id), texts: Object.fromEntries(named) }
}
