/** A counter in memory that can forget a key, such as `RateLimiterMemory`. */
export interface MemoryStore {
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** The bytes that the keys of one rule may take in the memory of a process. */
export const maxBytesPerRule: number = 16 * 1024 * 1024

/** The bytes that an entry takes in addition to its key: the count, its timer, and the entry of this class. */
const entryBytes = 400

/** The number of the oldest entries from which one is discarded. */
const maxCandidates = 32

/** The state of a window. */
interface Count {
  readonly points: number
  /** Milliseconds since 1970. */
  readonly ends: number
}

function toCount(result: unknown, now: number): Count {
  const { consumedPoints = 1, msBeforeNext = 0 } = Object(result)
  return { points: Number(consumedPoints), ends: now + Number(msBeforeNext) }
}

/**
 * Limits the memory of a counter. An attacker chooses usernames, and may have many addresses.
 *
 * If the memory is full, a key that was counted once is discarded, and only then one with few points. A flood of new
 * keys therefore discards its own keys, and not those that are close to their limit.
 */
export class CappedCounter implements Pick<MemoryStore, 'consume' | 'reward'> {
  readonly #store: MemoryStore
  readonly #limit: number
  readonly #maxBytes: number
  /** The keys with at most one point, and those with more or at their limit, oldest first. */
  readonly #once = new Map<string, Count>()
  readonly #several = new Map<string, Count>()
  #bytes = 0

  /** @param limit - The points of the rule. */
  constructor(store: MemoryStore, limit: number, maxBytes: number = maxBytesPerRule) {
    this.#store = store
    this.#limit = limit
    this.#maxBytes = maxBytes
  }

  /** The estimated memory of all keys. */
  get bytes(): number {
    return this.#bytes
  }

  async consume(key: string): Promise<unknown> {
    try {
      const result = await this.#store.consume(key)
      await this.#track(key, result)
      return result
    } catch (refusal) {
      await this.#track(key, refusal)
      throw refusal
    }
  }

  async reward(key: string): Promise<unknown> {
    const result = await this.#store.reward(key)
    await this.#track(key, result)
    return result
  }

  async #track(key: string, result: unknown): Promise<void> {
    const now = Date.now()
    const count = toCount(result, now)
    const isKnown = this.#once.has(key) || this.#several.has(key)
    if (!isKnown) this.#bytes += key.length + entryBytes
    const isHigh = count.points > 1 || count.points >= this.#limit
    const [from, to] = isHigh ? [this.#once, this.#several] : [this.#several, this.#once]
    from.delete(key)
    to.set(key, count)
    for (const counts of [this.#once, this.#several]) this.#forgetEnded(counts, now)
    while (this.#bytes > this.#maxBytes && this.#once.size + this.#several.size > 1) await this.#discardOne(key)
  }

  /** The store has forgotten these keys itself. */
  #forgetEnded(counts: ReadonlyMap<string, Count>, now: number): void {
    for (const [key, { ends }] of counts) {
      if (ends > now) return
      this.#forget(key)
    }
  }

  async #discardOne(newest: string): Promise<void> {
    const [oldest] = this.#once.keys()
    if (oldest !== undefined && oldest !== newest) return this.#discard(oldest)
    let least: readonly [key: string, points: number] = [newest, Number.POSITIVE_INFINITY]
    let candidates = 0
    for (const [key, { points }] of this.#several) {
      if (points < least[1]) least = [key, points]
      candidates++
      if (candidates === maxCandidates) break
    }
    await this.#discard(least[0])
  }

  async #discard(key: string): Promise<void> {
    this.#forget(key)
    await this.#store.delete(key)
  }

  #forget(key: string): void {
    const isKnown = this.#once.delete(key) || this.#several.delete(key)
    if (isKnown) this.#bytes -= key.length + entryBytes
  }
}
