import { serializeError } from '../errors/serialize-error.ts'
import type { Logger } from '../model/logger.ts'

/** Work that no response waits for. Errors are logged. */
export class BackgroundTasks {
  readonly #logger: Pick<Logger, 'error'> | null
  readonly #running = new Set<Promise<void>>()

  constructor(logger: Pick<Logger, 'error'> | null = null) {
    this.#logger = logger
  }

  /** Begins a task. @param name - What it is, for the log. */
  run(name: string, work: () => Promise<unknown>): void {
    const task = work()
      .catch((error: unknown) => this.logError(name, error))
      .then(() => void this.#running.delete(task))
    this.#running.add(task)
  }

  /** Logs the error of a task. */
  logError(name: string, error: unknown): void {
    this.#logger?.error('BACKGROUND_TASK_ERROR', { task: name, ...serializeError(error) })
  }

  /** Waits until all tasks have ended. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
