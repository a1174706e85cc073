import { setImmediate, setTimeout } from 'node:timers/promises'

/** Milliseconds. What differs between addresses takes less than a tenth of one. */
const minDuration = 10

/** Milliseconds by which a timer may be late. */
const maxLate = 1

/**
 * Takes at least 10 ms, also if the work fails: the time of work that takes less shows nothing. Of a longer time, such as
 * that of a mail server, the difference is too small a part to be measured.
 */
export async function withMinDuration<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + minDuration
  try {
    return await work()
  } finally {
    // Timers count whole milliseconds from the end of the work, so that its time would still show in the fraction.
    const left = end - performance.now() - maxLate
    if (left >= 1) await setTimeout(left)
    while (performance.now() < end) await setImmediate()
  }
}
