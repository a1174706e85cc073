import { type Column, sql } from 'drizzle-orm'
import { customType, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { SqliteColumn } from './read-columns.ts'

/** SQLite stores a value of any type in any column, except that those of this type are usually bytes. */
const bytes = /blob/

const asReturned = customType<{ data: unknown }>({ dataType: () => 'text' })

/** SQLite has no keyword for the default of a column in an insert: the statement contains its expression. */
function build({ name, defaultValue, isGenerated }: SqliteColumn) {
  if (isGenerated) return asReturned(name).generatedAlwaysAs(sql`null`)
  return defaultValue === null ? asReturned(name) : asReturned(name).default(sql.raw(`(${defaultValue})`))
}

/** Creates the column of a users table that is given by name. */
export function createOwnColumn(users: string): (stored: SqliteColumn) => Column | null {
  return (stored) => (bytes.test(stored.type) ? null : sqliteTable(users, { own: build(stored) }).own)
}
