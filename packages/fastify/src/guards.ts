import type { Postern, SessionResult } from '@postern/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkPhase, markGuard, markRefused } from './guard-hooks.ts'
import { checkGuardOptions, checkHookCall } from './guard-options.ts'
import { NotRegisteredError, type Registration, registration } from './registration.ts'
import { refuse, send } from './reply.ts'
import { getOrigin, toPageRequest } from './request.ts'
import type { Guard, GuardOptions, RequireSession } from './types.ts'

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The page to return to: a request that the browser can repeat, otherwise the page of the application with the form. */
function getCallbackUrl({ method, url, headers }: FastifyRequest, origin: string): string | null {
  if (method === 'GET' || method === 'HEAD') return origin + url
  const { referer } = headers
  return referer !== undefined && URL.canParse(referer) && new URL(referer).origin === origin ? referer : null
}

/** The response to a client that does not accept HTML. */
interface Refusal {
  readonly code: 'SESSION_REQUIRED' | 'INSUFFICIENT_USER_AUTHENTICATION'
  readonly message: string
}

const noSession: Refusal = { code: 'SESSION_REQUIRED', message: 'Sign in to go on' }
/** The code of RFC 9470 §3. */
const staleSession: Refusal = { code: 'INSUFFICIENT_USER_AUTHENTICATION', message: 'Sign in again to go on' }

/** Redirects a browser to the sign-in page and back; other clients get 401. */
function askToSignIn(
  auth: Postern,
  request: FastifyRequest,
  reply: FastifyReply,
  { code, message }: Refusal
): FastifyReply {
  markRefused(request)
  const config = auth.configFor(getOrigin(request))
  if (!config || !acceptsHtml(request)) return refuse(reply, 401, code, message)
  const callbackUrl = getCallbackUrl(request, config.origin)
  // The text of `SessionRequired` says that the user will return to the page.
  const query = callbackUrl === null ? '' : `?${new URLSearchParams({ callbackUrl, error: 'SessionRequired' })}`
  return reply.header('cache-control', 'private, no-store').redirect(`${config.base}/signin${query}`, 302)
}

async function deny({ auth, logs }: Registration, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  markRefused(request)
  if (!acceptsHtml(request)) return refuse(reply, 403, 'ACCESS_DENIED', 'You do not have permission for this')
  const authRequest = toPageRequest(request, '/error', { error: 'AccessDenied' })
  logs.set(authRequest.id, request.log)
  try {
    return send(reply, await auth.respond(authRequest))
  } finally {
    logs.delete(authRequest.id)
  }
}

function isFresh({ principal }: SessionResult, freshWithin: number | undefined, now: number): boolean {
  if (freshWithin === undefined) return true
  return principal?.authenticatedAt ? now - principal.authenticatedAt.getTime() <= freshWithin * 1000 : false
}

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
  const { auth, sessions, now } = registered
  const { authorized, freshWithin } = options
  const reading = await sessions.read(request, reply)
  const { session } = reading
  if (!session) return askToSignIn(auth, request, reply, noSession)
  if (!isFresh(reading, freshWithin, now())) return askToSignIn(auth, request, reply, staleSession)
  if (authorized && (await authorized({ session, request })) !== true) return deny(registered, request, reply)
  return undefined
}

function createGuard({ authorized, freshWithin }: GuardOptions): Guard {
  // The options are copied, so later changes have no effect.
  const options: GuardOptions = { ...(authorized ? { authorized } : {}), ...(freshWithin ? { freshWithin } : {}) }
  // Not async, so that a call at registration throws instead of returning an unhandled rejection.
  const guard = function requireSession(
    request: FastifyRequest,
    reply: FastifyReply,
    ...rest: readonly unknown[]
  ): Promise<unknown> {
    checkHookCall(request, reply)
    checkPhase(request, reply, rest)
    return check(options, request, reply)
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
