import { type FeatureContext, serializeError, type Ticket } from '@postern/core/feature'
import { setUnrefTimeout, type Timer } from '../unref-timeout.ts'

/** Milliseconds before the first run, and between two runs. */
const firstDelay = 60_000
const interval = 600_000

/** The tickets of one page. */
const pageSize = 100

/** What is done for users when it is due. */
export interface DueJob {
  /** The kind of the tickets: `dueAt` is the time of the job. */
  readonly kind: string
  /** The code of errors in the log. */
  readonly errorCode: string
  /** @returns `'busy'` to try again later. */
  readonly run: (userId: string) => Promise<'done' | 'nothing' | 'busy'>
}

/**
 * Does what is due, in the background. Several processes may run it at once. An adapter without `listDueTickets` finds nothing:
 * then the job is done when its user signs in.
 */
export class DueJobs {
  readonly #job: DueJob
  readonly #context: FeatureContext
  #timer: Timer | null = null
  #isClosed = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(job: DueJob, context: FeatureContext) {
    this.#job = job
    this.#context = context
  }

  start(): void {
    if (this.#context.tickets.listDue) this.#schedule(firstDelay)
  }

  /** Does what is due now. @returns The number of users. @throws AuthError `StoreUnavailable` */
  async runDue(): Promise<number> {
    const turn = this.#turn.then(() => this.#runAll())
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Ends, after the current user. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.clear()
    await this.#turn
  }

  #schedule(milliseconds: number): void {
    if (!this.#isClosed) this.#timer = setUnrefTimeout(() => void this.#work(), milliseconds)
  }

  async #work(): Promise<void> {
    await this.runDue().catch((error: unknown) => this.#log(error))
    this.#schedule(interval)
  }

  async #runAll(): Promise<number> {
    const tried = new Set<string>()
    let done = 0
    for (;;) {
      const found = await this.#list(pageSize + tried.size)
      const next = found.filter(({ id }) => !tried.has(id))
      if (next.length === 0) return done
      for (const { id, userId } of next) {
        if (this.#isClosed) return done
        tried.add(id)
        if (userId !== null && (await this.#run(userId)) === 'done') done++
      }
    }
  }

  async #list(max: number): Promise<readonly Ticket[]> {
    const { tickets, now } = this.#context
    return (await tickets.listDue?.(this.#job.kind, new Date(now()), max)) ?? []
  }

  /** What fails is repeated with the next run, and does not prevent others. */
  async #run(userId: string): Promise<'done' | 'nothing' | 'busy'> {
    try {
      return await this.#job.run(userId)
    } catch (error) {
      this.#log(error)
      return 'busy'
    }
  }

  #log(error: unknown): void {
    this.#context.logger.error(this.#job.errorCode, serializeError(error))
  }
}
