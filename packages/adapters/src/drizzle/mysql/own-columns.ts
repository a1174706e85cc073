import { type Column, sql } from 'drizzle-orm'
import { customType, datetime, json, mysqlTable } from 'drizzle-orm/mysql-core'
import type { MysqlColumn } from './read-columns.ts'

/** Types that mysql2 returns as strings or numbers. */
const plain = new Set([
  'char',
  'varchar',
  'tinytext',
  'text',
  'mediumtext',
  'longtext',
  'enum',
  'set',
  'date',
  'time',
  'year',
  'uuid',
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'bigint',
  'float',
  'double',
  'decimal'
])

const asReturned = customType<{ data: unknown }>({ dataType: () => 'text' })

function build({ name, type }: MysqlColumn) {
  if (type === 'datetime' || type === 'timestamp') return datetime(name, { mode: 'date', fsp: 3 })
  if (type === 'json') return json(name)
  return plain.has(type) ? asReturned(name) : null
}

/** Creates the column of a users table that is given by name. */
export function createOwnColumn(users: string): (stored: MysqlColumn) => Column | null {
  return (stored) => {
    const builder = build(stored)
    if (!builder) return null
    return mysqlTable(users, { own: stored.isGenerated ? builder.generatedAlwaysAs(sql`null`) : builder }).own
  }
}
