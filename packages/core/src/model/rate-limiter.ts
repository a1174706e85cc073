import type { MaybePromise } from './awaitable.ts'

/** Allows `points` events in `seconds`. */
export interface RateRule {
  readonly points: number
  readonly seconds: number
}

/**
 * Counts rate-limited events. The operations are atomic, even if several processes share the counters. A limiter in memory returns
 * values, one in a store promises.
 */
export interface RateLimiter {
  /** Consumes one point. @returns Seconds to wait, or 0 if the event is allowed. */
  consume(key: string, rule: RateRule): MaybePromise<number>
  /** Refunds one point of an event that must not count. */
  refund(key: string, rule: RateRule): MaybePromise<void>
}
