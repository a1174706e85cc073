import * as schema from '@postern/adapters/mysql'
import { times } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import { testAdapter } from '../src/contract/index.ts'
import { createTestDatabase, reuseDatabases } from './drizzle/mysql/databases.ts'
import { testPromises } from './promises.ts'
import { mysql as server, withServer } from './servers.ts'
import { shareOut } from './share-out.ts'
import { openOnce, suitesAt } from './suites.ts'

const { DuplicateError, mysqlAdapter } = schema

await withServer(server, async (t) => {
  await t.test('an address', async (t) => {
    const { url } = await createTestDatabase(t)
    await testAdapter(
      suitesAt(t, 0, 2),
      openOnce(t, () => mysqlAdapter({ url })),
      { keyLength: 255, callers: times(12, 50) }
    )
  })

  await t.test('its promises', async (t) => {
    const getDatabase = reuseDatabases(t)
    const open = openOnce(t, (url: string) => mysqlAdapter({ url }))
    await testPromises(t, async (t) => open((await getDatabase(t)).url), DuplicateError)
  })

  await t.test('a drizzle database and a pool, in turn', async (t) => {
    const { url } = await createTestDatabase(t)
    const pool = mysql.createPool({ uri: url, connectionLimit: 5 })
    t.teardown(() => pool.promise().end())
    const open = openOnce(t, () =>
      shareOut(
        mysqlAdapter({ pool: pool.promise() }),
        mysqlAdapter({ db: drizzle({ client: pool, schema, mode: 'default' }) })
      )
    )
    await testAdapter(suitesAt(t, 1, 2), open, { keyLength: 255, callers: 10 })
  })
})
