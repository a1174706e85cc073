import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { NextAuthOptions } from 'next-auth'
import nextAuth from 'next-auth/next'
import credentials from 'next-auth/providers/credentials'
import github from 'next-auth/providers/github'
import * as shared from './subject.ts'

// An import of node:http loads undici too, which would be counted among what next-auth needs at its start.
const { createServer }: typeof import('node:http') = createRequire(import.meta.url)('node:http')

const { clientId, clientSecret, secret, getOrigin, getUser } = shared

async function getOptions({ issuer, file }: shared.Settings): Promise<NextAuthOptions> {
  const adapter = file === null ? {} : { adapter: (await import('./core-adapter.ts')).coreAdapterMethods(file) }
  return {
    secret,
    ...adapter,
    providers: [
      {
        id: 'demo',
        name: 'Demo',
        type: 'oauth',
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        authorization: { params: { scope: 'openid email profile' } },
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
        profile: ({ sub, name, email, picture }) => ({ id: sub, name, email, image: picture })
      },
      github.default(shared.github),
      credentials.default({
        id: 'people',
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: async (form) => getUser(form)
      })
    ]
  }
}

async function getBody(request: IncomingMessage): Promise<object> {
  if (request.method !== 'POST') return {}
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
}

function getCookies({ headers }: IncomingMessage): object {
  const pairs = (headers.cookie ?? '').split('; ').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
    })
  )
}

/** What next-auth uses of a request and a response of Next.js, without Next.js: less work than the real ones do. */
async function toNext(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const query = { ...Object.fromEntries(url.searchParams), nextauth: url.pathname.split('/').slice(3) }
  const nextRequest = Object.assign(request, { query, cookies: getCookies(request), body: await getBody(request) })
  const send = (type: string, text: string): void => {
    if (!response.hasHeader('content-type')) response.setHeader('content-type', type)
    response.setHeader('content-length', Buffer.byteLength(text))
    response.end(text)
  }
  const nextResponse = Object.assign(response, {
    status: (code: number) => {
      response.statusCode = code
      return nextResponse
    },
    json: (body: unknown) => send('application/json', JSON.stringify(body)),
    send: (body: unknown) =>
      typeof body === 'object' ? nextResponse.json(body) : send('text/html; charset=utf-8', String(body ?? ''))
  })
  return { nextRequest, nextResponse }
}

/** next-auth on Node's own server: Next.js would add to it. */
export const subject: shared.Subject = {
  start: async (settings) => {
    process.env['NEXTAUTH_URL'] = getOrigin(settings)
    const options = await getOptions(settings)
    const server = createServer(async (request, response) => {
      const { nextRequest, nextResponse } = await toNext(request, response)
      if (request.url?.startsWith('/api/auth/')) return nextAuth.default(nextRequest, nextResponse, options)
      const session = await nextAuth.getServerSession(nextRequest, nextResponse, options)
      nextResponse.status(session ? 200 : 401).json(session ? { user: session.user } : { statusCode: 401 })
    })
    await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve))
  }
}
