import type { LastProviderStore } from 'demo/last-provider'
import type { Redis } from 'ioredis'

/** The application's own data, shared by all instances. */
export function createRedisStore(redis: Redis, prefix: string): LastProviderStore {
  const key = `${prefix}ways`
  return {
    remember: async (email, provider) => {
      if (email) await redis.hset(key, email, provider)
    },
    of: (email) => (email ? redis.hget(key, email) : null)
  }
}
