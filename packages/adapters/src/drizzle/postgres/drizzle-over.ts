import { PgDatabase, PgDialect, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { PgRemoteSession } from 'drizzle-orm/pg-proxy'
import { lazily } from '../lazy.ts'
import { load } from '../load.ts'

type Parse = (text: string) => unknown

/** A statement as node-postgres takes it. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly rowMode?: 'array'
  readonly types: { getTypeParser(type: number, format?: 'text' | 'binary'): Parse }
}

/** What the adapter asks of whatever of node-postgres takes statements. */
export interface Queryable {
  query(statement: string | Statement): Promise<{ rows: unknown[] }>
}

/** Times, dates, intervals and arrays of them, and arrays of numerics: drizzle reads their texts itself. */
const readByDrizzle = new Set([1114, 1115, 1082, 1182, 1184, 1185, 1186, 1187, 1231])
const driverTypes = lazily(() => {
  const { types }: { types: Statement['types'] } = load('pg')
  return types
})

const types: Statement['types'] = {
  getTypeParser: (type, format) =>
    readByDrizzle.has(type) ? (text) => text : driverTypes().getTypeParser(type, format)
}

const dialect = new PgDialect()

/** What drizzle's own function for it makes, without the driver that its module loads. */
export function drizzleOver(client: Queryable): PgDatabase<PgQueryResultHKT> {
  const ask = (text: string, values: unknown[], method: 'all' | 'execute'): Promise<{ rows: unknown[] }> =>
    client.query({ text, values, types, ...(method === 'all' ? { rowMode: 'array' } : {}) })
  return new PgDatabase(dialect, new PgRemoteSession(ask, dialect, undefined), undefined)
}
