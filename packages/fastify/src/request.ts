import { type AuthRequest, type Fields, parseCookies, parseForm } from '@postern/core'
import type { FastifyRequest } from 'fastify'
import { checkedBody } from './body.ts'
import { load } from './load.ts'

const { randomBytes }: typeof import('node:crypto') = load('node:crypto')

/** Tells the requests of one process from those of another, where Fastify counts from 1 in each. */
const processMark = randomBytes(3).toString('hex')

/** How many visitors a private address may hide while `trustProxy` is off: a proxy, most likely. */
const crowdBehindProxy = 50

const nothing: Fields = {}

/** @returns The origin as Fastify sees it; `trustProxy` decides whom it believes. */
export function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

function isPrivateAddress(address: string): boolean {
  const plain = address.startsWith(':') ? address.replace(/^::ffff:/i, '') : address
  return /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(plain) || plain === '::1' || /^f[cd]/i.test(plain)
}

/** @returns Whether one address may stand for many visitors: it is private, and `trustProxy`, which gives `ips`, is off. */
export function isProxySuspected({ ip, ips }: FastifyRequest): boolean {
  // Nobody but a proxy comes through a Unix socket, which has no address, whatever Fastify's types say.
  const address: string | undefined = ip
  return ips === undefined && (address === undefined || isPrivateAddress(address))
}

function queryOf(url: string): Fields {
  const mark = url.indexOf('?')
  return mark < 0 ? nothing : parseForm(url.slice(mark + 1))
}

function bodyOf({ body }: FastifyRequest): Fields {
  return typeof body === 'object' && body !== null ? checkedBody({ ...body }) : nothing
}

/** A request for a page of ours, made of one that came to a route of the application. */
export function toPageRequest(request: FastifyRequest, path: string, query: Fields): AuthRequest {
  return asked(request, { method: 'GET', path, query, body: nothing })
}

/**
 * The request as plain values.
 *
 * @param path - Below the base path.
 * @throws BodyError a query or a body with too many fields.
 */
export function toAuthRequest(request: FastifyRequest, path: string): AuthRequest {
  return asked(request, { method: request.method, path, query: queryOf(request.url), body: bodyOf(request) })
}

type Asked = Pick<AuthRequest, 'method' | 'path' | 'query' | 'body'>

function asked(request: FastifyRequest, what: Asked): AuthRequest {
  const { headers, ip, id } = request
  return {
    ...what,
    headers,
    origin: originOf(request),
    cookies: parseCookies(headers.cookie),
    client: ip ?? null,
    crowd: isProxySuspected(request) ? crowdBehindProxy : 1,
    id: `${processMark}-${id}`
  }
}
