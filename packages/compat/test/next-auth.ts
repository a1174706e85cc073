import { type CookieJar, createBrowser, fromInject } from '@postern/testkit'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import type { NextAuthOptions } from 'next-auth'
import nextAuth from 'next-auth/next'
import { createLog, origin, type Started, secret, type Test } from './postern.ts'

/** What next-auth uses of the response object of a Next.js API route. */
function nextResponse(reply: FastifyReply) {
  const response = {
    getHeader: (name: string) => reply.getHeader(name),
    setHeader: (name: string, value: string | string[]) => {
      // Fastify joins values of Set-Cookie to those it has; Node replaces them.
      reply.removeHeader(name)
      reply.header(name, value)
      return response
    },
    status: (code: number) => {
      reply.code(code)
      return response
    },
    json: (body: unknown) => reply.send(body),
    send: (body: unknown) => reply.send(body ?? ''),
    end: () => reply.send('')
  }
  return response
}

function nextRequest(request: FastifyRequest) {
  const url = new URL(request.url, origin)
  const nextauth = url.pathname.split('/').slice(3)
  const cookies = (request.headers.cookie ?? '').split('; ').flatMap((pair) => {
    const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? []
    return name === undefined ? [] : [[name, decodeURIComponent(value)] as const]
  })
  return {
    method: request.method,
    headers: request.headers,
    query: { ...Object.fromEntries(url.searchParams), nextauth },
    cookies: Object.fromEntries(cookies),
    body: request.body
  }
}

/** An application of next-auth's, as installed, behind the same door as ours. */
export async function startNextAuth(t: Test, options: Omit<NextAuthOptions, 'secret'>): Promise<Started> {
  process.env['NEXTAUTH_URL'] = origin
  const { lines, logger } = createLog()
  const app = Fastify({ exposeHeadRoutes: false })
  app.removeContentTypeParser('application/x-www-form-urlencoded')
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  app.all('/api/auth/*', async (request, reply) => {
    await nextAuth.default(nextRequest(request), nextResponse(reply), { secret, logger, ...options })
    return reply
  })
  t.teardown(() => app.close())
  const browser: Started['browser'] = (cookies?: CookieJar) =>
    createBrowser({ origin, send: fromInject(app), ...(cookies ? { cookies } : {}) })
  return { app, browser, log: lines }
}
