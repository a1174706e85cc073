import {
  MySqlDatabase,
  MySqlDialect,
  type MySqlQueryResultHKT,
  type PreparedQueryHKTBase
} from 'drizzle-orm/mysql-core'
import { MySql2Session } from 'drizzle-orm/mysql2/session'
import type { Pool, PoolConnection } from 'mysql2/promise'
import { hasOption } from '../has-option.ts'
import { lazy } from '../lazy.ts'
import { loadDriver } from '../load-driver.ts'
import type { Transaction } from '../transaction.ts'
import { assignments } from './settings.ts'
import { setSocketTimeout } from './socket-timeout.ts'
import type { MysqlPool, MysqlSource, MysqlUrl, PromisePool } from './source.ts'

interface RawConnection {
  query(sql: string, done: (error: unknown) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
}

/** The methods of a drizzle database that the adapter uses. */
export type MysqlDatabase = Pick<
  MySqlDatabase<MySqlQueryResultHKT, PreparedQueryHKTBase>,
  'select' | 'insert' | 'update' | 'delete' | 'execute'
>

/** Access to the database. */
export interface MysqlClient {
  readonly db: MysqlDatabase
  /** Runs several statements in one transaction. */
  readonly transaction: Transaction<MysqlDatabase>
  /** Runs a transaction that locks only the rows that it finds, without gap locks. */
  readonly transactionOnRows: Transaction<MysqlDatabase>
  /** Runs `work` on one connection, and rolls back if it fails. */
  readonly onConnection: <T>(work: (db: MysqlDatabase) => Promise<T>) => Promise<T>
  /** Runs `work` on one connection without a time limit. */
  readonly withoutTimeout: <T>(work: (db: MysqlDatabase) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Milliseconds that connecting may take. */
const connectTimeout = 5000
const statementTimeout = 5000
/** Additional milliseconds for the server to report that it has aborted a statement. */
const grace = 1000
/** The maximum number of callers that wait for a connection. */
const queueLimit = 1000

/**
 * Creates the client; no connection is opened yet.
 *
 * @throws TypeError if the source is not a pool of mysql2.
 */
export function openClient(source: MysqlSource): MysqlClient {
  if (hasOption(source, 'url')) return openPool(source)
  const given = hasOption(source, 'pool') ? source.pool : source.db.$client
  const pool = toPromisePool(given)
  if (!outlived.has(given)) pool.on('connection', outlive)
  outlived.add(given)
  return { ...connectPool(pool), withoutTimeout: (work) => onConnection(pool, work), close: async () => undefined }
}

function openPool({ url, max = 10, statementTimeout: limit = statementTimeout }: MysqlUrl): MysqlClient {
  const pool = createPool(url, max, limit)
  const end = lazy(() => pool.end())
  return {
    ...connectPool(pool),
    withoutTimeout: async (work) => {
      const patient = createPool(url, 1, 0)
      try {
        return await onConnection(patient, work)
      } finally {
        await patient.end()
      }
    },
    close: async () => {
      await end()
    }
  }
}

function connectPool(pool: Pool): Omit<MysqlClient, 'withoutTimeout' | 'close'> {
  const create =
    (...begin: readonly string[]): Transaction<MysqlDatabase> =>
    (work, atEnd) =>
      onConnection(pool, async (db, connection) => {
        for (const statement of begin) await connection.query(statement)
        const result = await work(db)
        atEnd?.()
        await connection.query('commit')
        return result
      })
  return {
    db: drizzleOver(pool),
    onConnection: (work) => onConnection(pool, work),
    transaction: create('start transaction'),
    transactionOnRows: create('set transaction isolation level read committed', 'start transaction')
  }
}

/** A connection whose rollback fails is destroyed, and not returned to the pool. */
async function onConnection<T>(
  pool: Pool,
  work: (db: MysqlDatabase, connection: PoolConnection) => Promise<T>
): Promise<T> {
  const connection = await pool.getConnection()
  try {
    const result = await work(drizzleOver(connection), connection)
    connection.release()
    return result
  } catch (error) {
    await connection.query('rollback').then(
      () => connection.release(),
      () => connection.destroy()
    )
    throw error
  }
}

function createPool(uri: string, connectionLimit: number, limit: number): Pool {
  const mysql: typeof import('mysql2') = loadDriver('mysql2')
  const pool = mysql
    .createPool({ uri, connectionLimit, connectTimeout, queueLimit, charset: 'utf8mb4', supportBigNumbers: true })
    .promise()
  if (limit > 0) setSocketTimeout(pool, limit + grace)
  pool.on('connection', (connection) => {
    outlive(connection)
    if (!isRaw(connection)) return
    for (const statement of toStatements(limit)) connection.query(`set session ${statement}`, () => undefined)
  })
  return pool
}

/** What is set on each connection. MySQL and MariaDB each know one of the two limits, and reject the other. */
function toStatements(limit: number): readonly string[] {
  if (limit === 0) return [assignments.join(', ')]
  const seconds = limit / 1000
  const limits = [`max_statement_time = ${seconds}`, `max_execution_time = ${limit}`]
  return [[...assignments, `innodb_lock_wait_timeout = ${Math.ceil(seconds)}`].join(', '), ...limits]
}

/** The application's pools that have the listener, which all adapters on a pool share. Their connections outlive an adapter. */
const outlived = new WeakSet<object>()

/** A pool only handles the first error of a connection; a second one would end the process. */
function outlive(connection: object): void {
  if (isRaw(connection)) connection.on('error', () => undefined)
}

function isRaw(connection: object): connection is RawConnection {
  return 'on' in connection && 'query' in connection
}

function toPromisePool(pool: MysqlPool): Pool {
  const promised = 'promise' in pool ? pool.promise() : pool
  if (isPool(promised)) return promised
  throw new TypeError('mysqlAdapter: expected a pool of mysql2, or drizzle over one')
}

function isPool(pool: PromisePool): pool is PromisePool & Pool {
  return typeof pool.getConnection === 'function'
}

const dialect = new MySqlDialect()

/** The result of drizzle's own function, without the driver that its module loads. */
function drizzleOver(client: Pool | PoolConnection): MysqlDatabase {
  const session = new MySql2Session(client, dialect, undefined, { mode: 'default' })
  return new MySqlDatabase(dialect, session, undefined, 'default')
}
