import type { Logger, RateLimiter, RateRule } from '@postern/core'
import { memoryLimiter } from './limiter.ts'

/** Milliseconds until a store that failed is asked again: a flood must not wait for it one by one. */
const pause = 1000

/** Keys that are remembered while the store is down. */
const mostTaken = 10_000

/** Each of several processes counts for itself then, so each allows less than all of them did together. */
const stricter = ({ points, seconds }: RateRule): RateRule => ({ points: Math.max(1, Math.floor(points / 4)), seconds })

/** The answer of the store, within the time that a request can wait for it. */
async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    answer.catch(() => undefined)
  }
}

/** Counts in this process, and knows what it has counted, so that it is given back where it was taken. */
function standIn() {
  const limiter = memoryLimiter()
  const taken = new Map<string, number>()
  return {
    has: (key: string): boolean => taken.has(key),
    forget: (key: string): boolean => taken.delete(key),
    take: (key: string, rule: RateRule): Promise<number> => {
      if (taken.size >= mostTaken) taken.clear()
      taken.set(key, (taken.get(key) ?? 0) + 1)
      return limiter.take(key, stricter(rule))
    },
    giveBack: async (key: string, rule: RateRule): Promise<void> => {
      const count = taken.get(key) ?? 0
      if (count === 0) return
      if (count === 1) taken.delete(key)
      else taken.set(key, count - 1)
      await limiter.giveBack(key, stricter(rule))
    }
  }
}

/**
 * Stands in for a limiter that fails: a stricter limit of this process, never none, and never a full stop.
 *
 * @param timeout - Milliseconds that the limiter may take.
 */
export function insured(limiter: RateLimiter, logger: Pick<Logger, 'warn'>, timeout: number): RateLimiter {
  const here = standIn()
  let askAgainAt = 0
  const isDown = (): boolean => askAgainAt > 0
  const call = async <T>(ask: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    const left = askAgainAt - Date.now()
    // A clock that was set back must not keep us from asking.
    if (left > 0 && left <= pause) return instead()
    try {
      const answer = await inTime(ask(), timeout)
      if (isDown()) logger.warn('RATE_LIMITER_BACK', 'the limiter answers again')
      askAgainAt = 0
      return answer
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!isDown()) logger.warn('RATE_LIMITER_DOWN', `a stricter limit of this process stands in: ${message}`)
      askAgainAt = Date.now() + pause
      return instead()
    }
  }
  return {
    take: (key, rule) =>
      call(
        async () => {
          const wait = await limiter.take(key, rule)
          // Failures of an outage are over with it: what is counted there from now on is given back there.
          here.forget(key)
          return wait
        },
        () => here.take(key, rule)
      ),
    giveBack: (key, rule) =>
      here.has(key)
        ? here.giveBack(key, rule)
        : call(
            () => limiter.giveBack(key, rule),
            () => Promise.resolve()
          )
  }
}
