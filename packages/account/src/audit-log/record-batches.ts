import { isTransientError } from '@postern/core/feature'

/** A store or another system that receives records. */
export interface Receiver<T> {
  readonly send: (batch: readonly T[]) => Promise<void>
  /**
   * Gives up a record that was refused when it was sent alone.
   *
   * @throws the error of the receiver if it accepts nothing else either: the record then waits on.
   */
  readonly giveUp: (record: T, error: unknown) => Promise<void>
}

/**
 * Sends records in batches, so that a record that the receiver never accepts does not stop those after it. A batch that is
 * refused is halved, down to the record that is refused alone. A receiver that is down refuses everything, and no error
 * tells the two apart with certainty, so a record is only given up while the receiver accepts something else.
 */
export class RecordBatches<T> {
  readonly #max: number
  readonly #receiver: Receiver<T>
  #size: number
  /** Whether the receiver refused the last record that was sent alone, and seemed to be down. */
  #wasDown = false

  constructor(max: number, receiver: Receiver<T>) {
    this.#max = max
    this.#receiver = receiver
    this.#size = max
  }

  /**
   * Sends the first records, as many as a batch may have.
   *
   * @returns The number of records that are sent or given up: 0 if the batch was refused, and half of it is next.
   * @throws the error of the receiver if it seems to be down.
   */
  async sendNext(records: readonly T[]): Promise<number> {
    const batch = records.slice(0, this.#size)
    try {
      await this.#receiver.send(batch)
    } catch (error) {
      await this.#refuse(batch, error)
      return batch.length > 1 ? 0 : 1
    }
    this.#wasDown = false
    this.#size = Math.min(this.#max, this.#size * 2)
    return batch.length
  }

  async #refuse(batch: readonly T[], error: unknown): Promise<void> {
    const [record] = batch
    const isTransient = isTransientError(error)
    this.#size = Math.ceil(batch.length / 2)
    if (record === undefined || batch.length > 1) {
      if (isTransient) throw error
      return
    }
    const isFirst = !this.#wasDown
    this.#wasDown = true
    if (isTransient && isFirst) throw error
    await this.#receiver.giveUp(record, error)
    this.#wasDown = false
  }
}
