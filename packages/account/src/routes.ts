import type { ActionResult, FeatureRequest, FeatureRoute } from '@postern/core/feature'

/** The forms that one client may send: each change is stored as an event. */
export const formLimit: NonNullable<FeatureRoute['limit']> = { points: 60, seconds: 3600 }

/** Creates a route below the base path. */
type CreateRoute<Setup> = (
  path: string,
  run: (request: FeatureRequest, setup: Setup) => Promise<ActionResult>,
  more?: Partial<FeatureRoute>
) => FeatureRoute

/** @returns What creates the routes of a feature, whose functions get its setup. Forms are limited. */
export function bindRoutes<Setup>(setup: Setup): Readonly<Record<'get' | 'post', CreateRoute<Setup>>> {
  return {
    get: (path, run, more) => ({ method: 'GET', path, ...more, run: (request) => run(request, setup) }),
    post: (path, run, more) => ({
      method: 'POST',
      path,
      limit: formLimit,
      ...more,
      run: (request) => run(request, setup)
    })
  }
}
