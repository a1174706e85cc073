import { loadedOnce } from '../model/lazy.ts'

const load = loadedOnce(() => import('jose'))

/**
 * Loaded with the first token: applications without an identity provider do not wait for it at their start. To `import`
 * what is there already takes 20 µs each time.
 */
export function jose(): Promise<typeof import('jose')> {
  return load()
}
