/** Milliseconds. What differs between addresses takes less than a tenth of one. */
const minDuration = 10

/**
 * Takes at least 10 ms, also if the work fails: the time of work that takes less shows nothing. Of a longer time, such as
 * that of a mail server, the difference is too small a part to be measured.
 */
export async function withMinDuration<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const left = minDuration - (performance.now() - start)
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  }
}
