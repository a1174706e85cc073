import type { FeatureContext, TicketKey } from '@postern/core/feature'
import { replaceTicket } from '../put-ticket.ts'
import type { Position } from './event-reader.ts'

function parse(data: string): Position | null {
  const [, time = '', id = ''] = /^(\d+) ([\x21-\x7e]*)$/.exec(data) ?? []
  return time === '' ? null : { time: Number(time), id: id || null }
}

/**
 * The position of the sink, in a ticket. It outlives the events, so that the log can state that events were deleted before they
 * were sent.
 */
export class SinkPosition {
  readonly #context: FeatureContext

  constructor(context: FeatureContext) {
    this.#context = context
  }

  /** @returns The position; `null` if there is none, or if it can no longer be read. */
  async read(): Promise<Position | null> {
    const ticket = await this.#context.tickets.read(this.#getKey())
    return ticket && parse(ticket.data)
  }

  async write({ time, id }: Position): Promise<void> {
    const { now, eventMaxAge } = this.#context
    const expires = new Date(now() + 2 * eventMaxAge * 1000)
    await replaceTicket(
      { ...this.#getKey(), userId: null, data: `${time} ${id ?? ''}`, tries: 0, expires },
      this.#context
    )
  }

  /** Applications with one store have a position each. */
  #getKey(): TicketKey {
    return { kind: 'sink-position', id: encodeURIComponent(this.#context.applicationId).slice(0, 200) }
  }
}
