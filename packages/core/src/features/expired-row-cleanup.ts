import type { EventStore, Store } from '../adapter/store.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import { setUnrefTimeout } from '../model/unref-timeout.ts'
import { isFresh } from '../tokens/is-fresh.ts'

/** When and how much is deleted. Seconds. */
export interface CleanupSettings {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The minimum time between two cleanups of this process. */
  readonly interval: number
  /** How long expired rows are kept, so that an expired link is distinguishable from an unknown one. */
  readonly grace: number
  /** How long events are kept. */
  readonly eventMaxAge: number
  /** Rows per table and batch. */
  readonly batch: number
}

/** Milliseconds before the first batch, and between two batches: sign-ins have priority. */
const pause = 50

/** Deletes expired rows and old events in small batches in the background, with the adapter's `deleteExpired`. */
export class ExpiredRowCleanup {
  readonly #deleteExpired: Store['deleteExpired']
  readonly #events: Pick<EventStore, 'delete'> | null
  readonly #logger: Logger
  readonly #settings: CleanupSettings
  #lastAt = Number.NEGATIVE_INFINITY
  #isStopped = false
  #work: Promise<void> = Promise.resolve()
  #wake: () => void = () => undefined

  /**
   * @param deleteExpired - The method of the store; `null` if it has none.
   * @param events - The events to delete by their age; `null` if nothing writes events.
   */
  constructor(
    deleteExpired: Store['deleteExpired'],
    events: Pick<EventStore, 'delete'> | null,
    logger: Logger,
    settings: CleanupSettings
  ) {
    this.#deleteExpired = deleteExpired
    this.#events = events
    this.#logger = logger
    this.#settings = settings
  }

  /** Schedules a cleanup if one is due; returns immediately. */
  begin(): void {
    const { now, interval } = this.#settings
    if (this.#isStopped || isFresh(now(), this.#lastAt, interval * 1000)) return
    this.#lastAt = now()
    this.#work = this.#work.then(() => this.#clean())
  }

  /** Waits until the scheduled cleanup has ended. */
  async finished(): Promise<void> {
    await this.#work
  }

  /** Stops the cleanup and waits for the current batch. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.finished()
  }

  async #clean(): Promise<void> {
    const { now, grace, eventMaxAge } = this.#settings
    const deleteExpired = this.#deleteExpired
    const events = this.#events
    const expiredBefore = new Date(now() - grace * 1000)
    const oldBefore = new Date(now() - eventMaxAge * 1000)
    if (deleteExpired) await this.#deleteAll((max) => deleteExpired(expiredBefore, max))
    if (events) await this.#deleteAll((max) => events.delete(oldBefore, max))
  }

  /** @param deleteBatch - Deletes rows, at most `max`. @returns The number of deleted rows. */
  async #deleteAll(deleteBatch: (max: number) => Promise<number>): Promise<void> {
    const { batch } = this.#settings
    try {
      let deleted = batch
      while (deleted >= batch && !this.#isStopped) {
        await this.#rest()
        if (this.#isStopped) return
        deleted = await deleteBatch(batch)
      }
    } catch (error) {
      this.#logger.warn('ADAPTER_CLEANING_ERROR', serializeError(error))
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      setUnrefTimeout(resolve, pause)
      this.#wake = () => {
        resolve()
      }
    })
  }
}
