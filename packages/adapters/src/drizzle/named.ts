import { type SQL, sql } from 'drizzle-orm'

/**
 * A parameter of a prepared statement, by its name.
 *
 * It takes what the driver takes: drizzle's own placeholder fits no `set`, and fails on `null` for a date.
 */
export function named(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}

/** Statements are put together once, but not kept by the server: poolers hand its connections around. */
export const unnamed = ''
