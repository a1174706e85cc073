import { errorResponse, jsonErrorResponse } from './actions/error-response.ts'
import { loadLazyActions } from './actions/load-lazy-actions.ts'
import type { Config } from './config/config.ts'
import { clearCookie, joinCookies, noCookies } from './cookies/set-cookies.ts'
import { isOwnForm, logRefusedForm } from './csrf/own-form.ts'
import { AuthError, SignInError } from './errors/auth-error.ts'
import type { FeatureRequest, FeatureRoute } from './features/feature.ts'
import { createFeatureRequest } from './features/feature-request.ts'
import { cancelId } from './features/interrupted-sign-ins.ts'
import { fillPath } from './features/moved-pages.ts'
import { type RefusedRequest, reportForgedForm, reportRefusal } from './features/refusal.ts'
import { type FoundFeatureRoute, findFeatureRoute } from './features/registry.ts'
import { signInErrorsOnly, thrownError } from './hooks/authorize-sign-in.ts'
import { type ActionResult, json, redirect, text } from './http/action-result.ts'
import { getText } from './http/body.ts'
import { type AuthRequest, acceptsPage } from './http/request.ts'
import type { SetCookies } from './model/cookie.ts'
import { refuseActor } from './sessions/impersonation.ts'
import { findDeviceByUser } from './sign-in-methods/known-device.ts'
import { getRateLimitAddress } from './sign-in-methods/rate-limit-identifier.ts'
import { consumeClientLimit, mailLimits } from './sign-in-methods/rate-limits.ts'

/** A client that cannot be sent to a page: it asked for JSON, or does not accept HTML. */
function expectsJson(request: AuthRequest, answers: 'html' | 'json'): boolean {
  return answers === 'json' || !acceptsPage(request)
}

/** Describes a request for the features. @param found - `null` for the page of an interruption. */
function toRefused(found: FoundFeatureRoute | null, request: AuthRequest): RefusedRequest {
  if (!found) return { kind: 'verification', route: '/verify/:id', provider: null, request }
  return { kind: 'request', route: found.route.path, provider: null, request }
}

/** @returns Where a browser finds a page that the application has moved; `null` if it is here. */
function getMovedUrl(
  { movedTo, params }: FoundFeatureRoute,
  request: AuthRequest,
  { origin, pathPrefix }: Pick<Config, 'origin' | 'pathPrefix'>
): string | null {
  if (movedTo === null || request.isMoved || !acceptsPage(request)) return null
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : []
  )
  const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`
  return `${origin}${pathPrefix}${fillPath(movedTo, params)}${search}`
}

async function runRoute(found: FoundFeatureRoute, request: AuthRequest, config: Config): Promise<ActionResult> {
  const { route, feature, params } = found
  const { access = 'user', csrf = 'required', answers = 'html', impersonation = 'refused', limit } = route
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const moved = isWrite ? null : getMovedUrl(found, request, config)
  if (moved !== null) return redirect(moved)
  if (isWrite && csrf === 'required' && !(await isOwnForm(request, config))) {
    reportForgedForm(toRefused(found, request), config.features.onRefusal)
    logRefusedForm(request, config)
    return expectsJson(request, answers)
      ? json({ error: 'CsrfTokenInvalid' }, new Map(), 400)
      : redirect(`${config.base}/signin?csrf=true`)
  }
  if (limit) await consumeClientLimit(`${feature.id} ${route.method} ${route.path}`, limit, request, config)
  const allowsImpersonation = impersonation === 'allowed'
  const findKnownDevice = (userId: string) => findDeviceByUser(userId, request.cookies, config)
  const deps = { ...config.featureRequestDeps, allowsImpersonation, findKnownDevice }
  const featureRequest = createFeatureRequest(request, params, feature, deps)
  const user = access === 'user' ? await featureRequest.getUser() : null
  if (!allowsImpersonation) refuseActor(user, `features.${feature.id}: ${route.method} ${route.path}`)
  if (access === 'user' && !user)
    return expectsJson(request, answers)
      ? json({ error: 'SessionRequired' }, new Map(), 401)
      : redirect(
          `${config.base}/signin?${new URLSearchParams({ error: 'SessionRequired', ...(isWrite ? {} : { callbackUrl: config.base + request.path }) })}`
        )
  const { getSessionCookies } = featureRequest
  try {
    const isMail = isWrite && route.mailTo !== undefined
    const result = isMail ? await runLimited(route, featureRequest, config) : await route.run(featureRequest)
    const returned = isWrite || !route.isReturnPage ? noCookies : clearReturnUrl(request, config)
    return { ...result, cookies: joinCookies(result.cookies, returned, getSessionCookies()) }
  } catch (error) {
    throw toAuthError(error)
      .withUser(user?.userId ?? null)
      .withCookies(getSessionCookies())
  }
}

/**
 * Forgets the callback URL of a sign-in that has returned to the page. Later sign-ins must not lead to a link that was used, and the
 * cookie must not keep the token of the link.
 */
function clearReturnUrl(
  { path, cookies }: AuthRequest,
  { base, redirects }: Pick<Config, 'base' | 'redirects'>
): SetCookies {
  const { name, options } = redirects.cookie
  const callbackUrl = cookies.get(name) ?? ''
  if (!URL.canParse(callbackUrl)) return noCookies
  const { origin, pathname } = new URL(callbackUrl)
  return origin + pathname === base + path ? clearCookie(name, options) : noCookies
}

/** Limits the mails of a route. */
async function runLimited(route: FeatureRoute, request: FeatureRequest, config: Config): Promise<ActionResult> {
  const address = getRateLimitAddress(getText(request.body, route.mailTo ?? '') ?? '')
  const limits = mailLimits(address, request, config)
  await limits.consume()
  const result = await route.run(request)
  if (result.status >= 400) await limits.refund()
  return result
}

/** The page of an interruption. */
async function verify(request: AuthRequest, config: Config): Promise<ActionResult | null> {
  const [, action, id, ...rest] = request.path.split('/')
  if (action !== 'verify' || id === undefined || rest.length > 0) return null
  // HEAD must not complete a sign-in.
  if (request.method === 'HEAD') return text('', 200)
  const isGet = request.method === 'GET'
  const { cancelSignIn, verifyInterruption } = await loadLazyActions()
  const isCanceled = id === cancelId && !isGet
  const registered = config.features.interruptions.find(({ interruption }) => interruption.id === id)
  if (!(registered || isCanceled) || !(isGet || request.method === 'POST')) return null
  if (!isGet && !(await isOwnForm(request, config))) {
    reportForgedForm(toRefused(null, request), config.features.onRefusal)
    logRefusedForm(request, config)
    return redirect(`${config.base}/verify${registered ? `/${id}` : ''}?csrf=true`)
  }
  if (!registered) return cancelSignIn(request, config)
  if (!isGet) config.expiredRowCleanup?.begin()
  return verifyInterruption(request, registered, config)
}

/** What a session may not do, or that it has ended: it is the same response whenever it is found out. */
const refusedAsJson: ReadonlySet<string> = new Set(['ImpersonationForbidden', 'SessionRequired'])

/** Converts what a feature threw: a refusal, or a failure of its code. */
function toAuthError(error: unknown): AuthError {
  if (error instanceof SignInError)
    return thrownError(error, signInErrorsOnly, { fallback: 'AccessDenied', callee: 'a feature' })
  return error instanceof AuthError ? error : new AuthError('Configuration', 'a feature failed', { cause: error })
}

/**
 * Handles a request to a route of a feature, or to an interruption. Never rejects.
 *
 * @returns `null` if there is no such route.
 */
export async function handleFeature(request: AuthRequest, config: Config): Promise<ActionResult | null> {
  const found = findFeatureRoute(config.features, request.method, request.path)
  try {
    return found ? await runRoute(found, request, config) : await verify(request, config)
  } catch (error) {
    const thrown = toAuthError(error)
    reportRefusal(thrown, toRefused(found, request), config.features.onRefusal)
    const isRefused = refusedAsJson.has(thrown.code) && expectsJson(request, 'html')
    const isJson = found?.route.answers === 'json' || isRefused
    return isJson ? jsonErrorResponse(thrown, request, config) : errorResponse(thrown, request, config)
  }
}
