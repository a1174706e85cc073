import type { Answer } from '@postern/core'
import type { FastifyReply } from 'fastify'

/** Sends an answer: the only place that writes one of ours. */
export function send(reply: FastifyReply, { status, headers, setCookies, body }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (setCookies.length > 0) reply.header('set-cookie', setCookies)
  return body === '' ? reply.send() : reply.send(body)
}

/** What tells caches how to keep an answer: all of them, and those of networks (RFC 9213 §2.1). */
const cacheHeaders = ['cache-control', 'cdn-cache-control', 'surrogate-control'] as const

/** `private` with the names of headers is about those only (RFC 9111 §5.2.2.7). */
const keptFromOthers = /(^|,)\s*(no-store|private)\s*(,|$)/i

type Headers = Readonly<Record<string, unknown>>

const isHeaders = (value: unknown): value is Headers => typeof value === 'object' && value !== null

/** The headers that an answer with a cookie must have instead, whatever was said of caches. */
function closedToCaches(headers: Headers): Headers {
  const due = cacheHeaders.filter((name) => name === 'cache-control' || headers[name] !== undefined)
  const open = due.filter((name) => !keptFromOthers.test(String(headers[name])))
  return Object.fromEntries(open.map((name) => [name, 'private, no-store']))
}

/**
 * Looks at the headers at the last moment, when handlers and hooks have said all that they say.
 *
 * Only a reply that gets a cookie pays for it; a hook would be run for all.
 */
function keepFromCaches({ raw }: FastifyReply): void {
  const { writeHead } = raw
  raw.writeHead = (...parts: readonly unknown[]) => {
    const last = parts.at(-1)
    const [before, given] = isHeaders(last) ? [parts.slice(0, -1), last] : [parts, {}]
    const headers = { ...raw.getHeaders(), ...given }
    const closed = 'set-cookie' in headers ? closedToCaches(headers) : {}
    return Reflect.apply(writeHead, raw, [...before, { ...given, ...closed }])
  }
}

/** Adds cookies to a reply of the application, beside those that it sets itself; no cache keeps them for others. */
export function addCookies(reply: FastifyReply, setCookies: readonly string[]): void {
  if (setCookies.length === 0 || reply.sent) return
  reply.header('set-cookie', setCookies)
  keepFromCaches(reply)
}

/** A refusal for a client that reads JSON, in the shape of Fastify's own errors. */
export function refuse(reply: FastifyReply, statusCode: 400 | 401 | 403, code: string, message: string): FastifyReply {
  const names = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden' } as const
  const body = { statusCode, code, error: names[statusCode], message }
  return reply.code(statusCode).header('cache-control', 'private, no-store').send(body)
}
