import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { hasMembers } from '../../is-object.ts'
import { hasOption } from '../has-option.ts'
import { lazy } from '../lazy.ts'
import { loadDriver } from '../load-driver.ts'
import type { Transaction } from '../transaction.ts'
import { isRefusal } from './driver-errors.ts'
import { drizzleOver, type Queryable, type Statement } from './drizzle-over.ts'
import { setSettings } from './settings.ts'

/** The methods of a node-postgres connection that the adapter uses. */
export interface PostgresConnection extends Queryable {
  release(isLost?: boolean): void
}

/** The methods of node-postgres' `Pool` that the adapter uses. */
export interface PostgresPool extends Queryable {
  connect(): Promise<PostgresConnection>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'acquire', listener: (connection: object) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'acquire', listener: (connection: object) => void): unknown
  end(): Promise<unknown>
}

/** The methods of a drizzle database that the adapter uses. */
export type PostgresDatabase = Pick<
  PgDatabase<PgQueryResultHKT>,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | '$with' | 'with'
>

/** The location of a database that the adapter connects to. */
export interface PostgresUrl {
  /** A URL such as `postgres://user:password@host:5432/app`, or a socket. `close` closes the connections. */
  readonly url: string
  /** The maximum number of connections. @defaultValue `10` */
  readonly max?: number | undefined
  /**
   * Milliseconds after which the server aborts a statement; 0 for no limit, which is required for a PgBouncer that does
   * not support the parameter. @defaultValue `5000`
   */
  readonly statementTimeout?: number | undefined
}

/** A drizzle database over any PostgreSQL driver with transactions, including PGlite. */
export interface PostgresDrizzle extends PostgresDatabase {
  transaction<T>(
    work: (db: PostgresDatabase) => Promise<T>,
    config?: { readonly isolationLevel?: 'read committed' }
  ): Promise<T>
  readonly $client?: unknown
}

/** A pool that the application owns. */
export interface PostgresPooled {
  /** Replaces `url`: a pool of node-postgres. The application closes it. */
  readonly pool: PostgresPool
}

/** A drizzle database that the application owns. */
export interface PostgresOver {
  /**
   * Replaces `url`: a drizzle database over any driver with transactions, including PGlite. The application closes it.
   */
  readonly db: PostgresDrizzle
}

/** The database: a URL, a pool of node-postgres, or a drizzle database. */
export type PostgresSource = PostgresUrl | PostgresPooled | PostgresOver

/** Access to the database. */
export interface PostgresClient {
  readonly db: PostgresDatabase
  /** Runs several statements in one transaction. */
  readonly transaction: Transaction<PostgresDatabase>
  /** Runs `work` without a time limit. */
  readonly withoutTimeout: <T>(work: (db: PostgresDatabase) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Milliseconds that a caller waits for a connection. */
const connectionTimeout = 5000
const statementTimeout = 5000
/** Additional milliseconds for the server to report that it has aborted a statement. */
const grace = 1000

/**
 * Creates the client; no connection is opened yet. A single connection is rejected: the statements of concurrent
 * transactions would mix on it.
 */
export function openClient(source: PostgresSource): PostgresClient {
  if (hasOption(source, 'url')) return openPool(source)
  if (hasOption(source, 'pool')) {
    const stopWatching = watch(source.pool)
    const method = connectPool(source.pool)
    return { ...method, withoutTimeout: (work) => work(method.db), close: async () => stopWatching() }
  }
  const { db } = source
  const stopWatching = isPool(db.$client) ? watch(db.$client) : () => undefined
  const transaction: PostgresClient['transaction'] = (work, atEnd) =>
    db.transaction(
      async (db) => {
        const result = await work(db)
        atEnd?.()
        return result
      },
      { isolationLevel: 'read committed' }
    )
  return { db, transaction, withoutTimeout: (work) => work(db), close: async () => stopWatching() }
}

function openPool({ url, max = 10, statementTimeout: limit = statementTimeout }: PostgresUrl): PostgresClient {
  const { Pool }: { Pool: new (options: object) => PostgresPool } = loadDriver('pg')
  const shared = {
    connectionString: url,
    connectionTimeoutMillis: connectionTimeout,
    fallback_application_name: 'postern',
    keepAlive: true,
    allowExitOnIdle: true,
    verify: (connection: PostgresConnection, done: (error?: unknown) => void) => {
      connection.query(setSettings).then(() => done(), done)
    }
  }
  const limits = limit > 0 ? { statement_timeout: limit, query_timeout: limit + grace } : {}
  const pool = new Pool({ ...shared, ...limits, max })
  watch(pool)
  const end = lazy(() => pool.end())
  return {
    ...connectPool(pool),
    withoutTimeout: async (work) => {
      const patient = new Pool({ ...shared, max: 1 })
      watch(patient)
      try {
        return await work(drizzleOver(patient))
      } finally {
        await patient.end()
      }
    },
    close: async () => {
      await end()
    }
  }
}

function connectPool(pool: PostgresPool): Pick<PostgresClient, 'db' | 'transaction'> {
  return {
    db: drizzleOver({ query: (statement) => runOnPool(pool, statement) }),
    transaction: async (work, atEnd) => {
      const connection = await pool.connect()
      try {
        await connection.query('begin isolation level read committed')
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
 * Runs a statement on a connection of the pool. The pool's own method closes the connection after any error, also where
 * the server has only refused the values, such as a key that exists.
 */
async function runOnPool(pool: PostgresPool, statement: string | Statement): Promise<{ rows: unknown[] }> {
  const connection = await pool.connect()
  try {
    const result = await connection.query(statement)
    connection.release()
    return result
  } catch (error) {
    connection.release(!isRefusal(error))
    throw error
  }
}

/**
 * A pool replaces lost connections. It emits the errors of idle ones, but not of those in use; without listeners, each
 * error would end the process.
 */
function watch(pool: PostgresPool): () => void {
  const resume = (): void => undefined
  const outlived = new WeakSet<object>()
  const outlive = (connection: object): void => {
    if (outlived.has(connection) || !('on' in connection) || typeof connection.on !== 'function') return
    outlived.add(connection)
    connection.on('error', resume)
  }
  pool.on('error', resume)
  pool.on('acquire', outlive)
  return () => {
    pool.off('error', resume)
    pool.off('acquire', outlive)
  }
}

function isPool(client: unknown): client is PostgresPool {
  return hasMembers(client) && 'totalCount' in client && 'on' in client
}
