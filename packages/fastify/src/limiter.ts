import type { RateLimiter, RateRule } from '@postern/core'
import { load } from './load.ts'

const { hash }: typeof import('node:crypto') = load('node:crypto')

/** What a limiter of rate-limiter-flexible is made with for one rule. */
export interface CountingSettings {
  readonly keyPrefix: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** A limiter of rate-limiter-flexible, as far as it is used. */
export interface CountingStore {
  consume(key: string, points?: number): Promise<unknown>
  reward(key: string, points?: number): Promise<unknown>
}

/** The library rejects with a result that is no error where one is too many. */
function isRefusal(thrown: unknown): thrown is { readonly msBeforeNext: number } {
  const isResult = typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error)
  return isResult && 'msBeforeNext' in thrown && typeof thrown.msBeforeNext === 'number'
}

/** Addresses of people and machines do not stand in a store that others read. */
const hashed = (key: string): string => hash('sha256', key, 'base64url')

const expectation = 'expected a function that makes a limiter of rate-limiter-flexible of its settings'

/** @throws TypeError it cannot count; the log says so, and the stand-in counts. */
function opened(store: CountingStore): CountingStore {
  const isCounting = typeof store?.consume === 'function' && typeof store.reward === 'function'
  if (!isCounting) throw new TypeError(`limiterOn: ${expectation}; what it made has no consume and reward`)
  return store
}

/**
 * Counts in a store that several processes share: any of rate-limiter-flexible's.
 *
 * `rateLimit: { limiter: limiterOn((settings) => new RateLimiterRedis({ storeClient: redis, ...settings })) }`
 *
 * While the store does not answer, a stricter limit of each process stands in, and the log says so.
 *
 * @param open - Makes the limiter of one rule; called once for each.
 * @throws TypeError at once, where there is no such function.
 */
export function limiterOn(open: (settings: CountingSettings) => CountingStore): RateLimiter {
  if (typeof open !== 'function')
    throw new TypeError(`limiterOn: ${expectation}, got ${open === null ? 'null' : `a ${typeof open}`}`)
  const stores: (RateRule & { readonly store: CountingStore })[] = []
  const storeOf = ({ points, seconds }: RateRule): CountingStore => {
    // There are a few of them: to look is faster than to make a key.
    for (const known of stores) if (known.points === points && known.seconds === seconds) return known.store
    const store = opened(open({ keyPrefix: `postern ${points}/${seconds}`, points, duration: seconds }))
    stores.push({ points, seconds, store })
    return store
  }
  return {
    take: async (key, rule) => {
      try {
        await storeOf(rule).consume(hashed(key))
        return 0
      } catch (refusal) {
        if (isRefusal(refusal)) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
        throw refusal
      }
    },
    giveBack: async (key, rule) => {
      await storeOf(rule).reward(hashed(key))
    }
  }
}

/** Counts in the memory of this process. */
export function memoryLimiter(): RateLimiter {
  return limiterOn((settings) => {
    const { RateLimiterMemory }: typeof import('rate-limiter-flexible') = load('rate-limiter-flexible')
    return new RateLimiterMemory(settings)
  })
}
