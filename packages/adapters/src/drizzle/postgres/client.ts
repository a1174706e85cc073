import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { load } from '../load.ts'

/** What the adapter asks of node-postgres' `Pool`. */
export interface PostgresPool {
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<unknown>
}

/** What the adapter asks of a drizzle database. */
export type PostgresDatabase = Pick<
  PgDatabase<PgQueryResultHKT>,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | '$with' | 'with'
>

/** Where the database is, when the adapter connects to it. */
export interface PostgresUrl {
  readonly url: string
  /** How many connections there may be at once. @defaultValue `10` */
  readonly max?: number | undefined
  /**
   * Milliseconds after which the server gives up a statement; 0 for never, which a PgBouncer that knows no such
   * parameter asks for. @defaultValue `5000`
   */
  readonly statementTimeout?: number | undefined
}

/** A drizzle database over any driver for PostgreSQL, PGlite among them. */
export interface PostgresDrizzle extends PostgresDatabase {
  readonly $client?: unknown
}

/** Where the database is: an address, a pool of node-postgres, or a drizzle database. */
export type PostgresSource = PostgresUrl | { readonly pool: PostgresPool } | { readonly db: PostgresDrizzle }

/** A way to the database. */
export interface PostgresClient {
  readonly db: PostgresDatabase
  /** Gives `work` a way that has all the time it needs. */
  readonly atLength: <T>(work: (db: PostgresDatabase) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Milliseconds that a caller waits for a connection. */
const connectionTimeout = 5000
const statementTimeout = 5000
/** Milliseconds that a server which has given up a statement has left to say so. */
const grace = 1000

/** Finds the way to the database; nothing is sent yet. */
export function openClient(source: PostgresSource): PostgresClient {
  if ('url' in source) return openPool(source)
  const client = 'pool' in source ? source.pool : source.db.$client
  const db = 'pool' in source ? drizzleOver(source.pool) : source.db
  const stopWatching = isPool(client) ? watch(client) : () => undefined
  return {
    db,
    atLength: (work) => work(db),
    close: async () => stopWatching()
  }
}

function openPool({ url, max = 10, statementTimeout: limit = statementTimeout }: PostgresUrl): PostgresClient {
  const { Pool }: { Pool: new (options: object) => PostgresPool } = load('pg')
  const shared = {
    connectionString: url,
    connectionTimeoutMillis: connectionTimeout,
    fallback_application_name: 'postern',
    keepAlive: true,
    allowExitOnIdle: true
  }
  const limits = limit > 0 ? { statement_timeout: limit, query_timeout: limit + grace } : {}
  const pool = new Pool({ ...shared, ...limits, max })
  watch(pool)
  let ended: Promise<unknown> | null = null
  return {
    db: drizzleOver(pool),
    atLength: async (work) => {
      const patient = new Pool({ ...shared, max: 1 })
      watch(patient)
      try {
        return await work(drizzleOver(patient))
      } finally {
        await patient.end()
      }
    },
    close: async () => {
      ended ??= pool.end()
      await ended
    }
  }
}

/** A pool replaces connections that were lost while idle; without a listener the process would end on each. */
function watch(pool: PostgresPool): () => void {
  const goOn = (): void => undefined
  pool.on('error', goOn)
  return () => {
    pool.off('error', goOn)
  }
}

function drizzleOver(client: PostgresPool): PostgresDatabase {
  const { drizzle }: { drizzle: (config: { client: PostgresPool }) => PostgresDatabase } =
    load('drizzle-orm/node-postgres')
  return drizzle({ client })
}

function isPool(client: unknown): client is PostgresPool {
  return typeof client === 'object' && client !== null && 'totalCount' in client && 'on' in client
}
