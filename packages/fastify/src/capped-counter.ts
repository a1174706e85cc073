/** The bytes that the keys of one rule may take in the memory of a process. */
export const maxBytesPerRule: number = 16 * 1024 * 1024

/** The bytes that an entry takes in addition to its key. */
const entryBytes = 400

/** The number of the oldest entries from which one is discarded. */
const maxCandidates = 32

/** The limit that is counted for. */
export interface CountedRule {
  readonly points: number
  /** Seconds. */
  readonly duration: number
}

/** The state of a window. */
interface Count {
  points: number
  /** Milliseconds since 1970. */
  readonly ends: number
}

/**
 * Counts in windows that begin with the first point, in limited memory. An attacker chooses usernames, and may have many addresses.
 *
 * If the memory is full, a key that was counted once is discarded, and only then one with few points. A flood of new
 * keys therefore discards its own keys, and not those that are close to their limit.
 */
export class CappedCounter {
  readonly #rule: CountedRule
  readonly #maxBytes: number
  /** The keys with at most one point, and those with more or at their limit, oldest first. */
  readonly #once = new Map<string, Count>()
  readonly #several = new Map<string, Count>()
  #bytes = 0

  constructor(rule: CountedRule, maxBytes: number = maxBytesPerRule) {
    this.#rule = rule
    this.#maxBytes = maxBytes
  }

  /** The estimated memory of all keys. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts a point. @returns Milliseconds until the window ends that has no point left; otherwise 0. */
  consume(key: string): number {
    const now = Date.now()
    const { points, ends } = this.#add(key, now)
    return points > this.#rule.points ? ends - now : 0
  }

  /** Takes a point back, unless its window has ended. */
  reward(key: string): void {
    const now = Date.now()
    const count = this.#find(key, now)
    if (count && count.points > 0) {
      count.points--
      this.#sort(key, count)
    }
    this.#forgetEnded(now)
  }

  #add(key: string, now: number): Count {
    const known = this.#find(key, now)
    const count = known ?? { points: 0, ends: now + this.#rule.duration * 1000 }
    if (!known) {
      this.#bytes += key.length + entryBytes
      this.#once.set(key, count)
    }
    count.points++
    this.#sort(key, count)
    this.#forgetEnded(now)
    while (this.#bytes > this.#maxBytes && this.#once.size + this.#several.size > 1) this.#discardOne(key)
    return count
  }

  #find(key: string, now: number): Count | null {
    const count = this.#several.get(key) ?? this.#once.get(key)
    if (!count) return null
    if (count.ends > now) return count
    this.#forget(key)
    return null
  }

  #sort(key: string, count: Count): void {
    const isHigh = count.points > 1 || count.points >= this.#rule.points
    if ((isHigh ? this.#once : this.#several).delete(key)) (isHigh ? this.#several : this.#once).set(key, count)
  }

  #forgetEnded(now: number): void {
    this.#forgetOldest(this.#once, now)
    this.#forgetOldest(this.#several, now)
  }

  #forgetOldest(counts: ReadonlyMap<string, Count>, now: number): void {
    for (const [key, { ends }] of counts) {
      if (ends > now) return
      this.#forget(key)
    }
  }

  #discardOne(newest: string): void {
    const [oldest] = this.#once.keys()
    this.#forget(oldest !== undefined && oldest !== newest ? oldest : this.#findLeast(newest))
  }

  /** @returns One of the oldest keys that were counted several times: that with the fewest points. */
  #findLeast(newest: string): string {
    let least: readonly [key: string, points: number] = [newest, Number.POSITIVE_INFINITY]
    let candidates = 0
    for (const [key, { points }] of this.#several) {
      if (points < least[1]) least = [key, points]
      candidates++
      if (candidates === maxCandidates) break
    }
    return least[0]
  }

  #forget(key: string): void {
    const isKnown = this.#once.delete(key) || this.#several.delete(key)
    if (isKnown) this.#bytes -= key.length + entryBytes
  }
}
