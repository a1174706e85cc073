import type { Browser, Clock } from '@postern/testkit'
import { createBrowser } from '@postern/testkit'
import type { FastifyInstance } from 'fastify'
import { anyOf } from './cluster/instances.ts'
import { origin } from './start.ts'

/** A browser whose connection comes from this address. */
export function browserAt(
  app: FastifyInstance,
  clock: Clock,
  remoteAddress: string,
  cookies?: Browser['cookies']
): Browser {
  return createBrowser({
    origin,
    clock,
    ...(cookies ? { cookies } : {}),
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

/** A CSRF token and its cookie: browsers with a copy of the cookie need not ask for their own. */
export async function getCsrf(app: FastifyInstance, clock: Clock) {
  const { cookies, ...browser } = browserAt(app, clock, '9.8.7.6')
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  return { csrfToken, cookies }
}
