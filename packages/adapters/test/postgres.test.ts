import * as schema from '@postern/adapters/postgres'
import { times } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { testAdapter } from '../src/contract/index.ts'
import { createTestDatabase, reuseDatabases } from './drizzle/postgres/databases.ts'
import { testPromises } from './promises.ts'
import { postgres, withServer } from './servers.ts'
import { shareOut } from './share-out.ts'
import { openOnce, suitesAt } from './suites.ts'

const { DuplicateError, postgresAdapter } = schema

await withServer(postgres, async (t) => {
  await t.test('an address', async (t) => {
    const { url } = await createTestDatabase(t)
    await testAdapter(
      suitesAt(t, 0, 2),
      openOnce(t, () => postgresAdapter({ url })),
      { nul: 'refused', callers: times(6, 50) }
    )
  })

  await t.test('its promises', async (t) => {
    const getDatabase = reuseDatabases(t)
    const open = openOnce(t, (url: string) => postgresAdapter({ url }))
    await testPromises(t, async (t) => open((await getDatabase(t)).url), DuplicateError)
  })

  await t.test('a drizzle database and a pool, in turn', async (t) => {
    const { url } = await createTestDatabase(t)
    const pool = new pg.Pool({ connectionString: url, max: 5 })
    t.teardown(() => pool.end())
    const open = openOnce(t, () =>
      shareOut(postgresAdapter({ pool }), postgresAdapter({ db: drizzle({ client: pool, schema }) }))
    )
    await testAdapter(suitesAt(t, 1, 2), open, { nul: 'refused', callers: 10 })
  })
})
