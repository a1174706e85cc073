import { type EventRecord, type FeatureContext, serializeError } from '@postern/core/feature'
import { setUnrefTimeout, type Timer } from '../unref-timeout.ts'
import { toAuditRecord } from './audit-record.ts'
import { beginning, EventReader, type Position, type ReadEvents, toPosition } from './event-reader.ts'
import type { Sink } from './options.ts'
import { RecordBatches } from './record-batches.ts'
import { readPosition, writePosition } from './sink-position.ts'

/** The records of one call. */
const batchSize = 500
/** Milliseconds between two looks for new events. */
const interval = 5000
const maxPause = 300_000
/**
 * Milliseconds by which the sink is behind: transactions become visible after the time of their events, and the clocks of
 * processes differ. An event that became visible later would be skipped.
 */
export const lag = 60_000
/** Milliseconds for which a call may take. */
const callTimeout = 10_000
/** Milliseconds of a lease after which no call begins: a lease may end after 15 s. */
const maxReading = 4000
const hour = 3_600_000
const day = 24 * hour

/** Sends records to the sink in the background: in order, at least once, by one process at a time. */
export class SinkDelivery {
  readonly #context: FeatureContext
  readonly #sink: Sink
  readonly #batches = new RecordBatches<EventRecord>(batchSize, {
    send: (events) => this.#send(events),
    giveUp: (event, error) => this.#giveUp(event, error)
  })
  #reader: EventReader | null = null
  /** As far as this process knows; `null` until it has read the stored one. */
  #position: Position | null = null
  #timer: Timer | null = null
  #failures = 0
  /** Milliseconds since 1970: when the lease was acquired. */
  #leasedAt = 0
  #isClosed = false
  #warnedAt = Number.NEGATIVE_INFINITY
  /** What runs under the lease. */
  #running: Promise<unknown> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(context: FeatureContext, sink: Sink) {
    this.#context = context
    this.#sink = sink
  }

  start(): void {
    this.#schedule(interval)
  }

  /** Sends everything that is due. @throws the error of the sink, or of the store. */
  async deliver(): Promise<void> {
    const turn = this.#turn.then(async () => {
      while (!this.#isClosed && (await this.#deliverBatch()));
    })
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  /** Ends. Waits for a call of the sink, but not for the lease of another process. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.clear()
    await this.#running
  }

  #schedule(milliseconds: number): void {
    if (!this.#isClosed) this.#timer = setUnrefTimeout(() => void this.#work(), milliseconds)
  }

  async #work(): Promise<void> {
    try {
      await this.deliver()
      this.#failures = 0
      this.#schedule(interval)
    } catch (error) {
      if (this.#isClosed) return
      this.#failures = Math.min(this.#failures + 1, 20)
      const pause = Math.min(1000 * 2 ** (this.#failures - 1), maxPause)
      const { logger } = this.#context
      logger.warn('AUDIT_LOG_SINK_ERROR', { retryAfter: pause / 1000, ...serializeError(error) })
      this.#schedule(pause)
    }
  }

  /** @returns Whether there may be more. */
  async #deliverBatch(): Promise<boolean> {
    const context = this.#context
    const before = context.now() - lag
    this.#reader ??= new EventReader(context.events, batchSize)
    const reader = this.#reader
    const known = this.#position
    // Without new events, no process needs the lease, apart from once a day, as the stored position expires.
    if (known && before - known.time < day && !(await reader.hasNext(known, before))) return false
    return context.withLease('sink', async () => {
      if (this.#isClosed) return false
      const run = this.#deliverNext(reader, before)
      this.#running = run.catch(() => undefined)
      return run
    })
  }

  /** Sends the next records, and stores the position. Runs under the lease. */
  async #deliverNext(reader: EventReader, before: number): Promise<boolean> {
    const context = this.#context
    this.#leasedAt = context.now()
    const stored = await readPosition(context)
    const position = stored ?? beginning
    const read = await reader.readAfter(position, before)
    if (stored) this.#reportDelay(stored, read)
    this.#checkLease()
    const { events } = read
    const sent = events.length > 0 ? await this.#batches.sendNext(events) : 0
    const last = events[sent - 1]
    if (events.length > 0 && !last) return true
    const reached = last && sent < events.length ? toPosition(last) : read.position
    if (last || before - position.time >= day) await writePosition(reached, context)
    if (last) this.#failures = 0
    this.#position = reached
    return read.hasMore || sent < events.length
  }

  /** @throws Error if a call that begins now may outlast the lease. */
  #checkLease(): void {
    if (this.#context.now() - this.#leasedAt <= maxReading) return
    throw new Error('the store, or the sink, is too slow for the lease of the sink')
  }

  /**
   * Skips a record if the sink refuses it again directly after it accepted another one, which is the newest: a sink that is
   * down refuses every record.
   */
  async #giveUp(event: EventRecord, error: unknown): Promise<void> {
    const context = this.#context
    const [newest] = await context.events.list({ before: { time: new Date(this.#leasedAt - lag), id: '' }, limit: 1 })
    if (!newest || newest.id === event.id) throw error
    this.#checkLease()
    await this.#send([newest])
    this.#checkLease()
    const { id, type } = event
    await this.#send([event]).catch((reason: unknown) => {
      context.logger.error('AUDIT_LOG_SINK_RECORD_DROPPED', { id, type, ...serializeError(reason) })
    })
  }

  async #send(events: readonly EventRecord[]): Promise<void> {
    const [context, sink] = [this.#context, this.#sink]
    const controller = new AbortController()
    const records = events.map((event) => toAuditRecord(event, context.eventTypes))
    const { signal } = controller
    const late = new DOMException(`the sink did not respond within ${callTimeout / 1000} s`, 'TimeoutError')
    const timer = setUnrefTimeout(() => controller.abort(late), callTimeout)
    const timeout = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(late), { once: true })
    })
    try {
      await Promise.race([sink(records, { signal }), timeout])
    } finally {
      timer.clear()
    }
  }

  /** Logs that the sink is behind, once an hour: events are deleted by their age, whether or not they were sent. */
  #reportDelay({ time }: Position, { events }: ReadEvents): void {
    const context = this.#context
    const maxAge = context.eventMaxAge * 1000
    const now = context.now()
    const behind = now - time
    if (events.length === 0 || behind < maxAge / 2 || now - this.#warnedAt < hour) return
    this.#warnedAt = now
    const facts = { behindSeconds: Math.round(behind / 1000), keepSeconds: Math.round(maxAge / 1000) }
    if (behind < maxAge) context.logger.warn('AUDIT_LOG_SINK_BEHIND', facts)
    else
      context.logger.error('AUDIT_LOG_SINK_OVERTAKEN', {
        ...facts,
        message: `events since ${new Date(time).toISOString()} may have been deleted before they were sent`
      })
  }
}
