import { type PosternOptions, type Problem, readsProtocol } from '@postern/core'
import type { FastifyInstance } from 'fastify'

const message =
  'expected a server that can detect https, got http without trustProxy: cookies would lack Secure, and ' +
  'links would be http. Set trustProxy in Fastify({ trustProxy }) to the addresses of your proxies, list hosts with ' +
  'their scheme, as https://app.example.com, or set url; set useSecureCookies: false if http is intended'

/** Whether `request.protocol` can be https: the server uses TLS, or Fastify trusts the headers of a proxy. */
function seesHttps(app: FastifyInstance): boolean {
  const server: object = app.server
  // Only requests with trustProxy have `ips`; only TLS servers have secure contexts.
  return app.hasRequestDecorator('ips') || 'setSecureContext' in server
}

/** @returns A problem if a production application would see every request as http. */
export function checkProtocol(app: FastifyInstance, options: PosternOptions): readonly Problem[] {
  return !seesHttps(app) && readsProtocol(options, process.env)
    ? [{ option: 'trustHost', code: 'HTTPS_REQUIRED', message }]
    : []
}
