import { ConfigError } from '@postern/core'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { isObject } from './is-object.ts'

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

/** Makes `addHook` refuse guards in late hooks, in this scope and its later child scopes. */
export function refuseLateGuards(app: FastifyInstance): void {
  const { addHook } = app
  const value = function (this: FastifyInstance, ...given: readonly [name: string, hook: unknown]): unknown {
    const [name, hook] = given
    const late = lateHooks.find((one) => one === name)
    if (late && typeof hook === 'function' && guards.has(hook)) throw lateError(late)
    return Reflect.apply(addHook, this, given)
  }
  Object.defineProperty(app, 'addHook', { value, configurable: true, enumerable: true, writable: true })
}

/** Fastify's own state of a scope, by the description of its symbol. */
function readState(scope: object, description: string): unknown {
  const symbol = Object.getOwnPropertySymbols(scope).find((one) => one.description === description)
  return symbol === undefined ? undefined : Reflect.get(scope, symbol)
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function checkScope(scope: object): void {
  const hooks = readState(scope, 'fastify.hooks')
  // A version of Fastify that keeps them elsewhere: the hooks that are added later are still checked.
  for (const hook of isObject(hooks) ? lateHooks : []) {
    const isLate = toList(isObject(hooks) ? hooks[hook] : null).some(
      (one) => typeof one === 'function' && guards.has(one)
    )
    if (isLate) throw lateError(hook)
  }
  for (const child of toList(readState(scope, 'fastify.children'))) if (isObject(child)) checkScope(child)
}

/**
 * Checks the hooks of every scope of the server: those that were added before Postern was registered, or in a sibling.
 *
 * @throws ConfigError if one of them is a guard and runs after the handler.
 */
export function checkScopeHooks(app: FastifyInstance): void {
  let root: object = app
  // A scope inherits from its parent scope.
  for (let scope: object | null = app; scope !== null; scope = Object.getPrototypeOf(scope))
    if (readState(scope, 'fastify.hooks') !== undefined) root = scope
  checkScope(root)
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
