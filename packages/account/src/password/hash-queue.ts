import { availableParallelism } from 'node:os'
import { AuthError, type AuthRequest, clientKey } from '@postern/core/feature'

/** Node's default size of the thread pool. */
const defaultThreads = 4

/** Threads of the pool that are left to DNS and files. */
const freeThreads = 2

/** Seconds after which a client that was refused may try again. */
const retryAfter = 2

/** The client that causes a hash. */
export type HashClient = Pick<AuthRequest, 'client' | 'clientsBehindIp'>

/** A hash that waits. */
interface WaitingHash {
  /** `null` if the client has no address. */
  readonly client: string | null
  readonly start: () => void
}

/** Limits how many hashes are computed at once. The rest wait, up to a limit: a quarter of it for one client. */
export class HashQueue {
  #maxRunning: number
  readonly #maxWaiting: number
  readonly #waiting: WaitingHash[] = []
  #running = 0

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** Lowers the number of those that run at once. Those that already run are completed. */
  restrict(maxRunning: number): void {
    this.#maxRunning = Math.min(this.#maxRunning, maxRunning)
  }

  /** @throws AuthError `StoreUnavailable`, with the time to wait, if too many others wait. */
  async run<T>(work: () => Promise<T>, client: HashClient): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running++
    else await this.#wait(client)
    try {
      return await work()
    } finally {
      const next = this.#running <= this.#maxRunning ? this.#waiting.shift() : undefined
      // The next one takes the place.
      if (next) next.start()
      else this.#running--
    }
  }

  async #wait({ client: address, clientsBehindIp }: HashClient): Promise<void> {
    const client = address === null ? null : clientKey(address)
    const own = client === null ? 0 : this.#waiting.filter((other) => other.client === client).length
    const isShareUsed = own >= (this.#maxWaiting / 4) * clientsBehindIp
    if (isShareUsed || this.#waiting.length >= this.#maxWaiting) {
      const subject = isShareUsed ? 'passwords of one client' : 'passwords'
      throw new AuthError('StoreUnavailable', `password: too many ${subject} are being hashed`, { retryAfter })
    }
    await new Promise<void>((start) => void this.#waiting.push({ client, start }))
  }
}

/** How many hashes wait for each one that is computed: about a second. */
const waitingPerRunning = 32

/** The bytes that hashes of this process may take at once. */
const memoryBudget = 256 * 1024 * 1024

/** What limits how many hashes and comparisons are computed at once. */
export interface HashCapacity {
  /** The size of the thread pool. */
  readonly threads: number
  /** The processors that this process may use. */
  readonly processors: number
  /** The memory of one hash. */
  readonly bytesPerHash: number
}

/** How many hashes and how many comparisons run at once. */
export interface HashLimits {
  readonly hashes: number
  readonly comparisons: number
}

/**
 * One processor is left to the event loop: hashes on all of them would delay every other request. Hashes have threads of
 * their own. A function of the application that compares hashes may use the pool, of which two threads are left to DNS and
 * files. It has a queue of its own, as a slow comparison must not delay the sign-ins of other users.
 */
export function getHashLimits({ threads, processors, bytesPerHash }: HashCapacity): HashLimits {
  const byMemory = Math.floor(memoryBudget / bytesPerHash)
  return {
    hashes: Math.max(1, Math.min(processors - 1, byMemory)),
    comparisons: Math.max(1, Math.min(processors - 1, threads - freeThreads))
  }
}

function getThreads(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? defaultThreads)
  return Number.isSafeInteger(threads) && threads > 0 ? threads : defaultThreads
}

/** The queues of a process: all of its registrations share them. */
export interface HashQueues {
  readonly hashes: HashQueue
  /** Of a function of the application. */
  readonly comparisons: HashQueue
}

const createQueue = (maxRunning: number): HashQueue => new HashQueue(maxRunning, maxRunning * waitingPerRunning)

let queues: HashQueues | null = null

/** The queues of this process, in which this registration takes part. */
export function getHashQueues(registration: Pick<HashCapacity, 'bytesPerHash'>): HashQueues {
  const limits = getHashLimits({ ...registration, threads: getThreads(), processors: availableParallelism() })
  queues ??= { hashes: createQueue(limits.hashes), comparisons: createQueue(limits.comparisons) }
  queues.hashes.restrict(limits.hashes)
  return queues
}
