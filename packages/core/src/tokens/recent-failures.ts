import { isFresh } from './is-fresh.ts'

/**
 * Caches failed requests to another server for a few seconds, so that a flood of incoming requests is not forwarded to
 * it. The number of entries is limited.
 */
export class RecentFailures<K> {
  readonly #failures = new Map<K, { readonly error: unknown; readonly failedAt: number }>()
  readonly #retryAfter: number
  readonly #maxFailures: number
  readonly #now: () => number

  /** @param retryAfter - Seconds; 0 disables the cache. */
  constructor(retryAfter: number, maxFailures: number, now: () => number) {
    this.#retryAfter = retryAfter
    this.#maxFailures = maxFailures
    this.#now = now
  }

  /** @throws The error of a request for this key that failed recently. */
  throwIfRecent(key: K): void {
    const failure = this.#failures.get(key)
    if (!failure) return
    if (isFresh(this.#now() / 1000, failure.failedAt, this.#retryAfter)) throw failure.error
    this.#failures.delete(key)
  }

  /** Makes a request, and caches its failure. */
  async watch<T>(key: K, request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      this.#failures.delete(key)
      this.#failures.set(key, { error, failedAt: this.#now() / 1000 })
      const [oldest] = this.#failures.keys()
      if (this.#failures.size > this.#maxFailures && oldest !== undefined) this.#failures.delete(oldest)
      throw error
    }
  }
}
