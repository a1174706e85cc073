import type { Ways } from 'demo/ways'
import type { Redis } from 'ioredis'

/** The application's own data, where every instance finds it. */
export function waysInRedis(redis: Redis, prefix: string): Ways {
  const key = `${prefix}ways`
  return {
    remember: async (email, provider) => {
      if (email) await redis.hset(key, email, provider)
    },
    of: (email) => (email ? redis.hget(key, email) : null)
  }
}
