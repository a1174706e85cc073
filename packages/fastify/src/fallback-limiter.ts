import type { Logger, RateLimiter, RateRule } from '@postern/core'
import { hashed, memoryLimiter } from './limiter.ts'

/** Milliseconds before a failed store is called again, so that a flood of requests does not wait for it one by one. */
const pause = 1000

/** The maximum number of keys tracked while the store is unavailable. */
const maxConsumed = 10_000

/** Each process counts on its own during an outage, so each one allows fewer attempts than the shared limit. */
const stricter = ({ points, seconds }: RateRule): RateRule => ({ points: Math.max(1, Math.floor(points / 4)), seconds })

/** The result of the store, limited to the time that a request can wait for it. */
async function withTimeout<T>(result: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
    result.catch(() => undefined)
  }
}

/** @throws TypeError if a limiter did not return a number of seconds. */
function checkWait(wait: unknown): asserts wait is number {
  if (typeof wait === 'number' && Number.isFinite(wait) && wait >= 0) return
  throw new TypeError(`consume returned ${typeof wait === 'number' ? wait : typeof wait}, not a number of seconds`)
}

/** Counts in this process and tracks the consumed keys, so that a refund goes to the limiter that counted. */
function standIn() {
  const limiter = memoryLimiter()
  /** By the hashes of the keys, so that their size is limited too. */
  const taken = new Map<string, number>()
  return {
    has: (key: string): boolean => taken.size > 0 && taken.has(hashed(key)),
    forget: (key: string): boolean => taken.size > 0 && taken.delete(hashed(key)),
    consume: async (key: string, rule: RateRule): Promise<number> => {
      if (taken.size >= maxConsumed) taken.clear()
      const id = hashed(key)
      taken.set(id, (taken.get(id) ?? 0) + 1)
      return limiter.consume(key, stricter(rule))
    },
    refund: async (key: string, rule: RateRule): Promise<void> => {
      const id = hashed(key)
      const count = taken.get(id) ?? 0
      if (count === 0) return
      if (count === 1) taken.delete(id)
      else taken.set(id, count - 1)
      await limiter.refund(key, stricter(rule))
    }
  }
}

/**
 * Wraps a limiter with a fallback: if it fails, a stricter limit of this process applies, so that requests are neither
 * unlimited nor all rejected.
 *
 * @param timeout - Milliseconds that the limiter may take.
 */
export function withFallbackLimiter(limiter: RateLimiter, logger: Pick<Logger, 'warn'>, timeout: number): RateLimiter {
  const here = standIn()
  let askAgainAt = 0
  const isDown = (): boolean => askAgainAt > 0
  const call = async <T>(ask: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    const left = askAgainAt - Date.now()
    // A longer time means that the clock was set back; the store is called again.
    if (left > 0 && left <= pause) return instead()
    try {
      const result = await withTimeout(ask(), timeout)
      if (isDown()) logger.warn('RATE_LIMITER_BACK', 'the limiter responds again')
      askAgainAt = 0
      return result
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!isDown()) logger.warn('RATE_LIMITER_DOWN', `this process applies a stricter limit instead: ${message}`)
      askAgainAt = Date.now() + pause
      return instead()
    }
  }
  return {
    consume: (key, rule) =>
      call(
        async () => {
          const wait = await limiter.consume(key, rule)
          checkWait(wait)
          // The store has recovered: later refunds of this key go to the store.
          here.forget(key)
          return wait
        },
        () => here.consume(key, rule)
      ),
    refund: (key, rule) =>
      here.has(key)
        ? here.refund(key, rule)
        : call(
            async () => limiter.refund(key, rule),
            () => Promise.resolve()
          )
  }
}
