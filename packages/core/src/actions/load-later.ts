import { loadedOnce } from '../model/lazy.ts'

const load = loadedOnce(() => import('./lazy-actions.ts'))

/** Loaded with the first sign-in or sign-out, oauth4webapi included: a start does not wait for it. */
export function later(): Promise<typeof import('./lazy-actions.ts')> {
  return load()
}
