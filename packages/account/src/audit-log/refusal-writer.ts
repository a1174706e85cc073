import { type EventRecord, type FeatureContext, type Refusal, serializeError } from '@postern/core/feature'
import { setUnrefTimeout, type Timer } from '../unref-timeout.ts'
import type { StoredDetails } from './audit-record.ts'
import type { Dropped } from './dropped-refusals.ts'
import { RecordBatches } from './record-batches.ts'
import { type BufferedRefusal, capacity, RefusalBuffer } from './refusal-buffer.ts'

/** The maximum number of refusals that are stored at once. */
const batchSize = 100
/** Milliseconds before a batch: a flood stores at most this number each second. */
const pause = 1000
const maxPause = 60_000
/** Milliseconds after which a waiting refusal gets the time at which it is stored, as the sink may have passed its own. */
const maxAge = 20_000
/** The counts are stored with the batch, at most so many. */
const maxCounts = 100

function createRefusalEvent(refusal: Refusal, type: string, context: FeatureContext): EventRecord {
  const { code, reason, route, provider, userId, request } = refusal
  const details: StoredDetails = {
    outcome: 'refused',
    actor: 'user',
    reason: code,
    route,
    ...(reason !== null && { detail: reason })
  }
  return context.createEvent(type, { userId, request, provider, data: JSON.stringify(details) })
}

function createDroppedEvent({ userId, type, reason, count }: Dropped, context: FeatureContext): EventRecord {
  const details: StoredDetails = { outcome: 'refused', actor: 'system', reason, refused: type, count }
  return context.createEvent('refusals-dropped', { userId, request: null, data: JSON.stringify(details) })
}

/** What waits to be stored: a refusal, or the count of those that are dropped. */
type Waiting = BufferedRefusal | Dropped

const isRefusal = (waiting: Waiting): waiting is BufferedRefusal => 'event' in waiting

function toDropped(waiting: Waiting): Dropped {
  if (!isRefusal(waiting)) return waiting
  const { event, reason } = waiting
  return { userId: event.userId, type: event.type, reason, count: 1 }
}

/** Stores refusals in the background: one batch at a time, with a limit of batches a second and of refusals in memory. */
export class RefusalWriter {
  readonly #context: FeatureContext
  readonly #buffer = new RefusalBuffer()
  readonly #batches = new RecordBatches<Waiting>(batchSize + maxCounts, {
    send: (batch) => this.#store(batch),
    giveUp: (waiting, error) => this.#giveUp(waiting, error)
  })
  #timer: Timer | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #failures = 0
  #isClosed = false

  constructor(context: FeatureContext) {
    this.#context = context
  }

  /** The refusals in memory. */
  get size(): number {
    return this.#buffer.size
  }

  /** Adds a refusal. Returns at once. */
  add(refusal: Refusal): void {
    const type = `${refusal.kind}-refused`
    const { userId, code: reason } = refusal
    this.#buffer.add({ userId, type, reason }, () => createRefusalEvent(refusal, type, this.#context))
    this.#schedule()
  }

  /** Stores everything that waits. @throws the error of the store; what is not stored waits on. */
  async flush(): Promise<void> {
    // A batch that is being stored has taken the counts.
    await this.#turn
    while (!this.#isEmpty) await this.#writeBatch()
  }

  /** Stores what waits about a user, so that their deletion finds it in the table. @throws the error of the store */
  async flushUser(userId: string): Promise<void> {
    await this.#turn
    // A flood may add others meanwhile.
    for (let batches = capacity / batchSize; batches > 0 && this.#buffer.has(userId); batches--)
      await this.#writeBatch()
  }

  /** Stores everything that waits, and ends. What the store does not accept is lost, and logged. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.clear()
    await this.flush().catch((error: unknown) => {
      const lost = this.#buffer.size + this.#buffer.dropped.take().reduce((sum, { count }) => sum + count, 0)
      this.#context.logger.error('AUDIT_LOG_REFUSALS_LOST', { lost, ...serializeError(error) })
    })
  }

  get #isEmpty(): boolean {
    return this.#buffer.size === 0 && this.#buffer.dropped.isEmpty
  }

  #schedule(): void {
    if (this.#timer || this.#isClosed) return
    const milliseconds = Math.min(pause * 2 ** this.#failures, maxPause)
    this.#timer = setUnrefTimeout(() => void this.#work(), milliseconds)
  }

  async #work(): Promise<void> {
    try {
      await this.#writeBatch()
      this.#failures = 0
    } catch (error) {
      this.#failures = Math.min(this.#failures + 1, 10)
      const waiting = this.#buffer.size
      this.#context.logger.warn('AUDIT_LOG_WRITE_ERROR', { waiting, ...serializeError(error) })
    }
    this.#timer = null
    if (!this.#isEmpty) this.#schedule()
  }

  /** Waits for the batch that is being stored, and stores the next one. */
  async #writeBatch(): Promise<void> {
    const turn = this.#turn.then(() => this.#write())
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  /** Stores a batch, or as much of it as the store accepts. */
  async #write(): Promise<void> {
    const refusals = this.#buffer.peek(batchSize)
    const counts = this.#buffer.dropped.take()
    const batch: readonly Waiting[] = [...refusals, ...counts.slice(0, maxCounts)]
    let done = 0
    try {
      while (done < batch.length) done += await this.#batches.sendNext(batch.slice(done))
    } finally {
      this.#buffer.remove(refusals.slice(0, done))
      for (const count of counts.slice(Math.max(0, done - refusals.length))) this.#buffer.dropped.add(count)
    }
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { events } = this.#context
    await events.add(
      batch.map((waiting) => (isRefusal(waiting) ? this.#toEvent(waiting) : createDroppedEvent(waiting, this.#context)))
    )
  }

  /** Stores a count in place of what the store does not accept; without the user and the reason, if these are the cause. */
  async #giveUp(waiting: Waiting, error: unknown): Promise<void> {
    const dropped = toDropped(waiting)
    await this.#store([dropped]).catch(() => this.#store([{ ...dropped, userId: null, reason: 'Other' }]))
    this.#context.logger.warn('AUDIT_LOG_RECORD_DROPPED', { type: dropped.type, ...serializeError(error) })
  }

  /** A write that timed out may have taken effect, so each attempt has new ids. */
  #toEvent({ event }: BufferedRefusal): EventRecord {
    const { id, time } = this.#context.createEvent(event.type, { userId: null, request: null })
    if (time.getTime() - event.time.getTime() <= maxAge) return { ...event, id }
    const details: unknown = JSON.parse(event.data ?? '{}')
    const data = JSON.stringify(Object.assign({}, details, { refusedAt: event.time.toISOString() }))
    return { ...event, id, time, data }
  }
}
