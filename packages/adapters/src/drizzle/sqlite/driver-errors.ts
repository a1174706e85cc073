import { type RetryOptions, defaultRetryOptions as serverOptions } from '../retry.ts'
import type { Run } from '../statements.ts'

/** Retries for 5 s. */
export const defaultRetryOptions: RetryOptions = { ...serverOptions, limit: 5000 }

const minPause = 50
const maxPause = 400

/**
 * Creates a function that repeats work after a pause while another process holds the database.
 *
 * Each attempt blocks the event loop for SQLite's own timeout, so callers share the pauses: during a pause no one
 * tries, and after it there is one attempt, however many callers wait.
 */
export function createAttempt({ limit, now, sleep, random }: RetryOptions): Run {
  let rest: Promise<unknown> | null = null
  let failures = 0

  const pause = (error: unknown): Promise<unknown> => {
    const length = Math.min(minPause * 2 ** failures, maxPause) * (0.5 + random() / 2)
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
 * Runs work at startup, before requests are served, and repeats it after a pause while another process holds the
 * database.
 *
 * SQLite's own timeout does not help here: if two processes enable WAL mode at once, one fails immediately.
 */
export function attemptAtStart<T>(work: () => T): T {
  const deadline = defaultRetryOptions.now() + defaultRetryOptions.limit
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || defaultRetryOptions.now() >= deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, minPause * defaultRetryOptions.random())
    }
  }
}

/** Whether another process or connection holds the database. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, 'SQLITE_BUSY')
}

/** Whether the statement violated a unique key. */
export function isDuplicate(error: unknown): boolean {
  return hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE') || hasCode(error, 'SQLITE_CONSTRAINT_PRIMARYKEY')
}

/** Extended codes start with the primary code: `SQLITE_BUSY_SNAPSHOT`. */
function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && `${error.code}`.startsWith(code)) || hasCode(error.cause, code)
}
