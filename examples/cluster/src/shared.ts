import { postgresAdapter } from '@postern/adapters/postgres'
import { withRedisSessions } from '@postern/adapters/redis'
import type { Adapter, RateLimiter } from '@postern/core'
import { limiterOn } from '@postern/fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Settings } from './settings.ts'

/** What all instances share, as one of them reaches it: by connections of its own. */
export interface Shared {
  readonly adapter: Adapter
  readonly limiter: RateLimiter
  readonly redis: Redis
  readonly ready: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the way to PostgreSQL, where users are, and to Redis, where sessions, one-time tokens and limits are. */
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
