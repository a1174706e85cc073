import type { Config } from '../config/config.ts'
import { withTimeout } from '../errors/user-code.ts'
import type { CompletedSignIn } from '../features/feature.ts'
import { type AuthRequest, acceptsPage } from '../http/request.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import { createFeatureRequest } from './feature-request.ts'

/**
 * Asks the features for a page before the one that a sign-in continues at. The session exists: an error is logged, and the user
 * continues.
 *
 * @returns Its path below the base path; `null` for none, and for clients that show no pages.
 */
export function findPageAfterSignIn(
  signIn: CompletedSignIn,
  request: AuthRequest,
  config: Config
): MaybePromise<string | null> {
  return config.features.features.length > 0 && acceptsPage(request) ? askFeatures(signIn, request, config) : null
}

async function askFeatures(signIn: CompletedSignIn, request: AuthRequest, config: Config): Promise<string | null> {
  const { constants, features, tasks } = config
  for (const feature of features.features) {
    const { pageAfterSignIn } = feature.parts
    if (!pageAfterSignIn) continue
    const callee = `features.${feature.id}: pageAfterSignIn`
    try {
      const asked = pageAfterSignIn(signIn, createFeatureRequest(request, feature, config))
      const path = await withTimeout(callee, asked, constants.callbackTimeoutMilliseconds)
      if (path !== null) return path
    } catch (error) {
      tasks.logError(callee, error)
    }
  }
  return null
}
