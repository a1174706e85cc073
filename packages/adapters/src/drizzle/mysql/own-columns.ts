import type { Column } from 'drizzle-orm'
import { customType, datetime, json, type MySqlColumnBuilderBase, mysqlTable } from 'drizzle-orm/mysql-core'
import type { MysqlColumn } from './read-columns.ts'

/** Types that mysql2 returns as strings or numbers. */
const plain = new Set([
  ...['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'enum', 'set', 'date', 'time', 'year', 'uuid'],
  ...['tinyint', 'smallint', 'mediumint', 'int', 'bigint', 'float', 'double', 'decimal']
])

const asReturned = customType<{ data: unknown }>({ dataType: () => 'text' })

function build({ name, type }: MysqlColumn): MySqlColumnBuilderBase | null {
  if (type === 'datetime' || type === 'timestamp') return datetime(name, { mode: 'date', fsp: 3 })
  if (type === 'json') return json(name)
  return plain.has(type) ? asReturned(name) : null
}

/** Creates the column of a users table that is given by name. */
export function createOwnColumn(users: string): (stored: MysqlColumn) => Column | null {
  return (stored) => {
    const builder = build(stored)
    return builder && (mysqlTable(users, { own: builder }).own ?? null)
  }
}
