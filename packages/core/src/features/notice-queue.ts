import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'

/** A mail about something that has happened, which no response waits for. */
export interface Notice {
  /** `vault/opened` */
  readonly name: string
  /** The id of the request, for the log; `null` if there was none. */
  readonly ref: string | null
  send(): Promise<void>
}

/** The pauses between attempts, in seconds. */
const defaultPauses = [5, 30, 120, 600]

/** The notices that wait for another attempt. */
const maxWaiting = 1000

/**
 * Sends notices in the background. A notice that could not be sent is sent again, after 5 s, 30 s, 2 min and 10 min; the
 * log contains those that were given up.
 */
export class NoticeQueue {
  readonly #logger: Pick<Logger, 'warn'>
  readonly #pauses: readonly number[]
  readonly #running = new Set<Promise<void>>()
  readonly #waiting = new Map<Notice, ReturnType<typeof setTimeout>>()
  #isClosed = false

  constructor(logger: Pick<Logger, 'warn'>, pauses: readonly number[] = defaultPauses) {
    this.#logger = logger
    this.#pauses = pauses
  }

  /** Begins to send a notice. */
  add(notice: Notice): void {
    this.#try(notice, 0)
  }

  #try(notice: Notice, attempt: number): void {
    const sending = Promise.resolve()
      .then(() => notice.send())
      .catch((error: unknown) => this.#retry(notice, attempt, error))
      .then(() => void this.#running.delete(sending))
    this.#running.add(sending)
  }

  #retry(notice: Notice, attempt: number, error: unknown): void {
    const pause = this.#pauses[attempt]
    if (pause === undefined || this.#isClosed || this.#waiting.size >= maxWaiting) {
      this.#giveUp(notice, error)
      return
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(notice)
      this.#try(notice, attempt + 1)
    }, pause * 1000)
    // The timer does not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    this.#waiting.set(notice, timer)
  }

  #giveUp({ name, ref }: Notice, error: unknown): void {
    this.#logger.warn('NOTICE_NOT_SENT', { notice: name, ref, ...serializeError(error) })
  }

  /** Waits for the notices that are being sent, and gives up those that wait for another attempt. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const [notice, timer] of this.#waiting) {
      clearTimeout(timer)
      this.#giveUp(notice, new Error('the application was closed before the next attempt'))
    }
    this.#waiting.clear()
    await Promise.all(this.#running)
  }
}
