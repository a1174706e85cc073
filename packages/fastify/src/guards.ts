import type { Postern, SessionResult } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkPhase, markGuard, markRefused } from './guard-hooks.ts'
import { checkGuardOptions, checkHookCall } from './guard-options.ts'
import { getProxiedUrl, repeatCookies } from './proxied-request.ts'
import { AuthenticationNotStoredError, NotRegisteredError, type Registration, registration } from './registration.ts'
import { refuse, send } from './reply.ts'
import { getOrigin, toPageRequest } from './request.ts'
import type { Guard, GuardOptions, RequireSession } from './types.ts'

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The page to return to: a request that the browser can repeat, otherwise the page of the application with the form. */
function getCallbackUrl(
  { method, url, headers }: FastifyRequest,
  { origin, pathPrefix }: { readonly origin: string; readonly pathPrefix: string }
): string | null {
  if (method === 'GET' || method === 'HEAD') return origin + pathPrefix + url
  const { referer } = headers
  return referer !== undefined && URL.canParse(referer) && new URL(referer).origin === origin ? referer : null
}

/** Redirects a browser to the sign-in page and back; other clients get 401. */
function askToSignIn(auth: Postern, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  markRefused(request)
  const config = auth.configFor(getOrigin(request))
  if (!config || !acceptsHtml(request))
    return refuse(reply, 401, { code: 'SESSION_REQUIRED', message: 'Sign in to go on' })
  const callbackUrl = getCallbackUrl(request, config)
  // The text of `SessionRequired` says that the user will return to the page.
  const query = callbackUrl === null ? '' : `?${new URLSearchParams({ callbackUrl, error: 'SessionRequired' })}`
  return reply.header('cache-control', 'private, no-store').redirect(`${config.base}/signin${query}`, 302)
}

async function deny(
  { auth, logs }: Registration,
  { forProxy }: GuardOptions,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  markRefused(request)
  if (forProxy || !acceptsHtml(request))
    return refuse(reply, 403, { code: 'ACCESS_DENIED', message: 'You do not have permission for this' })
  const config = auth.configFor(getOrigin(request))
  const callbackUrl = config && getCallbackUrl(request, config)
  const query = { error: 'PermissionRequired', ...(callbackUrl === null ? {} : { callbackUrl }) }
  const authRequest = toPageRequest(request, '/error', query)
  logs.set(authRequest.id, request.log)
  try {
    return send(reply, await auth.respond(authRequest))
  } finally {
    logs.delete(authRequest.id)
  }
}

/** What a guard requires, as parameters of an authorization request and of a challenge. */
function toParameters({ freshWithin, amr, acr }: GuardOptions): Readonly<Record<string, string>> {
  return {
    ...(freshWithin === undefined ? {} : { max_age: String(freshWithin) }),
    ...(acr ? { acr_values: acr.join(' ') } : {}),
    ...(amr ? { amr: amr.join(' ') } : {})
  }
}

/** The challenge of RFC 9470 §3. It has no parameter for `amr`. */
function toChallenge(options: GuardOptions): string {
  const { amr: _, ...parameters } = toParameters(options)
  const texts = Object.entries(parameters).map(([name, value]) => `, ${name}="${value}"`)
  return `Bearer error="insufficient_user_authentication", error_description="Authenticate again"${texts.join('')}`
}

/** Sends a browser to authenticate again, and back; other clients get a challenge. */
function askToAuthenticate(
  auth: Postern,
  options: GuardOptions,
  request: FastifyRequest,
  reply: FastifyReply
): FastifyReply {
  markRefused(request)
  const config = auth.configFor(getOrigin(request))
  const parameters = toParameters(options)
  if (!config || !acceptsHtml(request)) {
    const url = config ? `${config.base}/verify?${new URLSearchParams(parameters)}` : undefined
    reply.header('www-authenticate', toChallenge(options))
    const message = 'Authenticate again to go on'
    return refuse(reply, 401, { code: 'INSUFFICIENT_USER_AUTHENTICATION', message, url })
  }
  const callbackUrl = getCallbackUrl(request, config)
  const isRepeatable = request.method === 'GET' || request.method === 'HEAD'
  const query = new URLSearchParams({
    ...parameters,
    ...(callbackUrl === null ? {} : { callbackUrl }),
    ...(isRepeatable ? {} : { repeat: 'true' })
  })
  // After a POST, the browser must send a GET.
  return reply.header('cache-control', 'private, no-store').redirect(`${config.base}/verify?${query}`, 303)
}

/** Answers a proxy that asks for another application: it follows no redirect, so the page to sign in is in a header. */
function refuseProxied(
  auth: Postern,
  options: GuardOptions | null,
  request: FastifyRequest,
  reply: FastifyReply
): FastifyReply {
  markRefused(request)
  const config = auth.configFor(getOrigin(request))
  const callbackUrl = config && getProxiedUrl(request, config.origin)
  const query = new URLSearchParams({
    ...(options ? toParameters(options) : {}),
    ...(callbackUrl === null ? {} : { callbackUrl, ...(options ? {} : { error: 'SessionRequired' }) })
  })
  if (config) reply.header('x-sign-in-url', `${config.base}/${options ? 'verify' : 'signin'}?${query}`)
  if (!options) return refuse(reply, 401, { code: 'SESSION_REQUIRED', message: 'Sign in to go on' })
  reply.header('www-authenticate', toChallenge(options))
  return refuse(reply, 401, { code: 'INSUFFICIENT_USER_AUTHENTICATION', message: 'Authenticate again to go on' })
}

function isFresh({ principal }: SessionResult, freshWithin: number | undefined, now: number): boolean {
  if (freshWithin === undefined) return true
  return principal?.authenticatedAt ? now - principal.authenticatedAt.getTime() <= freshWithin * 1000 : false
}

/** Whether a guard requires more than a session. */
const isDemanding = ({ freshWithin, amr, acr }: GuardOptions): boolean =>
  freshWithin !== undefined || amr !== undefined || acr !== undefined

/** Whether the session was authenticated as a guard requires. */
async function isSufficient(
  { freshWithin, amr, acr }: GuardOptions,
  reading: SessionResult,
  { auth, now }: Pick<Registration, 'auth' | 'now'>
): Promise<boolean> {
  if (!isFresh(reading, freshWithin, now())) return false
  if (!amr && !acr) return true
  if (!auth.storesAuthentication) throw new AuthenticationNotStoredError(notStored)
  const authentication = await reading.getAuthentication()
  const hasMethods = (amr ?? []).every((value) => authentication?.amr.includes(value))
  return hasMethods && (acr === undefined || acr.includes(authentication?.provider?.acr ?? ''))
}

const notStored =
  'requireSession: amr and acr need an adapter with putSessionRecord and getSessionRecords, or JWT sessions: with this ' +
  'adapter, nobody could pass'

const missing =
  'requireSession: Postern is not registered in the scope of this route. Register it in the same scope or in a parent ' +
  'scope: await app.register(postern, { … })'

/**
 * Checks the session of a request with the registration of the route's scope, so that one guard works in every scope.
 *
 * @throws NotRegisteredError if the scope has no registration.
 */
async function check(options: GuardOptions, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const registered = request.server[registration]
  if (!registered) throw new NotRegisteredError(missing)
  // A hook of the whole application also runs for the sign-in routes, which must stay reachable.
  if (registered.hasOwnRoutes) return undefined
  const { auth, sessions } = registered
  const { authorized, forProxy = false } = options
  const reading = await sessions.read(request, reply)
  const { session } = reading
  if (forProxy) repeatCookies(reply)
  if (!session) return forProxy ? refuseProxied(auth, null, request, reply) : askToSignIn(auth, request, reply)
  if (isDemanding(options) && !(await isSufficient(options, reading, registered)))
    return (forProxy ? refuseProxied : askToAuthenticate)(auth, options, request, reply)
  if (authorized && (await authorized({ session, request })) !== true) return deny(registered, options, request, reply)
  return undefined
}

const passed: Promise<undefined> = Promise.resolve(undefined)

/** Whether there is a session, which can be read without waiting. */
function hasSession(request: FastifyRequest, reply: FastifyReply): boolean {
  const registered = request.server[registration]
  if (!registered || registered.hasOwnRoutes) return false
  return Boolean(registered.sessions.readNow(request, reply)?.session)
}

function createGuard({ authorized, freshWithin, amr, acr, forProxy }: GuardOptions): Guard {
  // The options are copied, so later changes have no effect.
  const options: GuardOptions = {
    ...(authorized ? { authorized } : {}),
    ...(freshWithin ? { freshWithin } : {}),
    ...(amr ? { amr: [...amr] } : {}),
    ...(acr ? { acr: [...acr] } : {}),
    ...(forProxy ? { forProxy } : {})
  }
  const isSessionEnough = !authorized && !forProxy && !isDemanding(options)
  // Not async, so that a call at registration throws instead of returning an unhandled rejection.
  const guard = function requireSession(
    request: FastifyRequest,
    reply: FastifyReply,
    ...rest: readonly unknown[]
  ): Promise<unknown> {
    checkHookCall(request, reply)
    checkPhase(request, reply, rest)
    return isSessionEnough && hasSession(request, reply) ? passed : check(options, request, reply)
  }
  markGuard(guard)
  return guard
}

/**
 * A hook that accepts requests with a session. It looks up the registration of the route's scope on each request, so it
 * can be used before Postern is registered. In a scope without Postern, requests fail with 500 and `code:
 * 'POSTERN_NOT_REGISTERED'`.
 */
export const requireSession: RequireSession = Object.assign(createGuard({}), {
  with: (options: GuardOptions) => {
    checkGuardOptions(options)
    return createGuard(options)
  }
})
