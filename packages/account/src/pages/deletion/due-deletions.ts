import { type FeatureContext, serializeError } from '@postern/core/feature'
import { setUnrefTimeout, type Timer } from '../../unref-timeout.ts'
import { deleteIfDue } from './delete-if-due.ts'
import { deleteDay, maxDays, readDay, toDay } from './due-queue.ts'

/** Milliseconds before the first run, and between two runs. */
const firstDelay = 60_000
const interval = 600_000

/** Deletes the users whose grace period has ended, in the background. Several processes may run it at once. */
export class DueDeletions {
  readonly #context: FeatureContext
  /** The first day that may have entries; `null` until this process has looked. */
  #firstDay: number | null = null
  #timer: Timer | null = null
  #isClosed = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: FeatureContext) {
    this.#context = context
  }

  start(): void {
    this.#schedule(firstDelay)
  }

  /** Deletes them now. @returns The number of deleted users. @throws AuthError `StoreUnavailable` */
  async deleteDue(): Promise<number> {
    const turn = this.#turn.then(() => this.#deleteDays())
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Ends, after the current deletion. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.clear()
    await this.#turn
  }

  #schedule(milliseconds: number): void {
    if (!this.#isClosed) this.#timer = setUnrefTimeout(() => void this.#work(), milliseconds)
  }

  async #work(): Promise<void> {
    await this.deleteDue().catch((error: unknown) => this.#log(error))
    this.#schedule(interval)
  }

  async #deleteDays(): Promise<number> {
    const today = toDay(this.#context.now())
    // The clock may have been wrong before.
    if (this.#firstDay === null || this.#firstDay > today) this.#firstDay = today - maxDays
    let deleted = 0
    for (let day = this.#firstDay; day <= today && !this.#isClosed; day++) deleted += await this.#deleteDay(day, today)
    return deleted
  }

  async #deleteDay(day: number, today: number): Promise<number> {
    const found = await readDay(day, this.#context)
    let [deleted, left] = [0, 0]
    for (const { userId, deleteAt } of found.entries) {
      const isDue = deleteAt <= this.#context.now()
      const outcome = isDue && !this.#isClosed ? await this.#delete(userId) : 'left'
      if (outcome === 'deleted') deleted++
      if (outcome === 'left') left++
    }
    // Another process whose clock is slow may still add entries to the last two days.
    if (left > 0 || day >= today - 1 || this.#isClosed) return deleted
    await deleteDay(day, found, this.#context)
    if (day === this.#firstDay) this.#firstDay++
    return deleted
  }

  /** A deletion that fails is repeated with the next run, and does not prevent others. */
  async #delete(userId: string): Promise<'deleted' | 'nothing' | 'left'> {
    try {
      const outcome = await deleteIfDue(userId, this.#context)
      return outcome === 'busy' ? 'left' : outcome
    } catch (error) {
      this.#log(error)
      return 'left'
    }
  }

  #log(error: unknown): void {
    this.#context.logger.error('SCHEDULED_DELETION_ERROR', serializeError(error))
  }
}
