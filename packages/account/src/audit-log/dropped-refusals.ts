/** Refusals that were not stored. */
export interface Dropped {
  readonly userId: string | null
  readonly type: string
  readonly reason: string
  readonly count: number
}

/** The kinds that are counted separately. An attacker chooses users and codes, so there is a maximum. */
const maxKinds = 500

/** Counts refusals that were not stored, by user, type and reason. */
export class DroppedRefusals {
  #kinds = new Map<string, Dropped>()

  get isEmpty(): boolean {
    return this.#kinds.size === 0
  }

  add(dropped: Dropped): void {
    const { userId, type, reason, count } = dropped
    const key = JSON.stringify([userId, type, reason])
    const known = this.#kinds.get(key)
    if (known) this.#kinds.set(key, { ...known, count: known.count + count })
    else if (this.#kinds.size < maxKinds) this.#kinds.set(key, dropped)
    else this.#addOther(dropped)
  }

  /** Beyond the maximum, refusals are counted without their user, and then without their reason. */
  #addOther({ userId, type, reason, count }: Dropped): void {
    const isKnown = userId !== null && this.#kinds.has(JSON.stringify([null, type, reason]))
    const other = { userId: null, type, reason: isKnown ? reason : 'Other', count }
    const key = JSON.stringify([null, type, other.reason])
    this.#kinds.set(key, { ...other, count: count + (this.#kinds.get(key)?.count ?? 0) })
  }

  /** Returns the counts, and starts again. */
  take(): readonly Dropped[] {
    const taken = [...this.#kinds.values()]
    this.#kinds = new Map()
    return taken
  }
}
