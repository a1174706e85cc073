import type { FeatureContext, TicketKey } from '@postern/core/feature'
import type { Position } from './event-reader.ts'

/** A stored position. */
interface StoredPosition {
  readonly position: Position
  /** The number of the write: the highest one is the newest. */
  readonly sequence: number
}

function parse(data: string): StoredPosition | null {
  const [, sequence = '', time = '', id = ''] = /^(\d+) (\d+) ([\x21-\x7e]*)$/.exec(data) ?? []
  return sequence === '' ? null : { sequence: Number(sequence), position: { time: Number(time), id: id || null } }
}

/**
 * The position of the sink, in two tickets: tickets cannot be changed, so the older one is replaced, and a crash between
 * its removal and the new one leaves the other. They outlive the events, so that the log can state that events were
 * deleted before they were sent.
 */
export class SinkPosition {
  readonly #context: FeatureContext

  constructor(context: FeatureContext) {
    this.#context = context
  }

  /** @returns The position; `null` if there is none, or if it can no longer be read. */
  async read(): Promise<Position | null> {
    return (await this.#readNewest())?.position ?? null
  }

  async write({ time, id }: Position): Promise<void> {
    const { tickets, now, eventMaxAge } = this.#context
    const sequence = ((await this.#readNewest())?.sequence ?? 0) + 1
    const key = this.#key(sequence)
    await tickets.consume(key)
    const data = `${sequence} ${time} ${id ?? ''}`
    await tickets.create({ ...key, userId: null, data, tries: 0, expires: new Date(now() + 2 * eventMaxAge * 1000) })
  }

  /** Applications with one store have a position each. */
  #key(sequence: number): TicketKey {
    const application = encodeURIComponent(this.#context.applicationId).slice(0, 200)
    return { kind: 'sink-position', id: `${sequence % 2} ${application}` }
  }

  async #readNewest(): Promise<StoredPosition | null> {
    const { tickets } = this.#context
    const both = [await tickets.read(this.#key(0)), await tickets.read(this.#key(1))]
    const found = both.flatMap((ticket) => (ticket ? (parse(ticket.data) ?? []) : []))
    return found.toSorted((one, other) => other.sequence - one.sequence)[0] ?? null
  }
}
