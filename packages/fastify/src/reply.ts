import type { Answer } from '@postern/core'
import type { FastifyReply } from 'fastify'

/** Sends an answer: the only place that writes one of ours. */
export function send(reply: FastifyReply, { status, headers, setCookies, body }: Answer): FastifyReply {
  reply.code(status).headers(headers)
  if (setCookies.length > 0) reply.header('set-cookie', setCookies)
  return body === '' ? reply.send() : reply.send(body)
}

/** Adds cookies to a reply of the application, beside those that it sets itself; a cache must not keep them. */
export function addCookies(reply: FastifyReply, setCookies: readonly string[]): void {
  if (setCookies.length === 0 || reply.sent) return
  reply.header('set-cookie', setCookies)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store')
}

/** A refusal for a client that reads JSON, in the shape of Fastify's own errors. */
export function refuse(reply: FastifyReply, statusCode: 400 | 401 | 403, code: string, message: string): FastifyReply {
  const names = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden' } as const
  const body = { statusCode, code, error: names[statusCode], message }
  return reply.code(statusCode).header('cache-control', 'private, no-store').send(body)
}
