import type { EventRecord, EventStore } from '@postern/core/feature'

/** How far events were read: every older one, and the one with this id. */
export interface Position {
  /** Milliseconds since 1970. */
  readonly time: number
  /** The last event that was read; `null` if every event of this time follows. */
  readonly id: string | null
}

/** Before every event. */
export const beginning: Position = { time: 0, id: null }

/** What was read, and how far. */
export interface ReadEvents {
  /** The oldest first. */
  readonly events: readonly EventRecord[]
  readonly position: Position
  /** Whether there may be more. */
  readonly hasMore: boolean
}

/** Up to an event, and including it. */
export const toPosition = ({ time, id }: EventRecord): Position => ({ time: time.getTime(), id })

/** The events of a list, the newest first, that follow a position. */
function takeAfter(events: readonly EventRecord[], { time, id }: Position): readonly EventRecord[] {
  const end = events.findIndex((event) => event.id === id || event.time.getTime() < time)
  return end < 0 ? events : events.slice(0, end)
}

/**
 * Reads the events that follow a position, the oldest first. Adapters list the newest first, so it looks for a period
 * that has few enough.
 */
export class EventReader {
  readonly #events: Pick<EventStore, 'list'>
  readonly #max: number
  /** Milliseconds: the period in which there were few enough. */
  #period = Number.POSITIVE_INFINITY

  constructor(events: Pick<EventStore, 'list'>, max: number) {
    this.#events = events
    this.#max = max
  }

  /** @returns Whether events follow a position. @param before - Milliseconds since 1970; later ones do not count. */
  async hasNext(position: Position, before: number): Promise<boolean> {
    const newest = await this.#events.list({ before: { time: new Date(before), id: '' }, limit: 1 })
    return takeAfter(newest, position).length > 0
  }

  /** @param before - Milliseconds since 1970; later events are not read. */
  async readAfter(start: Position, before: number): Promise<ReadEvents> {
    let position = start
    while (position.time < before) {
      const end = Math.min(before, position.time + Math.max(1, this.#period))
      const found = await this.#events.list({ before: { time: new Date(end), id: '' }, limit: this.#max + 1 })
      const following = takeAfter(found, position)
      if (following.length <= this.#max) {
        this.#period = Math.min(this.#period * 4, before)
        const last = following[0]
        if (last) return { events: following.toReversed(), position: toPosition(last), hasMore: end < before }
        position = { time: end, id: null }
      } else if (end - position.time > 1) this.#period = Math.floor((end - position.time) / 2)
      else return this.#readMoment(position, following)
    }
    return { events: [], position, hasMore: false }
  }

  /** Reads events of one millisecond that has more than are read at once. */
  async #readMoment(position: Position, newest: readonly EventRecord[]): Promise<ReadEvents> {
    let all = newest
    for (let page = newest; page.length > this.#max; ) {
      const found = await this.#events.list({ before: all.at(-1), limit: this.#max + 1 })
      page = takeAfter(found, position)
      all = [...all, ...page]
    }
    const events = all.toReversed().slice(0, this.#max)
    const last = events.at(-1)
    return { events, position: last ? toPosition(last) : position, hasMore: true }
  }
}
