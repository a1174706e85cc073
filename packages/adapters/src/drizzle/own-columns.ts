import { type Column, getTableColumns, type Table } from 'drizzle-orm'
import { isUserColumn } from '../user-columns.ts'
import type { StoredColumn, StoredTable, StoredTables } from './stored-columns.ts'
import type { FourTables, ResolvedTables } from './table-options.ts'

/** Creates a column for a stored one; `null` if its type has no value that JSON can hold. */
export type CreateColumn<Stored extends StoredColumn> = (stored: Stored) => Column | null

/** The stored columns that the table of the schema does not name. */
function findOthers<Stored extends StoredColumn>(table: Table, { columns, find }: StoredTable<Stored>) {
  const known = new Set(Object.values(getTableColumns(table)).flatMap((column) => find(column) ?? []))
  return columns.filter((column) => !known.has(column))
}

/**
 * Adds the further columns of a users table that is given by name, as a drizzle table of the application would have them.
 *
 * The table belongs to one adapter, whose statements are built once the database is ready.
 *
 * @returns The columns that cannot be read, for the log.
 */
export function addOwnColumns<Stored extends StoredColumn, Tables extends FourTables>(
  { tables: { users }, given }: ResolvedTables<Tables>,
  stored: StoredTables<Stored>,
  create: CreateColumn<Stored>
): readonly string[] {
  const found = stored.get(users)
  if (!found || given.has(users)) return []
  const fields: Record<string, Column> = getTableColumns(users)
  return findOthers(users, found).flatMap((column) => {
    // The option `columns` may have given the name of a field to another column.
    const own = isUserColumn(column.name) ? null : create(column)
    if (!own) return [`${column.name} (${column.type || 'no type'})`]
    Object.assign(own, { table: users })
    Object.assign(users, { [column.name]: own })
    fields[column.name] = own
    return []
  })
}

/** Finds columns that inserts of Postern omit although they have no default: the first insert would fail. */
export function findRequiredColumns<Tables extends FourTables>(
  { tables }: ResolvedTables<Tables>,
  stored: StoredTables
): readonly string[] {
  return [tables.accounts, tables.sessions, tables.verificationTokens].flatMap((table) => {
    const found = stored.get(table)
    if (!found) return []
    const required = findOthers(table, found).filter(({ isNullable, hasDefault }) => !isNullable && !hasDefault)
    return required.map(({ name }) => `${name} of ${found.name}`)
  })
}
