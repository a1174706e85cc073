import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { hasMembers } from '../../check-options.ts'
import { isGiven } from '../has-option.ts'
import { load } from '../load.ts'
import type { Transaction } from '../transaction.ts'
import { drizzleOver, type Queryable } from './drizzle-over.ts'

/** What the adapter asks of a connection of node-postgres. */
export interface PostgresConnection extends Queryable {
  release(isLost?: boolean): void
}

/** What the adapter asks of node-postgres' `Pool`. */
export interface PostgresPool extends Queryable {
  connect(): Promise<PostgresConnection>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'acquire', listener: (connection: object) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'acquire', listener: (connection: object) => void): unknown
  end(): Promise<unknown>
}

/** What the adapter asks of a drizzle database. */
export type PostgresDatabase = Pick<
  PgDatabase<PgQueryResultHKT>,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | '$with' | 'with'
>

/** Where the database is, when the adapter connects to it. */
export interface PostgresUrl {
  /** An address like `postgres://user:password@host:5432/app`, or a socket. `close` closes the connections. */
  readonly url: string
  /** How many connections there may be at once. @defaultValue `10` */
  readonly max?: number | undefined
  /**
   * Milliseconds after which the server gives up a statement; 0 for never, which a PgBouncer that knows no such
   * parameter asks for. @defaultValue `5000`
   */
  readonly statementTimeout?: number | undefined
}

/** A drizzle database over any driver for PostgreSQL that knows transactions, PGlite among them. */
export interface PostgresDrizzle extends PostgresDatabase {
  transaction<T>(work: (db: PostgresDatabase) => Promise<T>): Promise<T>
  readonly $client?: unknown
}

/** A pool of the application's. */
export interface PostgresPooled {
  /** In place of `url`: a pool of node-postgres. It stays yours. */
  readonly pool: PostgresPool
}

/** A drizzle database of the application's. */
export interface PostgresOver {
  /** In place of `url`: a drizzle database over any driver that knows transactions, PGlite among them. It stays yours. */
  readonly db: PostgresDrizzle
}

/** Where the database is: an address, a pool of node-postgres, or a drizzle database. */
export type PostgresSource = PostgresUrl | PostgresPooled | PostgresOver

/** A way to the database. */
export interface PostgresClient {
  readonly db: PostgresDatabase
  /** Runs several statements: all of them take effect, or none. */
  readonly transaction: Transaction<PostgresDatabase>
  /** Gives `work` a way that has all the time it needs. */
  readonly atLength: <T>(work: (db: PostgresDatabase) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Milliseconds that a caller waits for a connection. */
const connectionTimeout = 5000
const statementTimeout = 5000
/** Milliseconds that a server which has given up a statement has left to say so. */
const grace = 1000

/**
 * Finds the way to the database; nothing is sent yet. A single connection is none: the statements of many transactions
 * would mix on it.
 */
export function openClient(source: PostgresSource): PostgresClient {
  if (isGiven(source, 'url')) return openPool(source)
  if (isGiven(source, 'pool')) {
    const stopWatching = watch(source.pool)
    const way = over(source.pool)
    return { ...way, atLength: (work) => work(way.db), close: async () => stopWatching() }
  }
  const { db } = source
  const stopWatching = isPool(db.$client) ? watch(db.$client) : () => undefined
  const transaction: PostgresClient['transaction'] = (work, atEnd) =>
    db.transaction(async (db) => {
      const result = await work(db)
      atEnd?.()
      return result
    })
  return { db, transaction, atLength: (work) => work(db), close: async () => stopWatching() }
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
    ...over(pool),
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

function over(pool: PostgresPool): Pick<PostgresClient, 'db' | 'transaction'> {
  return {
    db: drizzleOver(pool),
    transaction: async (work, atEnd) => {
      const connection = await pool.connect()
      try {
        await connection.query('begin')
        const result = await work(drizzleOver(connection))
        atEnd?.()
        await connection.query('commit')
        connection.release()
        return result
      } catch (error) {
        await connection.query('rollback').then(
          () => connection.release(),
          () => connection.release(true)
        )
        throw error
      }
    }
  }
}

/**
 * A pool replaces connections that were lost, but tells of those that were idle, and leaves those in use to whoever uses
 * them; without a listener the process would end on each.
 */
function watch(pool: PostgresPool): () => void {
  const goOn = (): void => undefined
  const outlived = new WeakSet<object>()
  const outlive = (connection: object): void => {
    if (outlived.has(connection) || !('on' in connection) || typeof connection.on !== 'function') return
    outlived.add(connection)
    connection.on('error', goOn)
  }
  pool.on('error', goOn)
  pool.on('acquire', outlive)
  return () => {
    pool.off('error', goOn)
    pool.off('acquire', outlive)
  }
}

function isPool(client: unknown): client is PostgresPool {
  return hasMembers(client) && 'totalCount' in client && 'on' in client
}
