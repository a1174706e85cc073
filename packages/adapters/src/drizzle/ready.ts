/** Creates a function that prepares once for all callers, and again after a failure. */
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
