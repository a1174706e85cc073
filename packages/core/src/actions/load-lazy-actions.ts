import { lazy } from '../model/lazy.ts'

const load = lazy(() => import('./lazy-actions.ts'))

/** Loads the actions on the first sign-in or sign-out, together with oauth4webapi, which keeps startup fast. */
export function loadLazyActions(): Promise<typeof import('./lazy-actions.ts')> {
  return load()
}
