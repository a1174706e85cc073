import { isLong, times } from '@postern/testkit/long'
import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { postgresAdapter } from '../src/drizzle/postgres/index.ts'
import { sqliteAdapter } from '../src/drizzle/sqlite/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { withRedisSessions } from '../src/redis/index.ts'
import { createTestDatabase as newSchema } from './drizzle/postgres/databases.ts'
import { createTestDatabase } from './redis/clients.ts'
import { hasProgram, startCluster } from './redis/cluster.ts'
import { isRequired, postgres, redis, withServer } from './servers.ts'
import { openOnce, suitesAt } from './suites.ts'

await withServer(redis, async (t) => {
  await t.test('users in memory', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    await testAdapter(suitesAt(t, 0, 3), () => withRedisSessions(memoryAdapter(), { client, prefix }), {
      expired: 'by the store'
    })
  })

  if (isLong) {
    await t.test('users in SQLite', async (t) => {
      const { client, prefix } = await createTestDatabase(t)
      await testAdapter(t, () => withRedisSessions(sqliteAdapter({ file: ':memory:' }), { client, prefix }), {
        callers: 10,
        expired: 'by the store'
      })
    })
  }

  await withServer(
    postgres,
    async (t) => {
      const { client, prefix } = await createTestDatabase(t)
      const { url } = await newSchema(t)
      const open = openOnce(t, () => withRedisSessions(postgresAdapter({ url, max: 4 }), { client, prefix }))
      await testAdapter(suitesAt(t, 1, 3), open, { nul: 'refused', callers: times(6, 10), expired: 'by the store' })
    },
    t
  )
})

const missing = 'redis-server is not installed'
await t.test('Redis Cluster', { skip: hasProgram || isRequired ? false : missing }, async (t) => {
  if (!hasProgram) return t.fail(missing)
  const client = await startCluster(t)
  return testAdapter(suitesAt(t, 2, 3), () => withRedisSessions(memoryAdapter(), { client }), {
    expired: 'by the store'
  })
})
