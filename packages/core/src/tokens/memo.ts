/**
 * Remembers texts by texts: a bounded number of characters in all, the least recently used give way.
 *
 * What is remembered must stay true for ever; whether it still counts is for the caller to ask, every time.
 */
export class Memo {
  readonly #texts = new Map<string, string>()
  readonly #most: number
  #size = 0

  /** @param most - Characters, keys included. */
  constructor(most: number) {
    this.#most = most
  }

  get(key: string): string | null {
    const text = this.#texts.get(key)
    if (text === undefined) return null
    // Last in the map is last to go; as long as nobody has to go soon, the order does not matter.
    if (this.#size > this.#most / 2) {
      this.#texts.delete(key)
      this.#texts.set(key, text)
    }
    return text
  }

  set(key: string, text: string): void {
    if (this.#texts.has(key)) return
    this.#texts.set(key, text)
    this.#size += key.length + text.length
    for (const [oldest, value] of this.#texts) {
      if (this.#size <= this.#most) break
      this.#texts.delete(oldest)
      this.#size -= oldest.length + value.length
    }
  }
}
