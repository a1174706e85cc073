import type { Adapter, RateLimiter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import email from '@postern/core/providers/email'
import oidc from '@postern/core/providers/oidc'
import postern from '@postern/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import { home, members } from './pages.ts'
import type { Ways } from './last-provider.ts'

/** What visitors read as the application's name. */
export const siteName = 'Postern demo'

/** What the application stands on. */
export interface Ground {
  /** Where it lives: `http://localhost:3000`. */
  readonly url: string
  readonly secret: string
  readonly adapter: Adapter
  /** The application's own data. */
  readonly ways: Ways
  readonly session: 'jwt' | 'database'
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  /** `smtp://localhost:3025` */
  readonly mailServer: string
  readonly logLevel: string
  /** Whether a proxy in front says who the visitors are. */
  readonly trustProxy?: boolean
  /** Where limits are counted, if not in the memory of this process. */
  readonly limiter?: RateLimiter
}

// The people of the credentials form. An application keeps them elsewhere, with hashed passwords.
const people = new Map([
  ['ada', { id: '1', name: 'Ada Lovelace', email: 'ada@credentials.example', password: 'lovelace' }],
  ['grace', { id: '2', name: 'Grace Hopper', email: 'grace@credentials.example', password: 'hopper' }]
])

/** The application: sign-in in three ways, a page for everybody and one for members. */
export async function createApp(ground: Ground): Promise<FastifyInstance> {
  const { url, secret, adapter, ways, session, provider, mailServer, logLevel, trustProxy = false, limiter } = ground
  const app = Fastify({ logger: { level: logLevel }, trustProxy })

  // Sign-in: one plugin, three ways.
  await app.register(postern, {
    url,
    secret,
    adapter,
    session: { strategy: session },
    theme: { name: siteName },
    rateLimit: { limiter },
    providers: [
      oidc({ id: 'demo', name: 'Demo provider', allowInsecureRequests: true, ...provider }),
      email({ server: mailServer, from: 'Postern demo <no-reply@demo.example>' }),
      credentials({
        name: 'Password',
        credentials: {
          username: { label: 'Name', placeholder: 'ada' },
          password: { label: 'Password', type: 'password' }
        },
        authorize: ({ username, password }) => {
          const person = people.get(username)
          return person?.password === password ? { id: person.id, name: person.name, email: person.email } : null
        }
      })
    ],
    // What happens is told afterwards: here, which way somebody came in.
    events: { signIn: ({ user, account }) => ways.remember(user.email, account.provider) }
  })

  // The application. `getSession()` tells who it is; `requireSession` lets nobody else in.
  app.get('/', async (request, reply) => home(reply, await request.getSession(), ways, app.postern))
  app.get('/members', { onRequest: app.requireSession }, async (request, reply) => members(reply, request.auth))
  return app
}
