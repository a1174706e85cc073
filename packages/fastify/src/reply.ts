import type { HttpResponse } from '@postern/core'
import type { FastifyReply } from 'fastify'
import { isObject } from './is-object.ts'

/** Sends a response: the only function that writes Postern's responses. */
export function send(reply: FastifyReply, { status, headers, setCookies, body }: HttpResponse): FastifyReply {
  reply.code(status).headers(headers)
  if (setCookies.length > 0) reply.header('set-cookie', setCookies)
  return body === '' ? reply.send() : reply.send(body)
}

/** The headers that control caching, for all caches and for CDNs (RFC 9213 §2.1). */
const cacheHeaders = ['cache-control', 'cdn-cache-control', 'surrogate-control'] as const

/** `private` with header names applies to these headers only (RFC 9111 §5.2.2.7). */
const keptFromOthers = /(^|,)\s*(no-store|private)\s*(,|$)/i

type Headers = Readonly<Record<string, unknown>>

/** The headers that replace those of a response that sets a cookie but allows shared caching. */
function closedToCaches(headers: Headers): Headers {
  const due = cacheHeaders.filter((name) => name === 'cache-control' || headers[name] !== undefined)
  const open = due.filter((name) => !keptFromOthers.test(String(headers[name])))
  return Object.fromEntries(open.map((name) => [name, 'private, no-store']))
}

/**
 * Checks the headers when they are written, after all handlers and hooks have run.
 *
 * Only replies that set a cookie are wrapped; a hook would run for all of them.
 */
function keepFromCaches({ raw }: FastifyReply): void {
  const { writeHead } = raw
  raw.writeHead = (...parts: readonly unknown[]) => {
    const last = parts.at(-1)
    const [before, given] = isObject(last) ? [parts.slice(0, -1), last] : [parts, {}]
    const headers = { ...raw.getHeaders(), ...given }
    const closed = 'set-cookie' in headers ? closedToCaches(headers) : {}
    return Reflect.apply(writeHead, raw, [...before, { ...given, ...closed }])
  }
}

/** Adds cookies to a reply of the application, after those that the application sets, and prevents shared caching. */
export function addCookies(reply: FastifyReply, setCookies: readonly string[]): void {
  if (setCookies.length === 0 || reply.sent) return
  reply.header('set-cookie', setCookies)
  keepFromCaches(reply)
}

/** Sends an error to a JSON client in the format of Fastify's own errors. */
export function refuse(
  reply: FastifyReply,
  statusCode: 400 | 401 | 403,
  body: { readonly code: string; readonly message: string; readonly url?: string | undefined }
): FastifyReply {
  const names = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden' } as const
  const whole = { statusCode, error: names[statusCode], ...body }
  return reply.code(statusCode).header('cache-control', 'private, no-store').send(whole)
}
