import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import t from 'tap'
import { memoryAdapter } from '../src/memory/index.ts'
import { withRedisSessions } from '../src/redis/index.ts'
import { testAuthenticators } from './authenticators.ts'
import { createTestDatabase as createMysql } from './drizzle/mysql/databases.ts'
import { createTestDatabase as createPostgres } from './drizzle/postgres/databases.ts'
import { createTestDatabase as createRedis } from './redis/clients.ts'
import { mysql, postgres, redis, withServer } from './servers.ts'

await t.test('memory', (t) => testAuthenticators(t, memoryAdapter()))
await t.test('SQLite', (t) => testAuthenticators(t, sqliteAdapter({ file: ':memory:' })))
await withServer(postgres, async (t) => testAuthenticators(t, postgresAdapter({ url: (await createPostgres(t)).url })))
await withServer(mysql, async (t) => testAuthenticators(t, mysqlAdapter({ url: (await createMysql(t)).url })))
await withServer(redis, async (t) => {
  const { client, prefix } = await createRedis(t)
  await testAuthenticators(t, withRedisSessions(memoryAdapter(), { client, prefix }))
})
