import { type AuthRequest, type Fields, parseCookies, parseForm } from '@postern/core'
import type { FastifyRequest } from 'fastify'
import { checkedBody } from './body.ts'
import { isObject } from './is-object.ts'
import { load } from './load.ts'

const { randomBytes }: typeof import('node:crypto') = load('node:crypto')
const { isIP }: typeof import('node:net') = load('node:net')

/** Distinguishes the request ids of processes, because Fastify counts from 1 in each process. */
const processMark = randomBytes(3).toString('hex')

/** The assumed number of clients behind a private address while `trustProxy` is off, which is most likely a proxy. */
const clientsBehindProxy = 50

const nothing: Fields = {}

/** @returns The origin as Fastify sees it; `trustProxy` decides which proxies are trusted. */
export function getOrigin({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

function isPrivateAddress(address: string): boolean {
  const plain = address.startsWith(':') ? address.replace(/^::ffff:/i, '') : address
  return /^(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(plain) || plain === '::1' || /^f[cd]/i.test(plain)
}

/**
 * @returns Whether one address may stand for many clients: it is private, and `trustProxy`, which adds `ips`, is off.
 */
export function isProxySuspected({ ip, ips }: FastifyRequest): boolean {
  // A Unix socket has no address, contrary to Fastify's types, and only a proxy connects through it.
  const address: string | undefined = ip
  return ips === undefined && (address === undefined || isPrivateAddress(address))
}

/** An address with a port, as some load balancers write it in `X-Forwarded-For`. */
const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/

/**
 * Parses the address of a client: with `trustProxy: true`, the client writes it, and notices, the log and limits have it.
 *
 * @returns The address without its port and zone (RFC 4007 §11), which may be any text; `null` if it is none.
 */
function parseAddress(text: string | undefined): string | null {
  if (text !== undefined && isIP(text) === 4) return text
  const [, ipv4, ipv6] = withPort.exec(text ?? '') ?? []
  const [address = ''] = (ipv4 ?? ipv6 ?? text ?? '').split('%', 1)
  return isIP(address) === 0 ? null : address
}

function parseQuery(url: string): Fields {
  const mark = url.indexOf('?')
  return mark < 0 ? nothing : parseForm(url.slice(mark + 1))
}

function getBody({ body }: FastifyRequest): Fields {
  return isObject(body) ? checkedBody({ ...body }) : nothing
}

/** Converts a request for a route of the application into a request for a page of Postern. */
export function toPageRequest(request: FastifyRequest, path: string, query: Fields): AuthRequest {
  return createRequest(request, { method: 'GET', path, query, body: nothing })
}

/**
 * Converts a Fastify request to plain values.
 *
 * @param path - Below the base path.
 * @param isMoved - Whether the request came to the path of the application that the page is moved to.
 * @throws BodyError if the query or the body has too many fields.
 */
export function toAuthRequest(request: FastifyRequest, path: string, isMoved: boolean = false): AuthRequest {
  return createRequest(request, {
    isMoved,
    method: request.method,
    path,
    query: parseQuery(request.url),
    body: getBody(request)
  })
}

type RequestTarget = Pick<AuthRequest, 'method' | 'path' | 'query' | 'body' | 'isMoved'>

function createRequest(request: FastifyRequest, target: RequestTarget): AuthRequest {
  const { method, path, query, body, isMoved } = target
  const { headers, ip, id } = request
  return {
    method,
    path,
    query,
    body,
    isMoved: isMoved ?? false,
    headers,
    origin: getOrigin(request),
    cookies: parseCookies(headers.cookie),
    client: parseAddress(ip),
    clientsBehindIp: isProxySuspected(request) ? clientsBehindProxy : 1,
    id: `${processMark}-${id}`
  }
}
