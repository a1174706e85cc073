import { Worker } from 'node:worker_threads'

/** A synchronous function that derives a key, and its arguments, which a thread receives as copies. */
export interface HashCall {
  /** The module that exports the function: a built-in one, or a URL. */
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
}

/**
 * The program of a thread. It is text because bundlers of applications omit files that nothing imports.
 *
 * On Linux, every thread has its own priority, and `setPriority` changes that of the calling thread. On other systems it
 * would change the whole process. A sandbox may forbid it.
 *
 * @see setpriority(2), "C library/kernel differences"
 */
const program = `
const { parentPort } = require('node:worker_threads')
const { getPriority, setPriority } = require('node:os')
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(19, getPriority() + 10))
  } catch {}
}
parentPort.on('message', async ({ module, name, args }) => {
  try {
    const { [name]: derive } = await import(module)
    parentPort.postMessage({ key: new Uint8Array(derive(...args)) })
  } catch (error) {
    parentPort.postMessage({ error })
  }
})
`

/** The reply of the program. */
type HashReply = { readonly key: Uint8Array } | { readonly error: unknown }

/** A hash that a thread computes. */
interface PendingHash {
  readonly resolve: (key: Buffer) => void
  readonly reject: (error: unknown) => void
}

/** A thread that computes one hash at a time. While it computes none, the process can exit. */
class HashThread {
  // Without the environment and the options of Node: the program needs neither, and no preloaded module.
  readonly #worker = new Worker(program, { eval: true, name: 'password-hash', env: {}, execArgv: [] })
  #pending: PendingHash | null = null
  #isRunning = true

  /** @param onExit - Called when the thread has ended. */
  constructor(onExit: () => void) {
    this.#worker.on('message', (reply: HashReply) =>
      'key' in reply ? this.#pending?.resolve(Buffer.from(reply.key)) : this.#pending?.reject(reply.error)
    )
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => {
      this.#end(new Error(`password: the thread that computed a hash ended with code ${code}`))
      onExit()
    })
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  #end(error: unknown): void {
    this.#isRunning = false
    this.#pending?.reject(error)
  }

  /** @throws Error if the function throws, or if the thread ends. */
  async run(call: HashCall): Promise<Buffer> {
    this.#worker.ref()
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        this.#pending = { resolve, reject }
        this.#worker.postMessage(call)
      })
    } finally {
      this.#pending = null
      this.#worker.unref()
    }
  }
}

/**
 * Computes hashes in threads of low priority, so that they delay neither the event loop nor the thread pool, which reads
 * files and resolves names.
 *
 * There are as many threads as hashes that were computed at once.
 */
export class HashThreads {
  #idle: readonly HashThread[] = []

  /** @throws Error if the function throws, or if the thread ends. */
  async run(call: HashCall): Promise<Buffer> {
    const thread = this.#take()
    try {
      return await thread.run(call)
    } finally {
      if (thread.isRunning) this.#idle = [...this.#idle, thread]
    }
  }

  #take(): HashThread {
    const known = this.#idle.at(-1)
    this.#idle = this.#idle.slice(0, -1)
    if (known) return known
    const thread: HashThread = new HashThread(() => {
      this.#idle = this.#idle.filter((other) => other !== thread)
    })
    return thread
  }
}

/** The threads of this process. */
export const hashThreads: HashThreads = new HashThreads()
