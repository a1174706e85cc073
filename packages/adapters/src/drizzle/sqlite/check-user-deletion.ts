import type { Database } from 'better-sqlite3'
import { getTableName } from 'drizzle-orm'
import { DatabaseError } from '../../database-error.ts'
import type { DeletionMethods } from '../../methods.ts'
import { lazy } from '../lazy.ts'
import type { Connection } from './connection.ts'
import { c } from './migrations.ts'

/** A column that refers to the table of users. */
interface Reference {
  readonly table: string
  readonly column: string
}

/** Creates the function that names the columns that prevent the deletion of a user: SQLite's message does not. */
function createSearch(client: Database, users: string): (id: string) => readonly string[] {
  const all = lazy(() =>
    client.prepare<[string], Reference>(
      `select child.name as "table", key."from" as "column"
       from sqlite_master as child, pragma_foreign_key_list(child.name) as key
       where child.type = 'table' and lower(key."table") = lower(?) and key.on_delete in ('NO ACTION', 'RESTRICT')`
    )
  )
  return (id) => {
    const refers = ({ table, column }: Reference): boolean =>
      client.prepare(`select 1 from ${c({ name: table })} where ${c({ name: column })} = ?`).get(id) !== undefined
    const found = all().all(users).filter(refers)
    return found.map(({ table, column }) => `${c({ name: table })}.${c({ name: column })}`)
  }
}

/** @param names - The columns that refer to the user; none if the constraint is of another kind. */
const refused = (names: readonly string[], cause: unknown): DatabaseError => {
  const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : 'SQLITE_CONSTRAINT_FOREIGNKEY'
  const message = cause instanceof Error ? cause.message : 'FOREIGN KEY constraint failed'
  return new DatabaseError(code, `sqlite: ${[message, ...names].join(', ')}`)
}

/**
 * Creates the function that deletes a user with `remove`, in a transaction.
 *
 * @throws DatabaseError with the names of the columns that refer to the user, if that is why it is refused.
 */
export function createDeletion<T>({ client, tables }: Connection, remove: (id: string) => T): (id: string) => T {
  const findReferences = createSearch(client, getTableName(tables.users))
  return (id) => {
    try {
      const removed = remove(id)
      // A constraint that is deferred would fail at the commit.
      const names = client.pragma('foreign_keys', { simple: true }) === 1 ? findReferences(id) : []
      if (names.length > 0) throw refused(names, null)
      return removed
    } catch (error) {
      const isConstraint = error instanceof Error && 'code' in error && `${error.code}`.startsWith('SQLITE_CONSTRAINT')
      if (!isConstraint || error instanceof DatabaseError) throw error
      throw refused(findReferences(id), error)
    }
  }
}

/** The method that tries to delete a user. */
export function deletionMethods({ transaction }: Connection, remove: (id: string) => unknown): DeletionMethods {
  return {
    checkUserDeletion: async (id) => {
      const rollback = new Error('rolled back')
      await transaction(() => {
        remove(id)
        throw rollback
      }).catch((error: unknown) => {
        if (error !== rollback) throw error
      })
    }
  }
}
