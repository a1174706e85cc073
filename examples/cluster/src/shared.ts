import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import type { Adapter, RateLimiter } from '@postern/core'
import { limiterOn } from '@postern/fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Settings } from './settings.ts'

/** The shared stores, with an instance's own connections. */
export interface Shared {
  readonly adapter: Adapter
  readonly limiter: RateLimiter
  readonly redis: Redis
  readonly ready: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Connects to PostgreSQL, which stores users, and to Redis, which stores sessions, one-time tokens and rate limits. */
export function openShared({
  database,
  redis: address,
  prefix
}: Pick<Settings, 'database' | 'redis' | 'prefix'>): Shared {
  const users = postgresAdapter({ url: database })
  const redis = new Redis(address)
  return {
    adapter: withRedisSessions(users, { client: redis, prefix }),
    limiter: limiterOn(
      (rule) => new RateLimiterRedis({ storeClient: redis, ...rule, keyPrefix: prefix + rule.keyPrefix })
    ),
    redis,
    ready: users.ready,
    close: async () => {
      await users.close()
      redis.disconnect()
    }
  }
}
