import { describe } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'
import { runLater } from '../model/run-later.ts'
import { isRecent } from '../tokens/recent.ts'
import type { Store } from './store.ts'

/** What the store is cleaned with. Seconds. */
export interface CleaningRules {
  readonly store: Pick<Store, 'deleteExpired'>
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** How long at least between two cleanings of this process. */
  readonly interval: number
  /** How long what has ended stays: a link that is too old is told from one that never was. */
  readonly grace: number
  /** Rows of each table that are deleted at once. */
  readonly batch: number
}

/** Milliseconds between an answer and the first batch, and between two batches: sign-ins go first. */
const pause = 50

/** Takes away what ended long ago, in small batches, while nobody waits for it. */
export class Cleaning {
  readonly #rules: CleaningRules
  #lastAt = Number.NEGATIVE_INFINITY
  #isStopped = false
  #work: Promise<void> = Promise.resolve()
  #wake: () => void = () => undefined

  constructor(rules: CleaningRules) {
    this.#rules = rules
  }

  /** Begins to clean soon, where it is time to; returns at once. */
  begin(): void {
    const { store, now, interval } = this.#rules
    if (!store.deleteExpired || this.#isStopped || isRecent(now(), this.#lastAt, interval * 1000)) return
    this.#lastAt = now()
    this.#work = this.#work.then(() => this.#clean())
  }

  /** Stops; the batch that is under way is waited for. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await this.#work
  }

  async #clean(): Promise<void> {
    const { store, logger, now, grace, batch } = this.#rules
    const before = new Date(now() - grace * 1000)
    try {
      let deleted = batch
      while (deleted >= batch && !this.#isStopped) {
        await this.#rest()
        if (this.#isStopped) return
        deleted = (await store.deleteExpired?.(before, batch)) ?? 0
      }
    } catch (error) {
      logger.warn('ADAPTER_CLEANING_ERROR', describe(error))
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      runLater(resolve, pause)
      this.#wake = () => {
        resolve()
      }
    })
  }
}
