import { lazy } from '../model/lazy.ts'

const load = lazy(() => import('jose'))

/**
 * Loaded with the first token, so that the startup of applications without an identity provider does not wait for it.
 * Even a cached `import()` takes 20 µs.
 */
export function jose(): Promise<typeof import('jose')> {
  return load()
}
