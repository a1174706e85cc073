import { lazy } from '../model/lazy.ts'

/** Loads the actions on the first sign-in or sign-out, together with oauth4webapi, which keeps startup fast. */
export const loadLazyActions: () => Promise<typeof import('./lazy-actions.ts')> = lazy(
  () => import('./lazy-actions.ts')
)
