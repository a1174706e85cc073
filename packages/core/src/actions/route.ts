import type { Config } from '../config/config.ts'
import type { ActionResult } from '../http/action-result.ts'
import type { AuthRequest } from '../http/request.ts'
import type { MaybePromise } from '../model/awaitable.ts'
import type { Provider } from '../model/provider.ts'

/** Runs an action. `provider` is the provider that the path names, or `null`. */
export type Run = (request: AuthRequest, config: Config, provider: Provider | null) => MaybePromise<ActionResult>

/** The actions that are loaded on first use, by their names in `lazy-actions.ts`. */
export type LazyActionName =
  | 'startSignIn'
  | 'finishSignIn'
  | 'showSignOut'
  | 'signOut'
  | 'showVerification'
  | 'backchannelLogout'

/** A route. */
export interface RouteDefinition {
  readonly method: 'GET' | 'POST'
  /** The first part of the path below the base path. */
  readonly action: string
  /** Whether the second part of the path names a provider or something else. */
  readonly parameter: 'none' | 'optional provider' | 'provider' | 'asset'
  /** Whether a POST requires the CSRF token; `handler` means that the kind of the provider decides. */
  readonly csrf: 'required' | 'handler' | 'none'
  /** The type of the response: JSON, also for errors, or HTML. */
  readonly answers: 'json' | 'html'
  /**
   * Whether the action calls the `redirect` callback. For other routes it is called if the request has a `callbackUrl`,
   * as in next-auth v4.
   */
  readonly handlesRedirect: boolean
  readonly run: Run | LazyActionName
}
