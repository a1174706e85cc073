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

/** Only a request that the browser can repeat is used as the callback URL. */
function isRepeatable({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Redirects a browser to the sign-in page and back; other clients get 401. */
function askToSignIn(auth: Postern, request: FastifyRequest, reply: FastifyReply, message: string): FastifyReply {
  markRefused(request)
  const config = auth.configFor(getOrigin(request))
  if (!config || !acceptsHtml(request)) return refuse(reply, 401, 'SESSION_REQUIRED', message)
  const target = isRepeatable(request) ? { callbackUrl: config.origin + request.url } : {}
  const parameters = new URLSearchParams({ ...target, error: 'SessionRequired' })
  return reply.header('cache-control', 'private, no-store').redirect(`${config.base}/signin?${parameters}`, 302)
}

async function deny({ auth, logs }: Registration, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  markRefused(request)
  if (!acceptsHtml(request)) return refuse(reply, 403, 'ACCESS_DENIED', 'You do not have permission for this')
  const authRequest = toPageRequest(request, '/error', { error: 'AccessDenied' })
  logs.set(authRequest.id, request.log)
  try {
    return send(reply, await auth.answer(authRequest))
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
  if (!session) return askToSignIn(auth, request, reply, 'Sign in to go on')
  if (!isFresh(reading, freshWithin, now())) return askToSignIn(auth, request, reply, 'Sign in again to go on')
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
