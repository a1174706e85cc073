import { auditLog } from '@postern/account/audit-log'
import { accountPages } from '@postern/account/pages'
import { passkey } from '@postern/account/passkey'
import { password } from '@postern/account/password'
import { secondFactor } from '@postern/account/second-factor'
import type { Adapter, RateLimiter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import oidc from '@postern/core/providers/oidc'
import postern, { requireSession } from '@postern/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import type { LastProviderStore } from './last-provider.ts'
import { home, members } from './pages.ts'

/** The application's name. */
export const siteName = 'Postern demo'

/** The dependencies of the application. */
export interface ServerEnvironment {
  /** The origin of the application: `http://localhost:3000`. */
  readonly url: string
  readonly secret: string
  readonly adapter: Adapter
  /** The application's own data. */
  readonly methods: LastProviderStore
  readonly session: 'jwt' | 'database'
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  /** `smtp://localhost:3025` */
  readonly mailServer: string
  readonly logLevel: string
  /** Whether the clients of this process are proxies: it trusts the addresses that they send. */
  readonly isBehindProxy?: boolean
  /** Counts rate limits. The default is the memory of this process. */
  readonly limiter?: RateLimiter
}

// The users of the credentials form. A real application stores them in a database, with hashed passwords.
const people = new Map([
  ['ada', { id: '1', name: 'Ada Lovelace', email: 'ada@credentials.example', password: 'lovelace' }],
  ['grace', { id: '2', name: 'Grace Hopper', email: 'grace@credentials.example', password: 'hopper' }]
])

/** The application: five sign-in methods, a public page and a page for members. */
export async function createApp(environment: ServerEnvironment): Promise<FastifyInstance> {
  const {
    url,
    secret,
    adapter,
    methods,
    session,
    provider,
    mailServer,
    logLevel,
    isBehindProxy = false,
    limiter
  } = environment
  const app = Fastify({
    logger: { level: logLevel },
    trustProxy: isBehindProxy,
    // Browsers open connections in advance, for which Fastify would wait when it closes. A proxy has requests in progress.
    forceCloseConnections: isBehindProxy ? 'idle' : true
  })

  // Sign-in: one plugin, five providers. Passkeys and an authenticator app are added on the account page.
  await app.register(postern, {
    url,
    secret,
    adapter,
    session: { strategy: session },
    theme: { name: siteName },
    // One small file: it shows passwords, and counts down to the next mail. Everything works without it.
    script: true,
    rateLimit: { limiter },
    providers: [
      oidc({ id: 'demo', name: 'Demo provider', allowInsecureRequests: true, verifiesEmail: true, ...provider }),
      email({ server: mailServer, from: 'Postern demo <no-reply@demo.example>' }),
      credentials({
        name: 'Test user',
        credentials: {
          username: { label: 'Name', placeholder: 'ada' },
          password: { label: 'Password', type: 'password' }
        },
        authorize: ({ username, password }) => {
          const person = people.get(username)
          return person?.password === password ? { id: person.id, name: person.name, email: person.email } : null
        }
      }),
      password(),
      passkey()
    ],
    features: [accountPages(), secondFactor(), auditLog()],
    // Events are emitted after the fact: this one records the provider that a user signed in with.
    events: { signIn: ({ user, account }) => methods.remember(user.email, account.provider) }
  })

  // The application. `getSession()` returns the session; `requireSession` rejects requests without one.
  app.get('/', async (request, reply) => home(reply, await request.getSession(), methods, app.postern))
  app.get('/members', { onRequest: requireSession }, async (request, reply) => members(reply, request.auth))
  return app
}
