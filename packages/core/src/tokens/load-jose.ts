import { lazy } from '../model/lazy.ts'

/**
 * Loaded with the first token, so that the startup of applications without an identity provider does not wait for it.
 * Even a cached `import()` takes 20 µs.
 */
export const jose: () => Promise<typeof import('jose')> = lazy(() => import('jose'))
