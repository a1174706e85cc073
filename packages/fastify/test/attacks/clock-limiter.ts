import type { RateLimiter, RateRule } from '@postern/core'

/** A limiter whose windows follow the clock of a test. */
export interface ClockLimiter extends RateLimiter {
  /** Milliseconds since 1970; set it once the clock exists. */
  now: () => number
  /** The keys that were counted, with their points. */
  readonly counts: ReadonlyMap<string, { readonly points: number; readonly ends: number }>
  /** Adds points to a key of `counts`, as so many more requests would. */
  readonly add: (id: string, points: number) => void
}

export function createClockLimiter(): ClockLimiter {
  const counts = new Map<string, { points: number; readonly ends: number }>()
  const find = (key: string, { points, seconds }: RateRule) => {
    const id = `${points}/${seconds} ${key}`
    const known = counts.get(id)
    const current = known && known.ends > limiter.now() ? known : { points: 0, ends: limiter.now() + seconds * 1000 }
    counts.set(id, current)
    return current
  }
  const limiter: ClockLimiter = {
    now: Date.now,
    counts,
    add: (id, points) => {
      const count = counts.get(id)
      if (!count) throw new Error(`expected ${id} to be counted`)
      count.points += points
    },
    consume: async (key, rule) => {
      const count = find(key, rule)
      count.points++
      return count.points > rule.points ? Math.ceil((count.ends - limiter.now()) / 1000) : 0
    },
    refund: async (key, rule) => {
      const count = find(key, rule)
      count.points = Math.max(0, count.points - 1)
    }
  }
  return limiter
}
