import { setTimeout as delay } from 'node:timers/promises'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import type { Test } from 'tap'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server } from '../../servers.ts'
import type { ServerUnderTest } from '../server-under-test.ts'
import { createTestDatabase, reuseDatabases, type TestDatabase } from './databases.ts'
import { blocked, endBlocked, endIdle, getConnections, open, whileLocked } from './locks.ts'

/** A pool of three connections. @param setting - What each sets first. @param requests - Receives the statements. */
export function openPool(
  t: Test,
  { url }: Pick<TestDatabase, 'url'>,
  setting: string | null = null,
  requests: string[] = []
): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 3 })
  pool.on('connection', (connection) => {
    if (setting !== null) connection.query(`set session ${setting}`)
    connection.query = new Proxy(connection.query, {
      apply: (query, self, args) => {
        const command = Reflect.apply(query, self, args)
        requests.push(command.sql)
        return command
      }
    })
  })
  t.teardown(() => pool.promise().end())
  return pool
}

/** The number of rows that a statement reads from an index or a table. */
export async function readHandlerReads({ raw }: Pick<TestDatabase, 'raw'>, statement: string): Promise<number> {
  // The statements of one query use one connection, and the status is that of the connection.
  const [results] = await raw.query(
    `flush status; ${statement}; show session status where Variable_name in
      ('Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd_next')`
  )
  const status: unknown = Array.isArray(results) ? results.at(-1) : []
  return (Array.isArray(status) ? status : []).reduce((sum: number, row: unknown) => {
    const value = typeof row === 'object' && row !== null ? Number(Reflect.get(row, 'Value')) : 0
    return sum + value
  }, 0)
}

/** A connection outside the adapter, for a transaction that blocks it. */
export function openOther(t: Test, { url }: TestDatabase) {
  const other = mysql.createConnection({ uri: url, multipleStatements: true }).promise()
  t.teardown(() => other.end())
  return other
}

/** MySQL or MariaDB, for the tests of one file. */
export const createServer = (t: Test): ServerUnderTest<TestDatabase> => ({
  port: server.port,
  open,
  methods: {
    'an address': open,
    'a pool': (t, database) => mysqlAdapter({ pool: openPool(t, database) }),
    'a drizzle database': (t, database) => mysqlAdapter({ db: drizzle({ client: openPool(t, database) }) })
  },
  getDatabase: reuseDatabases(t),
  createDatabase: createTestDatabase,
  whileLocked: (database, table, work) =>
    whileLocked(database, table === 'account' ? 'account read' : 'user write', work),
  ...{ blocked, endBlocked, endIdle },
  endAny: async (database) => {
    await delay(15 * Math.random())
    const ids = await getConnections(database, '')
    const id = ids[Math.floor(Math.random() * ids.length)]
    if (id === undefined) return 0
    return database.raw.query(`kill connection ${id}`).then(
      () => 1,
      () => 0
    )
  },
  // One is that of the lock.
  countConnections: async (database) => (await getConnections(database, '')).length - 1,
  readRows: ({ raw }) => rowsBySql(async (sql) => (await raw.query<mysql.RowDataPacket[]>(sql))[0], '`'),
  run: ({ raw }, statement) => raw.query(statement),
  whileUsed: async (t, database, work) => {
    const other = openOther(t, database)
    await other.query(`begin; update session set expires = '2099-12-31' where sessionToken = 'used'`)
    await work()
    await other.query('commit')
  },
  fullDisk: {
    fill: `create trigger full_disk before insert on session for each row
      signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full'`,
    free: 'drop trigger full_disk'
  },
  codes: {
    ended: /^(PROTOCOL_CONNECTION_LOST|ER_1927)$/,
    slow: /^ER_(1969|QUERY_TIMEOUT|LOCK_WAIT_TIMEOUT)$/,
    full: /^ER_RECORD_FILE_FULL$/
  },
  refusedEmail: 'secret'.repeat(50)
})
