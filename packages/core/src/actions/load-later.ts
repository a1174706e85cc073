import { loadedOnce } from '../model/loaded-once.ts'

const load = loadedOnce(() => import('./later.ts'))

/** Loaded with the first sign-in or sign-out, oauth4webapi included: a start does not wait for it. */
export function later(): Promise<typeof import('./later.ts')> {
  return load()
}
