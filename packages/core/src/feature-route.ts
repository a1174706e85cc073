import { loadLazyActions } from './actions/load-lazy-actions.ts'
import type { Config } from './config/config.ts'
import { readChunked } from './cookies/chunks.ts'
import { clearCookie, joinCookies, noCookies } from './cookies/set-cookies.ts'
import { AuthError, SignInError } from './errors/auth-error.ts'
import type { FeatureRequest, FeatureRoute } from './features/feature.ts'
import { cancelId } from './features/interrupted-sign-ins.ts'
import { fillPath } from './features/moved-pages.ts'
import type { RefusedRequest } from './features/refusal.ts'
import type { RegisteredInterruption } from './features/registered-feature.ts'
import { type FoundFeatureRoute, findFeatureRoute } from './features/registry.ts'
import { signInErrorsOnly, thrownError } from './hooks/authorize-sign-in.ts'
import { type ActionResult, json, redirect, text } from './http/action-result.ts'
import { getText } from './http/body.ts'
import { type AuthRequest, acceptsPage } from './http/request.ts'
import type { MatchedRoute } from './matched-route.ts'
import type { SetCookies } from './model/cookie.ts'
import { createImpersonationError } from './sessions/impersonation.ts'
import { createFeatureRequest } from './sign-in-methods/feature-request.ts'
import { getRateLimitAddress } from './sign-in-methods/rate-limit-identifier.ts'
import { consumeClientLimit, mailLimits } from './sign-in-methods/rate-limits.ts'

/** A client that cannot be sent to a page: it asked for JSON, or does not accept HTML. */
function expectsJson(request: AuthRequest, answers: 'html' | 'json'): boolean {
  return answers === 'json' || !acceptsPage(request)
}

/** @returns Where a browser finds a page that the application has moved; `null` if it is here. */
function getMovedUrl(
  { movedTo, params }: FoundFeatureRoute,
  request: AuthRequest,
  { origin, pathPrefix }: Config
): string | null {
  if (movedTo === null || request.isMoved || !acceptsPage(request)) return null
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : []
  )
  const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`
  return `${origin}${pathPrefix}${fillPath(movedTo, params)}${search}`
}

/**
 * Forgets the callback URL of a sign-in that has returned to the page. Later sign-ins must not lead to a link that was used, and the
 * cookie must not keep the token of the link.
 */
function clearReturnUrl({ path, cookies }: AuthRequest, { base, redirects }: Config): SetCookies {
  const { name, options } = redirects.settings.cookie
  const callbackUrl = cookies.get(name) ?? ''
  if (!URL.canParse(callbackUrl)) return noCookies
  const { origin, pathname } = new URL(callbackUrl)
  return origin + pathname === base + path ? clearCookie(name, options) : noCookies
}

/**
 * Finds the page of a form. The first of two clicks may give the session a new token: there, the second one finds what the first one has
 * done.
 */
function findFormPage({ path, cookies }: AuthRequest, { cookies: names, features }: Config): string | null {
  if (readChunked(cookies, names.sessionToken.name).length === 0) return null
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const { access = 'user', answers = 'html' } = findFeatureRoute(features, 'GET', at)?.route ?? { access: 'anyone' }
    if (access === 'user' && answers === 'html') return at
  }
  return null
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

/** What a session may not do, or that it has ended: it is the same response whenever it is found out. */
const refusedAsJson: ReadonlySet<string> = new Set(['ImpersonationForbidden', 'SessionRequired'])

/** Converts what a feature threw: a refusal, or a failure of its code. */
function toAuthError(error: unknown): AuthError {
  if (error instanceof SignInError)
    return thrownError(error, signInErrorsOnly, { fallback: 'AccessDenied', callee: 'a feature' })
  return error instanceof AuthError ? error : new AuthError('Configuration', 'a feature failed', { cause: error })
}

/** What the routes of features and the pages of interruptions share. */
abstract class AddedRoute implements MatchedRoute {
  protected readonly request: AuthRequest
  protected readonly config: Config
  protected readonly isWrite: boolean
  readonly storesCallbackUrl = false

  constructor(request: AuthRequest, config: Config) {
    this.request = request
    this.config = config
    this.isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  }

  abstract readonly needsOwnForm: boolean
  abstract refuseForm(): ActionResult
  abstract run(): Promise<ActionResult>
  abstract describeRefused(): RefusedRequest

  toError(thrown: unknown): AuthError {
    return toAuthError(thrown)
  }

  sendsJsonError(error: unknown): boolean {
    return error instanceof AuthError && refusedAsJson.has(error.code) && expectsJson(this.request, 'html')
  }
}

class MatchedFeatureRoute extends AddedRoute {
  readonly #found: FoundFeatureRoute

  constructor(found: FoundFeatureRoute, request: AuthRequest, config: Config) {
    super(request, config)
    this.#found = found
  }

  get needsOwnForm(): boolean {
    return this.isWrite && this.#found.route.csrf !== 'none'
  }

  refuseForm(): ActionResult {
    return expectsJson(this.request, this.#found.route.answers ?? 'html')
      ? json({ error: 'CsrfTokenInvalid' }, new Map(), 400)
      : redirect(`${this.config.base}/signin?csrf=true`)
  }

  override sendsJsonError(error: unknown): boolean {
    return this.#found.route.answers === 'json' || super.sendsJsonError(error)
  }

  describeRefused(): RefusedRequest {
    return { kind: 'request', route: this.#found.route.path, provider: null, request: this.request }
  }

  async run(): Promise<ActionResult> {
    const { route, feature, params } = this.#found
    const { request, config, isWrite } = this
    const { access = 'user', impersonation = 'refused', limit } = route
    const moved = isWrite ? null : getMovedUrl(this.#found, request, config)
    if (moved !== null) return redirect(moved)
    if (limit) await consumeClientLimit(`${feature.id} ${route.method} ${route.path}`, limit, request, config)
    const allowsImpersonation = impersonation === 'allowed'
    const featureRequest = createFeatureRequest(request, feature, config, { params, allowsImpersonation })
    const user = access === 'user' ? await featureRequest.getUser() : null
    if (user?.actor && !allowsImpersonation)
      throw createImpersonationError(`features.${feature.id}: ${route.method} ${route.path}`)
    if (access === 'user' && !user) return this.#requireSession()
    const { getSessionCookies } = featureRequest
    try {
      const isMail = isWrite && route.mailTo !== undefined
      const result = isMail ? await runLimited(route, featureRequest, config) : await route.run(featureRequest)
      const returned = isWrite || !route.isReturnPage ? noCookies : clearReturnUrl(request, config)
      return { ...result, cookies: joinCookies(result.cookies, returned, getSessionCookies()) }
    } catch (error) {
      const isEnded = isWrite && user !== null && error instanceof AuthError && error.code === 'SessionRequired'
      if (isEnded) return this.#requireSession()
      throw toAuthError(error)
        .withUser(user?.userId ?? null)
        .withCookies(getSessionCookies())
    }
  }

  #requireSession(): ActionResult {
    const { base } = this.config
    const error = 'SessionRequired'
    if (expectsJson(this.request, this.#found.route.answers ?? 'html')) return json({ error }, new Map(), 401)
    const page = this.isWrite ? findFormPage(this.request, this.config) : null
    if (page !== null) return redirect(base + page)
    const query = this.isWrite ? { error } : { error, callbackUrl: base + this.request.path }
    return redirect(`${base}/signin?${new URLSearchParams(query)}`)
  }
}

/** The page of an interruption. */
class InterruptionRoute extends AddedRoute {
  /** `null`: the form that cancels the sign-in. */
  readonly #interruption: RegisteredInterruption | null

  constructor(interruption: RegisteredInterruption | null, request: AuthRequest, config: Config) {
    super(request, config)
    this.#interruption = interruption
  }

  get needsOwnForm(): boolean {
    return this.isWrite
  }

  refuseForm(): ActionResult {
    const id = this.#interruption?.interruption.id
    return redirect(`${this.config.base}/verify${id === undefined ? '' : `/${id}`}?csrf=true`)
  }

  async run(): Promise<ActionResult> {
    // HEAD must not complete a sign-in.
    if (this.request.method === 'HEAD') return text('', 200)
    const { cancelSignIn, verifyInterruption } = await loadLazyActions()
    if (!this.#interruption) return cancelSignIn(this.request, this.config)
    if (this.isWrite) this.config.expiredRowCleanup?.begin()
    return verifyInterruption(this.request, this.#interruption, this.config)
  }

  describeRefused(): RefusedRequest {
    return { kind: 'verification', route: '/verify/:id', provider: null, request: this.request }
  }
}

function matchInterruption(request: AuthRequest, config: Config): MatchedRoute | null {
  const { method } = request
  const [, action, id, ...rest] = request.path.split('/')
  if (action !== 'verify' || id === undefined || rest.length > 0) return null
  if (method !== 'GET' && method !== 'POST' && method !== 'HEAD') return null
  const registered = config.features.interruptions.find(({ interruption }) => interruption.id === id) ?? null
  const isCanceled = id === cancelId && method === 'POST'
  return registered || isCanceled || method === 'HEAD' ? new InterruptionRoute(registered, request, config) : null
}

/** @returns The route of a feature, or the page of an interruption, for a request; `null` if there is none. */
export function matchFeatureRoute(request: AuthRequest, config: Config): MatchedRoute | null {
  const found = findFeatureRoute(config.features, request.method, request.path)
  return found ? new MatchedFeatureRoute(found, request, config) : matchInterruption(request, config)
}
