import { setUnrefTimeout } from '../model/unref-timeout.ts'

interface Entry {
  readonly text: string
  /** The period in which the entry was last used. */
  period: number
}

/** Milliseconds after which an unused entry may be removed; after twice this time it is removed. */
const defaultPeriod = 600_000

/** A string of its own: what was cut from a header, such as a cookie, keeps all of it in memory. */
const copy = (text: string): string => String(JSON.parse(JSON.stringify(text)))

/**
 * Caches strings by strings, with a limit on the total number of characters. The least recently used entries are
 * evicted, and unused entries expire, so that the claims of an ended session do not stay in memory.
 *
 * Cached values must never become wrong; whether a value is still valid is for the caller to check, every time.
 */
export class LruCache {
  readonly #entries = new Map<string, Entry>()
  readonly #max: number
  readonly #milliseconds: number
  #size = 0
  #period = 0
  #isCounting = false

  /**
   * @param max - Characters, keys included.
   * @param period - Milliseconds: unused entries expire after one to two periods. @defaultValue ten minutes
   */
  constructor(max: number, period: number = defaultPeriod) {
    this.#max = max
    this.#milliseconds = period
  }

  /** Cached characters, keys included. */
  get size(): number {
    return this.#size
  }

  get(key: string): string | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    entry.period = this.#period
    // The last entry of the map is evicted last; the order does not matter until the cache is half full.
    if (this.#size > this.#max / 2) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.text
  }

  set(key: string, text: string): void {
    if (this.#entries.has(key)) return
    this.#entries.set(copy(key), { text: copy(text), period: this.#period })
    this.#size += key.length + text.length
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#max) break
      this.delete(oldest)
    }
    this.#count()
  }

  /** Removes an entry that is no longer valid. */
  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= key.length + entry.text.length
  }

  /** A timer instead of reading the clock each time: lookups stay cheap, and an idle process expires entries too. */
  #count(): void {
    if (this.#isCounting || this.#entries.size === 0) return
    this.#isCounting = true
    setUnrefTimeout(() => {
      this.#isCounting = false
      this.#period++
      for (const [key, { period }] of this.#entries) if (period < this.#period - 1) this.delete(key)
      this.#count()
    }, this.#milliseconds)
  }
}
