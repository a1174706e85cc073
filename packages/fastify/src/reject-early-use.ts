import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { isObject } from './is-object.ts'
import { NotRegisteredError } from './registration.ts'

const decorator = 'requireSession'

const message =
  'app.requireSession: Postern is not registered in this scope yet. Add await before app.register(postern, …) and use ' +
  'the guard in the same scope, or import { requireSession }, which @postern/fastify exports'

/** The prototypes that {@link rejectEarlyUse} has put below instances. */
const traps = new WeakSet<object>()

/** A prototype that throws if the missing decorator is read. `in` and `hasDecorator` still report it as missing. */
function createTrap(prototype: object | null): object {
  const trap = new Proxy<object>(Object.create(prototype), {
    get: (target, key, receiver) => {
      if (key === decorator && !(key in target)) throw new NotRegisteredError(message)
      return Reflect.get(target, key, receiver)
    }
  })
  traps.add(trap)
  return trap
}

/**
 * Makes `app.requireSession` throw in every scope that does not have it. Fastify accepts `{ onRequest: undefined }`, so
 * `undefined` would make the route public. Scopes that define the decorator, of Postern or their own, are not affected.
 */
export function rejectEarlyUse(app: object): void {
  let root = app
  let prototype: object | null = Object.getPrototypeOf(root)
  // Scopes are the prototypes of the scopes inside them: the trap belongs below the outermost.
  while (prototype !== null && prototype !== Object.prototype) {
    if (traps.has(prototype)) return
    root = prototype
    prototype = Object.getPrototypeOf(root)
  }
  Object.setPrototypeOf(root, createTrap(prototype))
}

function isInitialization(message: unknown): message is { readonly fastify: FastifyInstance } {
  return isObject(message) && isObject(message['fastify'])
}

// Fastify publishes each instance before the application can add a route to it.
subscribe('fastify.initialization', (message) => {
  if (isInitialization(message)) rejectEarlyUse(message.fastify)
})
