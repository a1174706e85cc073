import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from '../database-error.ts'
import { DuplicateError } from '../duplicate-error.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Run } from './statements.ts'

/** Classifies the errors of one database. */
export interface ErrorClassifier {
  /** The name of the database in messages. */
  readonly database: string
  /** Whether the statement failed because of concurrent ones, and may succeed when repeated. */
  readonly isBusy: (error: unknown) => boolean
  /** Whether the connection was lost, so that the outcome of the statement is unknown. */
  readonly isBroken: (error: unknown) => boolean
  /** Whether the statement violated a unique key. */
  readonly isDuplicate: (error: unknown) => boolean
  /** Converts an error to one that may be logged. */
  readonly toPublic: (error: unknown) => DatabaseError
}

/** The dependencies and the limit of retries. */
export interface RetryOptions {
  /** Milliseconds after which the database counts as unavailable. */
  readonly limit: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** A number from 0 up to 1. */
  readonly random: () => number
}

/** Retries for 10 s. */
export const defaultRetryOptions: RetryOptions = {
  limit: 10_000,
  now: () => performance.now(),
  sleep: delay,
  random: Math.random
}

/** The maximum number of retries after a lost connection. */
const maxRetries = 3
const minPause = 10
const maxPause = 320

/** Runs queries on a database server. */
export interface QueryRunner {
  /** Runs idempotent work, and repeats it after a lost connection. */
  readonly retryIdempotent: Run
  /**
   * Runs work that must take effect once. After a lost connection its outcome is unknown: `look` returns the result of
   * the work, returns `null` if it had no effect and may be repeated, or rethrows the error.
   */
  readonly runOnce: <T>(work: () => T | PromiseLike<T>, look: (error: unknown) => PromiseLike<T | null>) => Promise<T>
}

/** Creates a query runner, which waits until `ready` resolves and converts every error to one that may be logged. */
export function createQueryRunner(
  faults: ErrorClassifier,
  ready: () => Promise<void>,
  world: RetryOptions = defaultRetryOptions
): QueryRunner {
  const { isBusy, isBroken, isDuplicate, database } = faults
  const retry = createRetry({ isBusy, isBroken: () => false }, world)
  const persist = createRetry({ isBusy, isBroken }, world)
  const begin = <T>(work: (deadline: number) => PromiseLike<T>): Promise<T> => {
    const deadline = world.now() + world.limit
    return withTimeout(world.limit, () => ready().then(() => translated(faults, () => work(deadline))), database)
  }
  return {
    retryIdempotent: (work) => begin((deadline) => persist(work, deadline)),
    runOnce: (work, look) =>
      begin(async (deadline) => {
        for (let failures = 0; ; failures += 1) {
          try {
            return await retry(work, deadline)
          } catch (error) {
            // An earlier attempt may have taken effect after its outcome was looked up.
            const isLate = failures > 0 && isDuplicate(error)
            if (!isLate && (!isBroken(error) || failures === maxRetries)) throw error
            if (!(await hasPaused(failures, deadline, world))) throw error
            const found = await persist(() => look(error), deadline)
            if (found !== null) return found
            if (isLate) throw error
          }
        }
      })
  }
}

/** Runs work at startup: retries failures caused by other processes, and converts errors to ones that may be logged. */
export function attemptAtStart<T>(faults: ErrorClassifier, work: () => PromiseLike<T>): Promise<T> {
  const retry = createRetry({ isBusy: faults.isBusy, isBroken: () => false }, defaultRetryOptions)
  return translated(faults, () => retry(work, defaultRetryOptions.now() + defaultRetryOptions.limit))
}

/**
 * Repeats work that concurrent statements failed until the deadline: of many callers on one row, one succeeds each time
 * (PostgreSQL fails all others under `repeatable read`). After a lost connection, work is repeated a few times.
 */
function createRetry({ isBusy, isBroken }: Pick<ErrorClassifier, 'isBusy' | 'isBroken'>, world: RetryOptions) {
  return async <T>(work: () => T | PromiseLike<T>, deadline: number): Promise<T> => {
    let losses = 0
    for (let failures = 0; ; failures += 1) {
      try {
        return await work()
      } catch (error) {
        if (isBroken(error)) losses += 1
        else if (!isBusy(error)) throw error
        if (losses > maxRetries || !(await hasPaused(failures, deadline, world))) throw error
      }
    }
  }
}

/**
 * Waits before the next attempt. The pauses grow, and vary by caller. Meanwhile, a pool detects which of its connections
 * are lost.
 *
 * @returns `false`, at once, if the deadline would pass: a call that was given up must have no later effect.
 */
async function hasPaused(failures: number, deadline: number, { now, sleep, random }: RetryOptions): Promise<boolean> {
  const length = Math.min(minPause * 2 ** failures, maxPause) * (0.5 + random())
  if (now() + length >= deadline) return false
  await sleep(length)
  return true
}

/** Runs work, and converts its errors to ones that may be logged. */
async function translated<T>(
  { database, isDuplicate, toPublic }: ErrorClassifier,
  work: () => PromiseLike<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof DatabaseError ? error : toPublic(error)
    throw isDuplicate(error)
      ? new DuplicateError(`${database}: expected a key that no other row has`, { cause })
      : cause
  }
}
