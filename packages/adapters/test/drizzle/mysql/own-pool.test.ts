import mysql from 'mysql2'
import promised from 'mysql2/promise'
import t from 'tap'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'

// No connection is opened: a pool opens one with the first query.
const uri = 'mysql://root@127.0.0.1:3306/test'

for (const [name, create] of Object.entries({ 'of callbacks': mysql.createPool, 'of promises': promised.createPool }))
  t.test(`adapters on a pool ${name} share one listener`, async (t) => {
    const pool = create({ uri })
    t.teardown(() => pool.end())
    for (let count = 0; count < 12; count++) await mysqlAdapter({ pool }).close()
    t.equal(pool.listenerCount('connection'), 1)
    const other = create({ uri })
    t.teardown(() => other.end())
    mysqlAdapter({ pool: other })
    t.equal(other.listenerCount('connection'), 1, 'and another pool has its own')
  })
