/** A clock that stands still until a test moves it. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly advance: (seconds: number) => void
  readonly set: (date: Date) => void
}

/** Where the time comes from: a {@link Clock}, or `Date` itself. */
export type Now = Pick<Clock, 'now'>

/**
 * Makes a clock that stands still until a test moves it.
 *
 * It starts in the year 2030, so code that asks the machine for the time instead is found out.
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
