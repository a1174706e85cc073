import { errorResponse, jsonErrorResponse, unknownAction } from './actions/error-response.ts'
import { showOtherWays } from './actions/rate-limited.ts'
import type { Config } from './config/config.ts'
import { joinCookies } from './cookies/set-cookies.ts'
import { matchCoreRoute } from './core-route.ts'
import { isOwnForm, logRefusedForm } from './csrf/own-form.ts'
import { matchFeatureRoute } from './feature-route.ts'
import { reportForgedForm, reportRefusal } from './features/refusal.ts'
import { type ActionResult, text } from './http/action-result.ts'
import type { AuthRequest } from './http/request.ts'
import { type HttpResponse, prepare, toHttpResponse, toPlainResponse } from './http/response.ts'
import type { MatchedRoute } from './matched-route.ts'
import { chain, isPromise, type MaybePromise } from './model/awaitable.ts'

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

/** Runs a route, unless its form is of another site. */
function run(route: MatchedRoute, request: AuthRequest, config: Config): MaybePromise<ActionResult> {
  if (!route.needsOwnForm) return route.run()
  const decide = (isOwn: boolean): MaybePromise<ActionResult> =>
    isOwn ? route.run() : refuseForm(route, request, config)
  return chain(isOwnForm(request, config), decide)
}

/** Carries out a request that may store where to go afterwards. */
async function runWithCallbackUrl(route: MatchedRoute, request: AuthRequest, config: Config): Promise<ActionResult> {
  const stored = await config.redirects.refreshCookie(request)
  const result = await run(route, request, config)
  return stored.size === 0 ? result : { ...result, cookies: joinCookies(stored, result.cookies) }
}

function refuseForm(route: MatchedRoute, request: AuthRequest, config: Config): ActionResult {
  const refused = route.describeRefused()
  if (refused) reportForgedForm(refused, config.features.onRefusal)
  logRefusedForm(request, config)
  return route.refuseForm()
}

/** The response to what a route threw. */
async function respondToError(
  thrown: unknown,
  route: MatchedRoute,
  request: AuthRequest,
  config: Config
): Promise<ActionResult> {
  const error = route.toError(thrown)
  const refused = route.describeRefused()
  if (refused) reportRefusal(error, refused, config.features.onRefusal)
  if (route.sendsJsonError(error)) return jsonErrorResponse(error, request, config)
  const response = await errorResponse(error, request, config)
  const others = await showOtherWays(error, request, config)
  return others ? { ...others, cookies: joinCookies(response.cookies, others.cookies) } : response
}

/**
 * Handles one request: finds the route of the core or of a feature, checks the form, runs the route.
 *
 * It never rejects: this is the only place that turns an error into a response.
 */
export function handle(given: AuthRequest, config: Config): MaybePromise<ActionResult> {
  const { redirects } = config
  const request = withoutTrailingSlash(given)
  const route = matchCoreRoute(request, config) ?? matchFeatureRoute(request, config)
  if (!route) return unknownAction(request, config)
  const fail = (error: unknown): Promise<ActionResult> => respondToError(error, route, request, config)
  try {
    const result =
      route.storesCallbackUrl && redirects.hasCallback
        ? runWithCallbackUrl(route, request, config)
        : run(route, request, config)
    // To wait for a value takes longer than to read a session.
    return isPromise(result) ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

/** Creates the handler that turns the result of {@link handle} into status, headers and body. */
export function createHandler(
  configFor: (origin: string) => Config | null
): (request: AuthRequest) => MaybePromise<HttpResponse> {
  return (request) => {
    const config = configFor(request.origin)
    if (!config) return toPlainResponse(wrongHost)
    return chain(handle(request, config), (outcome) => {
      const write = (): HttpResponse => toHttpResponse(outcome, request, config.renderContext)
      const loading = prepare(outcome, request, config.renderContext)
      return loading ? loading.then(write) : write()
    })
  }
}
