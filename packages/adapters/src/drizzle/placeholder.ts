import { type SQL, sql } from 'drizzle-orm'

/**
 * A named parameter of a prepared statement.
 *
 * It accepts the driver's values: drizzle's own placeholder does not work in `set`, and fails on `null` for a date.
 */
export function placeholder(name: string): SQL {
  return sql`${sql.placeholder(name)}`
}

/** Statements are built once, but not prepared on the server: connection poolers share its connections. */
export const unnamedPlaceholder = ''

/** A parameter for each of these columns. */
export function placeholders<Columns extends object>(columns: Columns): { readonly [Field in keyof Columns]: SQL } {
  const parameters = Object.keys(columns).map((field) => [field, placeholder(field)])
  return Object.fromEntries(parameters)
}
