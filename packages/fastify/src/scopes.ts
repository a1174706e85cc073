import type { Server } from 'node:http'
import { ConfigError } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** The scopes of each server that have the plugin already. */
const registered = new WeakMap<object, FastifyInstance[]>()

function refuse(option: string, message: string): never {
  throw new ConfigError([{ option, message }])
}

/**
 * Notes that a scope gets the plugin.
 *
 * @throws ConfigError a scope around it or inside it has it already: a request would have two of everything.
 */
export function claimScope(app: FastifyInstance): void {
  const server: Server | object = app.server
  const others = registered.get(server) ?? []
  const isInside = (inner: object, outer: object): boolean => Object.prototype.isPrototypeOf.call(outer, inner)
  const clash = others.some((other) => other === app || isInside(app, other) || isInside(other, app))
  if (clash)
    refuse(
      'register',
      'Postern is registered in this scope, around it or inside it; register it once, or in scopes beside each other'
    )
  registered.set(server, [...others, app])
}

/** @throws ConfigError a `prefix` in the plugin's own options: the routes would be where nobody looks for them. */
export function refusePrefix(options: object): void {
  if (!('prefix' in options) || options.prefix === undefined) return
  refuse('prefix', 'there is no such option; use basePath, or register the plugin inside a scope that has the prefix')
}
