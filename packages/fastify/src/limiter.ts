import type { RateLimiter, RateRule } from '@postern/core'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Counts in the memory of this process. */
export function memoryLimiter(): RateLimiter {
  const limiters = new Map<string, RateLimiterMemory>()
  const limiterOf = ({ points, seconds }: RateRule): RateLimiterMemory => {
    const name = `${points}/${seconds}`
    const known = limiters.get(name) ?? new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
    limiters.set(name, known)
    return known
  }
  return {
    take: async (key, rule) => {
      try {
        await limiterOf(rule).consume(key)
        return 0
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
        throw refusal
      }
    },
    giveBack: async (key, rule) => {
      await limiterOf(rule).reward(key)
    }
  }
}
