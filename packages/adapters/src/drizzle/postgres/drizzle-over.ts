import { PgDatabase, PgDialect, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { PgRemoteSession } from 'drizzle-orm/pg-proxy'
import { lazy } from '../lazy.ts'
import { loadDriver } from '../load-driver.ts'

type Parse = (text: string) => unknown

/** A statement in the format of node-postgres. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly rowMode?: 'array'
  readonly types: { getTypeParser(type: number, format?: 'text' | 'binary'): Parse }
}

/** An object of node-postgres that runs statements. */
export interface Queryable {
  query(statement: string | Statement): Promise<{ rows: unknown[] }>
}

/** Timestamps, dates, intervals and arrays of them, and numeric arrays: drizzle parses their text itself. */
const readByDrizzle = new Set([1114, 1115, 1082, 1182, 1184, 1185, 1186, 1187, 1231])
const driverTypes = lazy(() => {
  const { types }: { types: Statement['types'] } = loadDriver('pg')
  return types
})

const types: Statement['types'] = {
  getTypeParser: (type, format) =>
    readByDrizzle.has(type) ? (text) => text : driverTypes().getTypeParser(type, format)
}

const dialect = new PgDialect()

/** The result of drizzle's own function, without the driver that its module loads. */
export function drizzleOver(client: Queryable): PgDatabase<PgQueryResultHKT> {
  const ask = (text: string, values: unknown[], method: 'all' | 'execute'): Promise<{ rows: unknown[] }> =>
    client.query({ text, values, types, ...(method === 'all' ? { rowMode: 'array' } : {}) })
  return new PgDatabase(dialect, new PgRemoteSession(ask, dialect, undefined), undefined)
}
