import { isFresh } from './is-fresh.ts'

/** How long documents are cached, and how often they are fetched. Seconds. */
export interface CacheTimes {
  readonly maxAge: number
  /** The minimum time between two scheduled fetches. */
  readonly throttle: number
  /** How long an expired document is used while its server does not respond. */
  readonly staleIfError: number
  /** How long a failure is cached; 0: never. */
  readonly retryAfter: number
  /** The maximum number of documents. */
  readonly maxIssuers: number
}

interface Entry<V> {
  readonly value: V
  readonly fetchedAt: number
  /** When the last fetch began, whether it succeeded or not. */
  triedAt: number
}

/** Evicts the entry that was written the longest time ago. */
function keepNewest<K, V>(entries: Map<K, V>, key: K, value: V, max: number): void {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.keys()
  if (entries.size > max && oldest !== undefined) entries.delete(oldest)
}

/**
 * Caches documents of other servers.
 *
 * Each document has at most one request in flight. An expired one is used for a limited time while the server does not respond, or
 * its document is invalid; the server is not called on every request meanwhile. Without a cached document, a failure is cached for a
 * few seconds, so that a flood of incoming requests is not forwarded. The number of documents is limited.
 */
export class DocumentCache<K, V> {
  readonly #entries = new Map<K, Entry<V>>()
  readonly #inFlight = new Map<K, Promise<V>>()
  readonly #failures = new Map<K, { readonly error: unknown; readonly failedAt: number }>()
  readonly #times: CacheTimes
  readonly #now: () => number

  constructor(times: CacheTimes, now: () => number) {
    this.#times = times
    this.#now = now
  }

  /** @returns The cached document, whatever its age. */
  peek(key: K): V | null {
    return this.#entries.get(key)?.value ?? null
  }

  /** @returns The document of the request that is in flight; `null` if there is none. */
  getRunning(key: K): Promise<V> | null {
    return this.#inFlight.get(key) ?? null
  }

  /** @param load - Fetches the document. An error of it replaces no document. */
  async get(key: K, load: () => Promise<V>): Promise<V> {
    const entry = this.#entries.get(key)
    const seconds = this.#now() / 1000
    const { maxAge, staleIfError, throttle } = this.#times
    if (entry && isFresh(seconds, entry.fetchedAt, maxAge)) return entry.value
    const standIn = entry && seconds - entry.fetchedAt < maxAge + staleIfError ? entry : null
    if (standIn && isFresh(seconds, standIn.triedAt, throttle)) return standIn.value
    if (standIn) standIn.triedAt = seconds
    try {
      return await this.fetch(key, load)
    } catch (error) {
      if (standIn) return standIn.value
      throw error
    }
  }

  /** Fetches a document, or waits for the request that is in flight. @throws The error of a request that failed recently. */
  async fetch(key: K, load: () => Promise<V>): Promise<V> {
    if (!this.#inFlight.has(key)) this.throwIfRecent(key)
    const watched = (): Promise<V> =>
      load().catch((error: unknown) => {
        keepNewest(this.#failures, key, { error, failedAt: this.#now() / 1000 }, this.#times.maxIssuers)
        throw error
      })
    return this.#share(key, watched)
  }

  /** Fetches a document before it is needed. A failure is not cached: the next request has to try again. */
  async ahead(key: K, load: () => Promise<V>): Promise<V> {
    return this.peek(key) ?? this.#share(key, load)
  }

  /** @throws The error of a request that failed recently. */
  throwIfRecent(key: K): void {
    const failure = this.#failures.get(key)
    if (!failure) return
    if (isFresh(this.#now() / 1000, failure.failedAt, this.#times.retryAfter)) throw failure.error
    this.#failures.delete(key)
  }

  #share(key: K, load: () => Promise<V>): Promise<V> {
    const running = this.#inFlight.get(key)
    if (running) return running
    const fetching = load()
      .then((value) => {
        const seconds = this.#now() / 1000
        keepNewest(this.#entries, key, { value, fetchedAt: seconds, triedAt: seconds }, this.#times.maxIssuers)
        return value
      })
      .finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, fetching)
    return fetching
  }
}
