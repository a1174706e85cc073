import { createStatementGate, withGate } from '@postern/testkit/statement-gate'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { testPairs } from '../user-version-pairs.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

/** A pool whose transactions have this isolation by default. */
function openPool(t: Test, { url }: TestDatabase, isolation: string): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 3, charset: 'utf8mb4', supportBigNumbers: true })
  pool.on('connection', (connection) => {
    connection.query(`set session transaction isolation level ${isolation}`)
  })
  t.teardown(() => pool.end())
  return pool
}

/** Whether a transaction waits for a lock. The table `innodb_trx` is stale while it is read often, and the status is not. */
async function hasLockWait({ raw, name }: TestDatabase): Promise<boolean> {
  const [[status]] = await raw.query<mysql.RowDataPacket[]>('show engine innodb status')
  const transactions = `${status?.['Status']}`.split('---TRANSACTION').filter((text) => text.includes('LOCK WAIT'))
  const threads = transactions.map((text) => Number(/thread id (\d+)/.exec(text)?.[1]))
  if (threads.length === 0) return false
  const own = 'select id from information_schema.processlist where db = ?'
  const [rows] = await raw.query<mysql.RowDataPacket[]>(own, [name])
  return rows.some((row) => threads.includes(Number(row['id'])))
}

await withServer(server, async (t) => {
  for (const isolation of ['read committed', 'repeatable read'])
    await t.test(`pairs of operations by statement, ${isolation} by default`, async (t) => {
      const database = await createTestDatabase(t)
      const [first, second] = [openPool(t, database, isolation), openPool(t, database, isolation)]
      const [gate, otherGate] = [createStatementGate(), createStatementGate()]
      const gated = mysqlAdapter({ pool: withGate(first, gate) })
      const other = mysqlAdapter({ pool: withGate(second, otherGate) })
      await Promise.all([gated.ready(), other.ready()])
      const named = `variable_name in ('tx_isolation', 'transaction_isolation')`
      const [rows] = await second.query<mysql.RowDataPacket[]>(`show session variables where ${named}`)
      t.match(rows[0], { Value: isolation.toUpperCase().replace(' ', '-') })
      await testPairs(t, { gate, gated, other, otherGate, isBlocked: () => hasLockWait(database) }, isolation)
    })
})
