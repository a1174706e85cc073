import { ConfigError } from '@postern/core'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/** The route hooks that run after the handler, or cannot stop it. */
const lateHooks = ['preSerialization', 'onSend', 'onResponse', 'onError', 'onTimeout', 'onRequestAbort'] as const

const guards = new WeakSet<object>()

/** The requests that a guard has rejected. */
const refused = new WeakSet<object>()

const message =
  'expected a hook that runs before the handler; use the guard as onRequest or preHandler, because in the hooks after ' +
  'the handler it has no effect'

function lateError(hook: string): ConfigError {
  return new ConfigError([{ option: 'requireSession', code: 'GUARD_MISUSED', message: `${message} (got ${hook})` }])
}

/** Marks a function as a guard, for {@link checkRouteHooks}. */
export function markGuard(guard: object): void {
  guards.add(guard)
}

/** Marks the request as rejected by a guard. */
export function markRefused(request: FastifyRequest): void {
  refused.add(request)
}

/** @throws ConfigError if the route uses a guard in a hook that runs after the handler. */
export function checkRouteHooks(route: RouteOptions): void {
  for (const hook of lateHooks) {
    const given: unknown = route[hook]
    const hooks: readonly unknown[] = Array.isArray(given) ? given : [given]
    if (hooks.some((one) => typeof one === 'function' && guards.has(one))) throw lateError(hook)
  }
}

/**
 * Checks that the handler has not run yet.
 *
 * @param rest - Fastify's arguments after the reply: before the handler only `done`, or the body of the request.
 * @throws ConfigError if the guard runs after the handler, or again while its own rejection is sent.
 */
export function checkPhase(request: FastifyRequest, reply: FastifyReply, rest: readonly unknown[]): void {
  // Fastify passes a payload or an error to the hooks after the handler.
  const hasPayload = rest.length > 1 && rest[0] !== request.raw
  if (hasPayload || reply.sent || reply.raw?.headersSent || refused.has(request))
    throw lateError('a hook after the handler')
}
