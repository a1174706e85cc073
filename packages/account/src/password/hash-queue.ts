import { AuthError } from '@postern/core/feature'

/** Node's default size of the thread pool. */
const defaultThreads = 4

/** Seconds after which a client that was refused may try again. */
const retryAfter = 2

/**
 * Limits how many hashes are computed at once. They block threads of the pool that DNS and files need too, so that two
 * are left to them.
 */
export class HashQueue {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** @throws AuthError `StoreUnavailable`, with the time to wait, if too many others wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running++
    else await this.#wait()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The next one takes the place.
      if (next) next()
      else this.#running--
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting)
      throw new AuthError('StoreUnavailable', 'password: too many passwords are being hashed', { retryAfter })
    await new Promise<void>((resolve) => void this.#waiting.push(resolve))
  }
}

/** How many hashes wait for each one that is computed: about a second. */
const waitingPerRunning = 16

function getThreads(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? defaultThreads)
  return Number.isSafeInteger(threads) && threads > 0 ? threads : defaultThreads
}

/** The bytes that hashes of this process may take at once. */
const memoryBudget = 256 * 1024 * 1024

function createQueue(maxRunning: number): HashQueue {
  return new HashQueue(maxRunning, maxRunning * waitingPerRunning)
}

/** Creates the queue of a hash function that takes this many bytes. */
export function createHashQueue(bytesPerHash: number): HashQueue {
  const byMemory = Math.floor(memoryBudget / bytesPerHash)
  return createQueue(Math.max(1, Math.min(getThreads() - 2, byMemory)))
}

/** Creates the queue of a function of the application that compares hashes, which may use the same threads. */
export function createComparisonQueue(): HashQueue {
  return createQueue(Math.max(1, getThreads() - 2))
}
