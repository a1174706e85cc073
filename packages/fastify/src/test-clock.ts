/** A clock that only a test advances: `runtime: { now: clock.now }`. */
export interface TestClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly advance: (seconds: number) => void
}

/**
 * Creates a clock that only a test advances, for the option `runtime`. Timers and `Date` are not affected, so that
 * connections to a store work as usual.
 *
 * @param start - @defaultValue the time of the call
 */
export function createClock(start: Date = new Date()): TestClock {
  let time = start.getTime()
  return {
    now: () => time,
    advance: (seconds) => {
      time += seconds * 1000
    }
  }
}
