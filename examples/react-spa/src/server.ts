// A single-page application and its API on one origin: Fastify serves `/api/*` and the files built by Vite.
//
//   pnpm start
//   open http://localhost:3100
//
// Read it from top to bottom: settings, sign-in, API, pages, services.

import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, RateLimiter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import oidc from '@postern/core/providers/oidc'
import postern, { requireSession } from '@postern/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { startIdentityProvider } from './identity-provider.ts'
import { type Mail, startMailServer } from './mail-server.ts'

export interface Settings {
  readonly port: number
  /** 0 selects any free port. */
  readonly issuerPort: number
  /** 0 selects any free port. */
  readonly smtpPort: number
  /** The folder of the built application. */
  readonly pages: string
  readonly logLevel: string
  /** Called with every mail that the application sends. */
  readonly onMail: (mail: Mail) => void
}

export interface Running {
  readonly url: string
  readonly close: () => Promise<void>
}

/** The dependencies of the application. */
export interface ServerEnvironment extends Pick<Settings, 'pages' | 'logLevel'> {
  readonly url: string
  readonly adapter: Adapter
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  /** `smtp://localhost:3125` */
  readonly mailServer: string
  /** Must be shared by several processes. @defaultValue `AUTH_SECRET` */
  readonly secret?: string
  readonly limiter?: RateLimiter
  /** Whether the clients of this process are proxies: it trusts the addresses that they send. */
  readonly isBehindProxy?: boolean
}

// The users of the credentials form. A real application stores them in a database, with hashed passwords.
const people = new Map([
  ['ada', { id: '1', name: 'Ada Lovelace', password: 'lovelace' }],
  ['grace', { id: '2', name: 'Grace Hopper', password: 'hopper' }]
])

/** Reads the name that `update({ name })` sent. */
function getName(data: unknown): string | null {
  const name = typeof data === 'object' && data !== null && 'name' in data ? data.name : null
  return typeof name === 'string' && name.length <= 50 ? name : null
}

/** The application, ready to listen. */
export async function createApp(environment: ServerEnvironment): Promise<FastifyInstance> {
  const { url, pages, logLevel, adapter, provider, mailServer, secret, limiter, isBehindProxy = false } = environment

  // 1. Sign-in, under /api/auth. The session is stored in the cookie, so that the browser's `update` can change it.
  const app = Fastify({
    logger: { level: logLevel },
    trustProxy: isBehindProxy,
    // Browsers open connections in advance, for which Fastify would wait when it closes. A proxy has requests in progress.
    forceCloseConnections: isBehindProxy ? 'idle' : true
  })
  await app.register(postern, {
    url,
    secret,
    adapter,
    rateLimit: { limiter },
    session: { strategy: 'jwt' },
    theme: { name: 'React example' },
    providers: [
      oidc({ id: 'demo', name: 'Demo provider', allowInsecureRequests: true, verifiesEmail: true, ...provider }),
      email({ server: mailServer, from: 'React example <no-reply@app.example>' }),
      credentials({
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: ({ username, password }) => {
          const person = people.get(username)
          return person?.password === password ? { id: person.id, name: person.name } : null
        }
      }),
      passkey()
    ],
    features: [accountPages()],
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, name: getName(session) ?? token.name ?? null } : token,
      session: ({ session, token }) => ({ ...session, user: { ...session.user, name: token?.name } })
    }
  })

  // 2. The API. A guard responds with 401 as JSON to users who are not signed in.
  app.get('/api/me', { onRequest: requireSession }, async (request) => request.auth?.user)

  // 3. The pages: static files, and the application for every other path.
  await app.register(fastifyStatic, { root: pages })
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !request.url.startsWith('/api/')
    return isPage ? reply.sendFile('index.html') : reply.code(404).send({ error: 'Not Found' })
  })
  return app
}

/** Starts the application with an in-memory store. */
export async function startServer({ port, issuerPort, smtpPort, pages, logLevel, onMail }: Settings): Promise<Running> {
  const url = `http://localhost:${port}`

  // The services: an OpenID Provider and a mail server. A real application uses external ones.
  const client = { clientId: 'react-spa', clientSecret: 'a secret of the example' }
  const provider = await startIdentityProvider(issuerPort, { ...client, redirectUri: `${url}/api/auth/callback/demo` })
  const mailServer = await startMailServer(smtpPort, onMail)

  const app = await createApp({
    url,
    pages,
    logLevel,
    adapter: memoryAdapter(),
    provider: { issuer: provider.issuer, ...client },
    mailServer: mailServer.url
  })

  await app.listen({ port, host: 'localhost' })
  return {
    url,
    close: async () => {
      await Promise.all([app.close(), provider.close(), mailServer.close()])
    }
  }
}

if (import.meta.main) {
  const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
  const server = await startServer({
    port: number('PORT', 3100),
    issuerPort: number('OIDC_PORT', 3101),
    smtpPort: number('SMTP_PORT', 3125),
    pages: fileURLToPath(new URL('../app', import.meta.url)),
    logLevel: process.env['LOG_LEVEL'] ?? 'warn',
    onMail: ({ to, text }) => console.log(`\nA mail for ${to}:\n\n${text}\n`)
  })
  console.log(`\n  ${server.url}   ada / lovelace, grace / hopper; mails are printed here\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)))
  }
}
