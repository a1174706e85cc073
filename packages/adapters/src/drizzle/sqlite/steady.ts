import { type SQL, sql } from 'drizzle-orm'
import { named } from '../named.ts'

/**
 * A parameter of a prepared statement over several tables, by its name.
 *
 * SQLite with its extended statistics (`SQLITE_ENABLE_STAT4`, as in better-sqlite3) compiles a join again each time that
 * a parameter it compares a column with is bound anew, which takes longer than the search. It does not look into an
 * expression; the plus is one that changes neither the value nor its type.
 */
export function steady(name: string): SQL {
  return sql`+${named(name)}`
}
