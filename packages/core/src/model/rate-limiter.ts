/** So many in so many seconds. */
export interface RateRule {
  readonly points: number
  readonly seconds: number
}

/** Counts what must not happen too often; atomic, also where several processes share the counters. */
export interface RateLimiter {
  /** Counts one. @returns Seconds to wait, or 0 where it is allowed. */
  take(key: string, rule: RateRule): Promise<number>
  /** Takes one back: what was counted turned out to be no failure. */
  giveBack(key: string, rule: RateRule): Promise<void>
}
