/**
 * Loads something with the first who asks for it, and keeps it for all who come later.
 *
 * A failure is not kept: what could not be read while the process had too many files open is there with the next request.
 */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
