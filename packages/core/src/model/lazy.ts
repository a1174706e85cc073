/**
 * Loads a value on first use and caches it.
 *
 * Failures are not cached: a file that could not be read because too many were open is available to the next request.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
