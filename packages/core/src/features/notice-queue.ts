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

/** The notices that are sent at the same time. */
const maxSending = 10

/** The notices that wait to be sent for the first time, and those that wait for another attempt. */
const maxWaiting = 1000

/** A notice, and how many attempts have failed. */
interface Attempt {
  readonly notice: Notice
  readonly failed: number
}

/**
 * Sends notices in the background, ten at the same time. A notice that could not be sent is sent again, after 5 s, 30 s, 2 min and 10 min; the
 * log contains those that were given up.
 */
export class NoticeQueue {
  readonly #logger: Pick<Logger, 'warn'>
  readonly #pauses: readonly number[]
  readonly #running = new Set<Promise<void>>()
  readonly #next: Attempt[] = []
  readonly #waiting = new Map<Notice, ReturnType<typeof setTimeout>>()
  #isClosed = false

  constructor(logger: Pick<Logger, 'warn'>, pauses: readonly number[] = defaultPauses) {
    this.#logger = logger
    this.#pauses = pauses
  }

  /** Begins to send a notice, or lets it wait for others. */
  add(notice: Notice): void {
    this.#start({ notice, failed: 0 })
  }

  #start(attempt: Attempt): void {
    if (this.#running.size < maxSending) this.#send(attempt)
    else if (this.#next.length < maxWaiting) this.#next.push(attempt)
    else this.#giveUp(attempt.notice, new Error(`${maxWaiting} notices wait for the mail server`))
  }

  #send({ notice, failed }: Attempt): void {
    const sending = Promise.resolve()
      .then(() => notice.send())
      .catch((error: unknown) => this.#retry(notice, failed, error))
      .then(() => {
        this.#running.delete(sending)
        const next = this.#next.shift()
        if (next) this.#send(next)
      })
    this.#running.add(sending)
  }

  #retry(notice: Notice, failed: number, error: unknown): void {
    const pause = this.#pauses[failed]
    if (pause === undefined || this.#isClosed || this.#waiting.size >= maxWaiting) {
      this.#giveUp(notice, error)
      return
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(notice)
      this.#start({ notice, failed: failed + 1 })
    }, pause * 1000)
    // The timer does not keep the process alive.
    if (typeof timer === 'object') timer.unref()
    this.#waiting.set(notice, timer)
  }

  #giveUp({ name, ref }: Notice, error: unknown): void {
    this.#logger.warn('NOTICE_NOT_SENT', { notice: name, ref, ...serializeError(error) })
  }

  /** Waits until the notices are sent that have not been tried, and gives up those that wait for another attempt. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const [notice, timer] of this.#waiting) {
      clearTimeout(timer)
      this.#giveUp(notice, new Error('the application was closed before the next attempt'))
    }
    this.#waiting.clear()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
