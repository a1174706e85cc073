import { runLater } from '../model/run-later.ts'

interface Entry {
  readonly text: string
  /** The count of periods when it was last asked for. */
  period: number
}

/** Milliseconds after which what nobody has asked for may go; after twice as long it has gone. */
const defaultPeriod = 600_000

/**
 * Remembers texts by texts: a bounded number of characters in all, the least recently used give way; and what nobody
 * asks for is forgotten, so that what an ended session said does not stay in memory.
 *
 * What is remembered must stay true for ever; whether it still counts is for the caller to ask, every time.
 */
export class Memo {
  readonly #entries = new Map<string, Entry>()
  readonly #most: number
  readonly #length: number
  #size = 0
  #period = 0
  #isCounting = false

  /**
   * @param most - Characters, keys included.
   * @param period - Milliseconds: what nobody asks for goes after one to two of them. @defaultValue ten minutes
   */
  constructor(most: number, period: number = defaultPeriod) {
    this.#most = most
    this.#length = period
  }

  /** Characters that are kept, keys included. */
  get size(): number {
    return this.#size
  }

  get(key: string): string | null {
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    entry.period = this.#period
    // Last in the map is last to go; as long as nobody has to go soon, the order does not matter.
    if (this.#size > this.#most / 2) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.text
  }

  set(key: string, text: string): void {
    if (this.#entries.has(key)) return
    this.#entries.set(key, { text, period: this.#period })
    this.#size += key.length + text.length
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break
      this.delete(oldest)
    }
    this.#count()
  }

  /** Forgets a text that does not count any more. */
  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= key.length + entry.text.length
  }

  /** A timer in place of a look at the clock each time: to ask must cost nothing, and an idle process forgets too. */
  #count(): void {
    if (this.#isCounting || this.#entries.size === 0) return
    this.#isCounting = true
    runLater(() => {
      this.#isCounting = false
      this.#period++
      for (const [key, { period }] of this.#entries) if (period < this.#period - 1) this.delete(key)
      this.#count()
    }, this.#length)
  }
}
