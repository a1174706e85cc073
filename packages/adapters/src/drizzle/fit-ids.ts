import { getTableColumns } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'
import type { StoredColumn, StoredTables } from './stored-columns.ts'
import type { FourTables, ResolvedTables } from './table-options.ts'

/** How a database stores ids: of the text kinds, only those of one kind can be compared. */
export type IdKind = 'integer' | 'text' | 'uuid'

/** What differs by database. */
export interface IdRules<Stored extends StoredColumn> {
  /** The name of the adapter. */
  readonly of: string
  /** Returns the kind of a column; `null` if ids cannot have its type. */
  readonly getKind: (stored: Stored) => IdKind | null
  /** Whether columns of different kinds can be compared. */
  readonly comparesKinds: boolean
}

/**
 * Checks the types of the ids of users, and makes those of tables that are given by name text.
 *
 * @returns Whether they are integers, which the database generates.
 * @throws DatabaseError for types that ids cannot have.
 */
export function fitIds<Stored extends StoredColumn, Tables extends FourTables>(
  { tables: { users, accounts, sessions }, given }: ResolvedTables<Tables>,
  stored: StoredTables<Stored>,
  { of, getKind, comparesKinds }: IdRules<Stored>
): boolean {
  const ids = [users, accounts, sessions].flatMap((table) =>
    Object.entries(getTableColumns(table)).flatMap(([field, column]) => {
      const [found, isId] = [stored.get(table)?.find(column), field === (table === users ? 'id' : 'userId')]
      return found && isId ? [{ table, column, found, name: `${found.name} of ${stored.get(table)?.name}` }] : []
    })
  )
  const [first] = ids
  const kind = first ? getKind(first.found) : 'text'
  const refusals = ids.flatMap(({ found, name }) => {
    const own = getKind(found)
    if (own === null) return [`${name} is ${found.type}`]
    return own === kind || comparesKinds ? [] : [`${name} is ${found.type}, and ${first?.name} is ${first?.found.type}`]
  })
  const hasFunction = given.has(users) && first?.column.defaultFn !== undefined
  const isGenerated = first === undefined || first.found.hasDefault || hasFunction
  if (kind === 'integer' && !isGenerated) refusals.push(`${first?.name} is an integer without a default`)
  if (refusals.length > 0)
    throw new DatabaseError(
      'ColumnType',
      `${of}: expected ids of users that are text, uuid, or integers that the database generates, but ${refusals.join('; ')}`
    )
  for (const { table, column } of ids) if (kind === 'integer' && !given.has(table)) column.mapFromDriverValue = String
  return kind === 'integer'
}
