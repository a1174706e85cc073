import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { MySqlColumn } from 'drizzle-orm/mysql-core'

/**
 * Whether a column holds exactly this text.
 *
 * Most collations take texts for equal that differ in case, accents or spaces at the end, and tables that others made
 * have such collations: the bytes decide. The plain comparison beside it is there for the index.
 */
export function isExactly(column: MySqlColumn, text: string | SQL): SQL | undefined {
  return and(eq(column, text), sql`${bytesOf(column)} = ${bytesOf(text)}`)
}

/** Whether a column holds anything but exactly this text. */
export function isNotExactly(column: MySqlColumn, text: string): SQL {
  return sql`${bytesOf(column)} <> ${bytesOf(text)}`
}

function bytesOf(text: MySqlColumn | string | SQL): SQL {
  return sql`cast(convert(${text} using utf8mb4) as binary)`
}
