import { type Column, sql } from 'drizzle-orm'
import { customType, json, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core'
import type { PostgresColumn } from './read-columns.ts'

/** Types that node-postgres returns as strings, numbers, booleans or lists of them. */
const plain = new Set([
  'text',
  'varchar',
  'bpchar',
  'char',
  'citext',
  'name',
  'uuid',
  'enum',
  'date',
  'time',
  'timetz',
  'inet',
  'cidr',
  'bool',
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  '_text',
  '_varchar',
  '_bool',
  '_int4',
  '_uuid'
])

const asReturned = customType<{ data: unknown }>({ dataType: () => 'text' })

function build({ name, type, isReadable }: PostgresColumn) {
  if (!isReadable) return null
  if (type === 'timestamp' || type === 'timestamptz')
    return timestamp(name, { mode: 'date', withTimezone: type === 'timestamptz' })
  if (type === 'json') return json(name)
  if (type === 'jsonb') return jsonb(name)
  return plain.has(type) ? asReturned(name) : null
}

/** Creates the column of a users table that is given by name. */
export function createOwnColumn(users: string): (stored: PostgresColumn) => Column | null {
  return (stored) => {
    const builder = build(stored)
    if (!builder) return null
    return pgTable(users, { own: stored.isGenerated ? builder.generatedAlwaysAs(sql`null`) : builder }).own
  }
}
