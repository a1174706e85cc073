// One instance of the application, in a process of its own. What several have to share is in PostgreSQL and Redis.

import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import { limiterOn } from '@postern/fastify'
import { createApp } from 'demo/app'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { fromEnvironment } from './settings.ts'
import { waysInRedis } from './ways.ts'

const { database, redis: address, prefix, ...settings } = fromEnvironment(process.env)

const users = postgresAdapter({ url: database })
const redis = new Redis(address)

const app = await createApp({
  ...settings,
  adapter: withRedisSessions(users, { client: redis, prefix }),
  ways: waysInRedis(redis, prefix),
  logLevel: process.env['LOG_LEVEL'] ?? 'warn',
  trustProxy: true,
  limiter: limiterOn(
    (rule) => new RateLimiterRedis({ storeClient: redis, ...rule, keyPrefix: prefix + rule.keyPrefix })
  )
})
await users.ready()
const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
process.send?.({ port: Number(port) })

// Every request that was accepted is answered before the process ends.
process.once('SIGTERM', async () => {
  await app.close()
  await users.close()
  redis.disconnect()
  process.exit(0)
})
