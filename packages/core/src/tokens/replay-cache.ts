/** Remembers ids until they say nothing any more, so that each counts once in this process; bounded. */
export class Seen {
  readonly #ends = new Map<string, number>()
  readonly #most: number
  readonly #now: () => number

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#now = now
  }

  /** @param ends - Milliseconds since 1970. @returns Whether this is the first time. */
  isNew(id: string, ends: number): boolean {
    const known = this.#ends.get(id)
    if (known !== undefined && known > this.#now()) return false
    if (this.#ends.size >= this.#most) this.#makeRoom()
    this.#ends.set(id, ends)
    return true
  }

  /** Takes an id back: what it was used for did not happen. */
  forget(id: string): void {
    this.#ends.delete(id)
  }

  #makeRoom(): void {
    const now = this.#now()
    for (const [id, ends] of this.#ends) if (ends <= now) this.#ends.delete(id)
    const [oldest] = this.#ends.keys()
    if (this.#ends.size >= this.#most && oldest !== undefined) this.#ends.delete(oldest)
  }
}
