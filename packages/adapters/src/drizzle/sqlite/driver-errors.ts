import { setTimeout as delay } from 'node:timers/promises'

/** What waiting needs of the world, and for how long it may last. */
export interface Patience {
  /** Milliseconds after which the store counts as out of order. */
  readonly limit: number
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** A number from 0 up to 1. */
  readonly random: () => number
}

/** Tries for 5 s. */
export const patience: Patience = { limit: 5000, now: () => performance.now(), sleep: delay, random: Math.random }

const shortestPause = 50
const longestPause = 400

/** Runs `work` and returns what it returns. */
export type Attempt = <T>(work: () => T) => Promise<T>

/**
 * Makes a function that runs work again, after a pause, while another process holds the database.
 *
 * Each try blocks the event loop for as long as SQLite's own time-out, so callers share the pauses: while one
 * of them rests nobody tries, and there is one try after each pause however many callers wait.
 */
export function createAttempt({ limit, now, sleep, random }: Patience): Attempt {
  let rest: Promise<unknown> | null = null
  let failures = 0

  const pause = (error: unknown): Promise<unknown> => {
    const length = Math.min(shortestPause * 2 ** failures, longestPause) * (0.5 + random() / 2)
    failures += 1
    return sleep(length).then(() => {
      rest = null
      return error
    })
  }

  return async (work) => {
    const deadline = now() + limit
    for (;;) {
      while (rest !== null) {
        const error = await rest
        if (now() >= deadline) throw error
      }
      try {
        const result = work()
        failures = 0
        return result
      } catch (error) {
        if (!isBusy(error)) throw error
        rest = pause(error)
      }
    }
  }
}

/**
 * Runs work at start, when nothing is served yet, and again after a pause while another process holds the database.
 *
 * SQLite's own time-out is no help here: of two processes that turn on WAL mode at once, one is refused on the spot.
 */
export function attemptAtStart<T>(work: () => T): T {
  const deadline = patience.now() + patience.limit
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || patience.now() >= deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, shortestPause * patience.random())
    }
  }
}

/** Whether another process or connection holds the database. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY')
}

/** Whether the statement would have doubled a key. */
export function isDuplicate(error: unknown): boolean {
  return hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE') || hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')
}

/** Extended codes begin with the plain one: `SQLITE_BUSY_SNAPSHOT`. */
function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && `${error.code}`.startsWith(code)) || hasCode(error.cause, code)
}
