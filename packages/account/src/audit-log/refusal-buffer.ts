import type { EventRecord } from '@postern/core/feature'
import { type Dropped, DroppedRefusals } from './dropped-refusals.ts'

/** A refusal that waits to be stored. */
export interface BufferedRefusal {
  readonly event: EventRecord
  readonly reason: string
}

/** What a refusal is, before its record exists. */
export type RefusalKind = Omit<Dropped, 'count'>

/** The maximum number of refusals in memory. */
export const capacity = 1000
/** The share of those about a known user: a flood about unknown users must not displace them. */
const knownShare = 500
/** The maximum number about one user: a flood about one user must not displace those about others. */
const maxPerUser = 20

/** The refusals that wait to be stored: a bounded number, with a share for those that concern a known user. */
export class RefusalBuffer {
  #known: BufferedRefusal[] = []
  #unknown: BufferedRefusal[] = []
  readonly #perUser = new Map<string, number>()
  readonly dropped: DroppedRefusals = new DroppedRefusals()

  get size(): number {
    return this.#known.length + this.#unknown.length
  }

  /** Whether refusals about a user wait. */
  has(userId: string): boolean {
    return this.#perUser.has(userId)
  }

  /** Adds a refusal, or counts it if there is no room. @param create - Creates the record; called only if there is room. */
  add(kind: RefusalKind, create: () => EventRecord): void {
    if (this.#hasRoom(kind.userId)) this.#put({ event: create(), reason: kind.reason })
    else this.dropped.add({ ...kind, count: 1 })
  }

  #hasRoom(userId: string | null): boolean {
    if (userId === null) return this.#unknown.length < capacity - knownShare
    return this.#known.length < knownShare && (this.#perUser.get(userId) ?? 0) < maxPerUser
  }

  #put(refusal: BufferedRefusal): void {
    const { userId } = refusal.event
    if (userId === null) this.#unknown.push(refusal)
    else {
      this.#known.push(refusal)
      this.#perUser.set(userId, (this.#perUser.get(userId) ?? 0) + 1)
    }
  }

  /** Returns the oldest refusals of both shares, which stay until `remove`. */
  peek(max: number): readonly BufferedRefusal[] {
    const half = Math.ceil(max / 2)
    const ofUnknown = Math.min(this.#unknown.length, Math.max(half, max - this.#known.length))
    return [...this.#known.slice(0, max - ofUnknown), ...this.#unknown.slice(0, ofUnknown)]
  }

  /** Removes refusals that are stored. */
  remove(stored: readonly BufferedRefusal[]): void {
    const gone = new Set(stored)
    for (const { event } of stored) if (event.userId !== null) this.#forget(event.userId)
    this.#known = this.#known.filter((refusal) => !gone.has(refusal))
    this.#unknown = this.#unknown.filter((refusal) => !gone.has(refusal))
  }

  #forget(userId: string): void {
    const left = (this.#perUser.get(userId) ?? 0) - 1
    if (left > 0) this.#perUser.set(userId, left)
    else this.#perUser.delete(userId)
  }
}
