/** Remembers ids until they expire, so that each is accepted once in this process; the number of entries is limited. */
export class ReplayCache {
  readonly #ends = new Map<string, number>()
  readonly #maxEntries: number
  readonly #now: () => number

  constructor(max: number, now: () => number) {
    this.#maxEntries = max
    this.#now = now
  }

  /** @param ends - When the id expires, in milliseconds since 1970. @returns Whether the id is new. */
  isNew(id: string, ends: number): boolean {
    const known = this.#ends.get(id)
    if (known !== undefined && known > this.#now()) return false
    if (this.#ends.size >= this.#maxEntries) this.#makeRoom()
    this.#ends.set(id, ends)
    return true
  }

  /** Removes an id whose use failed. */
  forget(id: string): void {
    this.#ends.delete(id)
  }

  #makeRoom(): void {
    const now = this.#now()
    for (const [id, ends] of this.#ends) if (ends <= now) this.#ends.delete(id)
    const [oldest] = this.#ends.keys()
    if (this.#ends.size >= this.#maxEntries && oldest !== undefined) this.#ends.delete(oldest)
  }
}
