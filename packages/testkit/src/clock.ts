/** A clock that only a test advances. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly advance: (seconds: number) => void
  readonly set: (date: Date) => void
}

/** The source of the time: a {@link Clock}, or `Date` itself. */
export type Now = Pick<Clock, 'now'>

/**
 * Creates a clock that only the test advances.
 *
 * It starts in the year 2030, so that tests detect code that uses the system clock.
 */
export function createClock(start: Date = new Date('2030-01-01T00:00:00Z')): Clock {
  let time = start.getTime()
  return {
    now: () => time,
    advance: (seconds) => {
      time += seconds * 1000
    },
    set: (date) => {
      time = date.getTime()
    }
  }
}
