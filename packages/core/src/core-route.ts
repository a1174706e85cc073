import { loadLazyActions } from './actions/load-lazy-actions.ts'
import type { LazyActionName } from './actions/route.ts'
import { type FoundRoute, findRoute } from './actions/routes.ts'
import type { Config } from './config/config.ts'
import type { Refusal, RefusedRequest } from './features/refusal.ts'
import { type ActionResult, json, redirect } from './http/action-result.ts'
import type { AuthRequest } from './http/request.ts'
import type { MatchedRoute } from './matched-route.ts'
import type { MaybePromise } from './model/awaitable.ts'

/** What a refusal of an action is about. Refusals of other actions do not concern a sign-in. */
const refusalKinds: ReadonlyMap<string, Refusal['kind']> = new Map([
  ['signin', 'sign-in'],
  ['callback', 'sign-in'],
  ['verify', 'verification']
])

class CoreRoute implements MatchedRoute {
  readonly #found: FoundRoute
  readonly #request: AuthRequest
  readonly #config: Config

  constructor(found: FoundRoute, request: AuthRequest, config: Config) {
    this.#found = found
    this.#request = request
    this.#config = config
  }

  get needsOwnForm(): boolean {
    const { route, provider } = this.#found
    if (route.method !== 'POST' || route.csrf === 'none') return false
    return route.csrf === 'required' || provider?.traits.callbackCsrf === true
  }

  get storesCallbackUrl(): boolean {
    return !this.#found.route.handlesRedirect && this.#request.method !== 'HEAD'
  }

  refuseForm(): ActionResult {
    const { action } = this.#found.route
    if (action === 'session') return json({}, new Map(), 400)
    return redirect(`${this.#config.base}/${action === 'signout' ? 'signout' : 'signin'}?csrf=true`)
  }

  run(): MaybePromise<ActionResult> {
    const { route, provider } = this.#found
    return typeof route.run === 'string'
      ? this.#runLazyAction(route.run)
      : route.run(this.#request, this.#config, provider)
  }

  async #runLazyAction(name: LazyActionName): Promise<ActionResult> {
    const action = (await loadLazyActions())[name]
    const result = await action(this.#request, this.#config, this.#found.provider)
    // Sign-ins leave expired rows behind, so they trigger the cleanup. It runs after the response.
    if (name === 'startSignIn' || name === 'finishSignIn') this.#config.expiredRowCleanup?.begin()
    return result
  }

  toError(thrown: unknown): unknown {
    return thrown
  }

  sendsJsonError(): boolean {
    return this.#found.route.answers === 'json'
  }

  describeRefused(): RefusedRequest | null {
    const { route, provider } = this.#found
    const kind = refusalKinds.get(route.action)
    if (!kind) return null
    const path = `/${route.action}${provider ? '/:provider' : ''}`
    return { kind, route: path, provider: provider?.id ?? null, request: this.#request }
  }
}

/** @returns The route of the core for a request, or `null`. */
export function matchCoreRoute(request: AuthRequest, config: Config): MatchedRoute | null {
  const found = findRoute(request.method, request.path, config.providers)
  return found && new CoreRoute(found, request, config)
}
