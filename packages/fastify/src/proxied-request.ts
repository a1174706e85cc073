import type { FastifyReply, FastifyRequest } from 'fastify'

// A proxy that asks whether a request of another application may pass: `auth_request` of nginx, `forward_auth` of Caddy and Traefik.

function getHeader({ headers }: FastifyRequest, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

/** Whether the peer is a proxy that Fastify trusts, which names the client. */
const isTrusted = ({ ips }: FastifyRequest): boolean => ips !== undefined && ips.length > 1

/**
 * @param origin - Of the sign-in page.
 * @returns The page that the browser asked the proxy for; `null` if it cannot be repeated, or if nobody trustworthy names it. The
 * sign-in page checks it like any `callbackUrl`.
 */
export function getProxiedUrl(request: FastifyRequest, origin: string): string | null {
  if (!isTrusted(request)) return null
  const method = getHeader(request, 'x-forwarded-method') ?? getHeader(request, 'x-original-method') ?? 'GET'
  const uri = getHeader(request, 'x-forwarded-uri') ?? getHeader(request, 'x-original-uri')
  if (uri === null || !uri.startsWith('/') || (method !== 'GET' && method !== 'HEAD')) return null
  const host = getHeader(request, 'x-forwarded-host') === null ? null : request.host
  return (host === null ? origin : `${request.protocol}://${host}`) + uri
}

/** Repeats each cookie of the reply in a header of its own: `auth_request` of nginx 1.22 passes on the first `Set-Cookie` only. */
export function repeatCookies(reply: FastifyReply): void {
  const cookies = [reply.getHeader('set-cookie') ?? []].flat()
  for (const [at, cookie] of cookies.entries()) reply.header(`x-set-cookie-${at + 1}`, String(cookie))
}
