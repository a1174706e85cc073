import type { RateLimiter, RateRule } from '@postern/core'
import { CappedCounter } from './capped-counter.ts'
import { isObject } from './is-object.ts'
import { load } from './load.ts'

const { hash }: typeof import('node:crypto') = load('node:crypto')

/** The options of a rate-limiter-flexible limiter for one rule. */
export interface CountingSettings {
  readonly keyPrefix: string
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** The methods of a rate-limiter-flexible limiter that Postern uses. */
export interface CountingStore {
  consume(key: string, points?: number): Promise<unknown>
  reward(key: string, points?: number): Promise<unknown>
}

/** The library rejects with a result that is not an `Error` if the limit is exceeded. */
function isRefusal(thrown: unknown): thrown is { readonly msBeforeNext: number } {
  return isObject(thrown) && !(thrown instanceof Error) && typeof thrown['msBeforeNext'] === 'number'
}

const isBelowZero = (result: unknown): boolean => isObject(result) && Number(result['consumedPoints']) < 0

/** Keys contain addresses of users and clients, so a shared store gets only their hashes. */
export const hashed = (key: string): string => hash('sha256', key, 'base64url')

const expectation = 'expected a function that creates a limiter of rate-limiter-flexible from its settings'

/** @throws TypeError if the value is not a limiter. The error is logged and the fallback counts instead. */
function opened(store: CountingStore): CountingStore {
  const isCounting = typeof store?.consume === 'function' && typeof store.reward === 'function'
  if (!isCounting) throw new TypeError(`limiterOn: ${expectation}; its result has no consume and reward`)
  return store
}

/** Creates one of each rule, on first use. */
function createByRule<T>(create: (settings: CountingSettings) => T): (rule: RateRule) => T {
  const all: (RateRule & { readonly created: T })[] = []
  return ({ points, seconds }) => {
    // There are only a few rules, so a linear search is faster than building a key.
    for (const known of all) if (known.points === points && known.seconds === seconds) return known.created
    const created = create({ keyPrefix: `postern ${points}/${seconds}`, points, duration: seconds })
    all.push({ points, seconds, created })
    return created
  }
}

/**
 * Counts in a store that several processes share, with any limiter of rate-limiter-flexible.
 *
 * `rateLimit: { limiter: limiterOn((settings) => new RateLimiterRedis({ storeClient: redis, ...settings })) }`
 *
 * If the store fails or times out, each process applies a stricter limit of its own and logs a warning.
 *
 * @param open - Creates the limiter of one rule; called once per rule.
 * @throws TypeError if `open` is not a function.
 */
export function limiterOn(open: (settings: CountingSettings) => CountingStore): RateLimiter {
  if (typeof open !== 'function')
    throw new TypeError(`limiterOn: ${expectation}, got ${open === null ? 'null' : `a ${typeof open}`}`)
  const createStore = createByRule((settings) => opened(open(settings)))
  return {
    consume: async (key, rule) => {
      try {
        await createStore(rule).consume(hashed(key))
        return 0
      } catch (refusal) {
        if (isRefusal(refusal)) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
        throw refusal
      }
    },
    refund: async (key, rule) => {
      const store = createStore(rule)
      const result = await store.reward(hashed(key))
      // The window of the point has ended: a refund must not add one to the next window.
      if (isBelowZero(result)) await store.consume(hashed(key)).catch(() => undefined)
    }
  }
}

/** Counts in the memory of this process. @param maxBytes - The memory that the keys of one rule may take. */
export function memoryLimiter(maxBytes?: number): RateLimiter {
  const getCounter = createByRule((settings) => new CappedCounter(settings, maxBytes))
  return {
    consume: (key, rule) => Math.ceil(getCounter(rule).consume(hashed(key)) / 1000),
    refund: (key, rule) => getCounter(rule).reward(hashed(key))
  }
}
