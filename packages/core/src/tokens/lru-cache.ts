import { setUnrefTimeout } from '../model/unref-timeout.ts'

/** Milliseconds after which an unused entry may be removed; after twice this time it is removed. */
const defaultPeriod = 600_000

/** A string of its own: what was cut from a header, such as a cookie, keeps all of it in memory. */
const copy = (text: string): string => String(JSON.parse(JSON.stringify(text)))

/** Both are strings of their own, whatever string finds them. */
interface Entry {
  readonly key: string
  readonly text: string
}

/** Entries, and their total number of characters, keys included. */
class Generation {
  readonly #entries = new Map<string, Entry>()
  size = 0

  get(key: string): Entry | null {
    return this.#entries.get(key) ?? null
  }

  /** @param entry - One that is not there. */
  add(entry: Entry): void {
    this.#entries.set(entry.key, entry)
    this.size += entry.key.length + entry.text.length
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.size -= entry.key.length + entry.text.length
  }
}

/**
 * Caches strings by strings, with a limit on the total number of characters. The least recently used entries are
 * evicted, and unused entries expire, so that the claims of an ended session do not stay in memory.
 *
 * Entries are evicted half by half, so that only half of the characters are sure to stay: to remove the oldest entry of a map, V8
 * passes by all that were removed before.
 *
 * Cached values must never become wrong; whether a value is still valid is for the caller to check, every time.
 */
export class LruCache {
  readonly #max: number
  readonly #milliseconds: number
  /** What was used since the last period began, or half of the characters were used. */
  #used = new Generation()
  /** What was used before, and not since. */
  #unused = new Generation()
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
    return this.#used.size + this.#unused.size
  }

  get(key: string): string | null {
    const used = this.#used.get(key)
    if (used) return used.text
    const entry = this.#unused.get(key)
    if (!entry) return null
    this.#unused.delete(key)
    this.#use(entry)
    return entry.text
  }

  set(key: string, text: string): void {
    if (this.get(key) !== null || key.length + text.length > this.#max / 2) return
    this.#use({ key: copy(key), text: copy(text) })
    this.#count()
  }

  /** Removes an entry that is no longer valid. */
  delete(key: string): void {
    this.#used.delete(key)
    this.#unused.delete(key)
  }

  #use(entry: Entry): void {
    if (this.#used.size + entry.key.length + entry.text.length > this.#max / 2) this.#begin()
    this.#used.add(entry)
  }

  #begin(): void {
    this.#unused = this.#used
    this.#used = new Generation()
  }

  /** A timer instead of reading the clock each time: lookups stay cheap, and an idle process expires entries too. */
  #count(): void {
    if (this.#isCounting || this.size === 0) return
    this.#isCounting = true
    setUnrefTimeout(() => {
      this.#isCounting = false
      this.#begin()
      this.#count()
    }, this.#milliseconds)
  }
}
