import { type SQL, sql } from 'drizzle-orm'
import { placeholder } from '../placeholder.ts'

/**
 * A named parameter of a prepared statement over several tables.
 *
 * SQLite with extended statistics (`SQLITE_ENABLE_STAT4`, as in better-sqlite3) recompiles a join whenever a parameter
 * that is compared with a column changes, which takes longer than the query. It does not look into expressions; the
 * unary plus changes neither the value nor its type.
 */
export function stablePlaceholder(name: string): SQL {
  return sql`+${placeholder(name)}`
}
