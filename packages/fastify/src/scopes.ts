import type { Server } from 'node:http'
import { ConfigError, cookiesOverlap, type Postern, type ProblemCode } from '@postern/core'
import type { FastifyInstance } from 'fastify'

/** The scopes of each server that have registered the plugin. */
const registered = new WeakMap<object, FastifyInstance[]>()

function refuse(option: string, code: ProblemCode, message: string): never {
  throw new ConfigError([{ option, code, message }])
}

/**
 * Records that a scope registers the plugin.
 *
 * @throws ConfigError if a parent or child scope has registered it: each request would have two sessions.
 */
export function registerScope(app: FastifyInstance): void {
  const server: Server | object = app.server
  const others = registered.get(server) ?? []
  const isInside = (inner: object, outer: object): boolean => Object.prototype.isPrototypeOf.call(outer, inner)
  const clash = others.some((other) => other === app || isInside(app, other) || isInside(other, app))
  if (clash)
    refuse(
      'register',
      'ALREADY_REGISTERED',
      'Postern is already registered in this scope, a parent scope or a child scope; register it once, or in sibling scopes'
    )
  registered.set(server, [...others, app])
}

/** The registrations of each server. */
const registrations = new WeakMap<object, Pick<Postern, 'application' | 'basePath'>[]>()

/**
 * Records the session cookies of a registration.
 *
 * @throws ConfigError if they would replace or hide those of another application on the same server.
 */
export function registerCookies({ server }: FastifyInstance, auth: Postern): void {
  const known = registrations.get(server) ?? []
  const { id, sessionCookies } = auth.application
  const others = known.filter(({ application }) => application.id !== id)
  for (const { application, basePath } of others) {
    const clash = sessionCookies.find((cookie) => application.sessionCookies.some((one) => cookiesOverlap(one, cookie)))
    if (clash)
      refuse(
        'cookies.sessionToken',
        'COOKIE_NAME_DUPLICATE',
        `the registration at ${basePath} uses the cookie ${clash.name} for the same paths; give one of them another ` +
          'cookies.sessionToken.name or options.path, or set the same applicationId if they are one application'
      )
  }
  registrations.set(server, [...known, auth])
}

/** @throws ConfigError if the plugin's own options contain a `prefix`, which would move the routes unexpectedly. */
export function refusePrefix(options: object): void {
  if (!('prefix' in options) || options.prefix === undefined) return
  const message = 'unknown option; use basePath, or register the plugin inside a scope that has the prefix'
  refuse('prefix', 'UNSUPPORTED_OPTION', message)
}
