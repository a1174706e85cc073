import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from '../database-error.ts'
import { DuplicateError } from '../duplicate-error.ts'
import { within } from '../with-timeout.ts'

/** What the errors of one database mean. */
export interface Faults {
  /** The database, as messages name it. */
  readonly database: string
  /** Whether the statement had no effect because of others, and may succeed when it is run again. */
  readonly isBusy: (error: unknown) => boolean
  /** Whether the connection was lost, so that nobody knows what became of the statement. */
  readonly isBroken: (error: unknown) => boolean
  /** Whether the statement would have doubled a key. */
  readonly isDuplicate: (error: unknown) => boolean
  /** The error as it may be logged. */
  readonly toPublic: (error: unknown) => DatabaseError
}

/** What waiting needs of the world, and for how long it may last. */
export interface Patience {
  /** Milliseconds after which the database counts as out of order. */
  readonly limit: number
  readonly sleep: (milliseconds: number) => Promise<unknown>
  /** A number from 0 up to 1. */
  readonly random: () => number
}

/** Waits for 10 s. */
export const patience: Patience = { limit: 10_000, sleep: delay, random: Math.random }

const mostRetries = 3
const shortestPause = 10

/** Runs `work` and gives what it gives. */
export type Attempt = <T>(work: () => PromiseLike<T>) => Promise<T>

/** The ways of asking a database that is a server. */
export interface Attempts {
  /** Runs work that may as well run twice, again where the connection broke. */
  readonly safe: Attempt
  /**
   * Runs work that must take effect once. Where the connection broke nobody knows whether it did: `look` gives what the
   * work would have given, `null` if there has been no effect, so that it may run again, or passes the error on.
   */
  readonly once: <T>(work: () => PromiseLike<T>, look: (error: unknown) => PromiseLike<T | null>) => Promise<T>
}

/** Makes the ways of asking, which wait until `ready` and tell every failure in words that may be logged. */
export function createAttempts(faults: Faults, ready: () => Promise<void>, world: Patience = patience): Attempts {
  const { isBusy, isBroken, isDuplicate, database } = faults
  const retry = createRetry(isBusy, world)
  const persist = createRetry((error) => isBusy(error) || isBroken(error), world)
  const begin: Attempt = (work) => within(world.limit, () => ready().then(() => translated(faults, work)), database)
  return {
    safe: (work) => begin(() => persist(work)),
    once: (work, look) =>
      begin(async () => {
        for (let failures = 0; ; failures += 1) {
          try {
            return await retry(work)
          } catch (error) {
            // What was thought to be without effect may have had it after we looked.
            const isLate = failures > 0 && isDuplicate(error)
            if (!isLate && (!isBroken(error) || failures === mostRetries)) throw error
            await pause(failures, world)
            const found = await persist(() => look(error))
            if (found !== null) return found
            if (isLate) throw error
          }
        }
      })
  }
}

/** Runs work at start: the failures of others are waited out, and told in words that may be logged. */
export function attemptAtStart<T>(faults: Faults, work: () => PromiseLike<T>): Promise<T> {
  return translated(faults, () => createRetry(faults.isBusy, patience)(work))
}

function createRetry(isPassing: (error: unknown) => boolean, world: Patience): Attempt {
  return async (work) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || failures === mostRetries) throw error
        await pause(failures, world)
      }
    }
  }
}

/** The pauses grow, and differ from caller to caller. A pool finds out meanwhile which of its connections are lost. */
function pause(failures: number, { sleep, random }: Patience): Promise<unknown> {
  return sleep(shortestPause * 2 ** failures * (0.5 + random()))
}

/** Runs work whose failures are told in words that may be logged. */
async function translated<T>({ database, isDuplicate, toPublic }: Faults, work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof DatabaseError ? error : toPublic(error)
    throw isDuplicate(error)
      ? new DuplicateError(`${database}: expected a key that no other row has`, { cause })
      : cause
  }
}
