import { errorResponse, jsonErrorResponse } from './actions/error-response.ts'
import { loadLazyActions } from './actions/load-lazy-actions.ts'
import { unknownAction } from './actions/not-found.ts'
import { showOtherWays } from './actions/rate-limited.ts'
import type { RouteDefinition } from './actions/route.ts'
import { type FoundRoute, findRoute } from './actions/routes.ts'
import type { Config } from './config/config.ts'
import { joinCookies, noCookies } from './cookies/set-cookies.ts'
import { isOwnForm, logRefusedForm } from './csrf/own-form.ts'
import { type Refusal, type RefusedRequest, reportForgedForm, reportRefusal } from './features/refusal.ts'
import { handleFeature } from './handle-feature.ts'
import { type ActionResult, json, redirect, text } from './http/action-result.ts'
import type { AuthRequest } from './http/request.ts'
import { type HttpResponse, prepare, toHttpResponse, toPlainResponse } from './http/response.ts'
import type { Provider } from './model/provider.ts'
import { refreshCallbackUrlCookie } from './redirects/callback-url.ts'

function needsCsrf({ method, csrf }: RouteDefinition, provider: Provider | null): boolean {
  if (method !== 'POST' || csrf === 'none') return false
  return csrf === 'required' || provider?.traits.callbackCsrf === true
}

function csrfRefusal({ action }: RouteDefinition, { base }: Pick<Config, 'base'>): ActionResult {
  if (action === 'session') return json({}, new Map(), 400)
  return redirect(`${base}/${action === 'signout' ? 'signout' : 'signin'}?csrf=true`)
}

/** The kind of a refusal of a route; `null` if it refuses nothing that concerns a sign-in. */
function getRefusalKind({ action }: RouteDefinition): Refusal['kind'] | null {
  if (action === 'signin' || action === 'callback') return 'sign-in'
  return action === 'verify' ? 'verification' : null
}

/** Describes a request for the features; `null` if its refusal is not reported. */
function toRefused({ route, provider }: FoundRoute, request: AuthRequest): RefusedRequest | null {
  const kind = getRefusalKind(route)
  const path = `/${route.action}${provider ? '/:provider' : ''}`
  return kind && { kind, route: path, provider: provider?.id ?? null, request }
}

async function run(found: FoundRoute, request: AuthRequest, config: Config): Promise<ActionResult> {
  const { route, provider } = found
  if (needsCsrf(route, provider) && !(await isOwnForm(request, config))) {
    const refused = toRefused(found, request)
    if (refused) reportForgedForm(refused, config.features.onRefusal)
    logRefusedForm(request, config)
    return csrfRefusal(route, config)
  }
  const action = typeof route.run === 'string' ? (await loadLazyActions())[route.run] : route.run
  const outcome = await action(request, config, provider)
  // Sign-ins leave expired rows behind, so they trigger the cleanup. It runs after the response.
  if (route.action === 'callback' || (route.action === 'signin' && route.method === 'POST'))
    config.expiredRowCleanup?.begin()
  return outcome
}

/** The response to a request for an unknown host. */
export const wrongHost: ActionResult & { readonly kind: 'text' } = text(
  'Error: unknown host; set url or trustHost',
  400
)

/** Removes one slash at the end of the path. */
function withoutTrailingSlash(request: AuthRequest): AuthRequest {
  const { path } = request
  return path.endsWith('/') && path.length > 1 ? { ...request, path: path.slice(0, -1) } : request
}

/**
 * Handles one request: finds the route, checks the CSRF token, runs the action.
 *
 * It never rejects: this is the only place that turns an error into a response.
 */
export async function handle(given: AuthRequest, config: Config): Promise<ActionResult> {
  const { providers, redirects } = config
  const request = withoutTrailingSlash(given)
  const found = findRoute(request.method, request.path, providers)
  const outcome = found ? null : await handleFeature(request, config)
  if (outcome) return outcome
  if (!found) return unknownAction(request, config)
  const { route } = found
  try {
    if (route.handlesRedirect || request.method === 'HEAD') return await run(found, request, config)
    const refreshed = redirects.isOwn ? await refreshCallbackUrlCookie(request, redirects) : noCookies
    const outcome = await run(found, request, config)
    return refreshed.size === 0 ? outcome : { ...outcome, cookies: joinCookies(refreshed, outcome.cookies) }
  } catch (error) {
    const refused = toRefused(found, request)
    if (refused) reportRefusal(error, refused, config.features.onRefusal)
    if (route.answers === 'json') return jsonErrorResponse(error, request, config)
    const response = await errorResponse(error, request, config)
    const others = await showOtherWays(error, request, config)
    return others ? { ...others, cookies: joinCookies(response.cookies, others.cookies) } : response
  }
}

/** Creates the handler that turns the result of {@link handle} into status, headers and body. */
export function createHandler(
  configFor: (origin: string) => Config | null
): (request: AuthRequest) => Promise<HttpResponse> {
  return async (request) => {
    const config = configFor(request.origin)
    if (!config) return toPlainResponse(wrongHost)
    const outcome = await handle(request, config)
    const loading = prepare(outcome, request, config.renderContext)
    if (loading) await loading
    return toHttpResponse(outcome, request, config.renderContext)
  }
}
