/** Makes a function that prepares once, however many call it, and once more after it failed. */
export function createReady(prepare: () => Promise<void>): () => Promise<void> {
  let ready: Promise<void> | null = null
  return () => {
    ready ??= prepare().catch((error) => {
      ready = null
      throw error
    })
    return ready
  }
}
