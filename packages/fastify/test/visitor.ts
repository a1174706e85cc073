import type { Browser, Clock } from '@postern/testkit'
import { createBrowser } from '@postern/testkit'
import type { FastifyInstance } from 'fastify'
import { anyOf } from './cluster/instances.ts'
import { origin } from './start.ts'

/** A browser whose connection comes from this address. */
export function browserAt(app: FastifyInstance, clock: Clock, remoteAddress: string): Browser {
  return createBrowser({
    origin,
    clock,
    send: async ({ method, url, headers, body }) => {
      const payload = body === undefined ? {} : { payload: body }
      const result = await anyOf(app, url).inject({ method, url, headers: { ...headers }, remoteAddress, ...payload })
      const texts = Object.entries(result.headers).map(([name, value]) => [
        name,
        typeof value === 'number' ? String(value) : value
      ])
      return { status: result.statusCode, headers: Object.fromEntries(texts), body: result.body }
    }
  })
}
