import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders } from 'better-auth/node'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import * as shared from './subject.ts'

const { clientId, clientSecret, secret, getOrigin } = shared

/** With tokens, users are kept in a table nevertheless: it has no way without. In memory that costs the least. */
function openDatabase(file: string | null): Database.Database {
  const database = new Database(file ?? ':memory:')
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  return database
}

function getOptions(settings: shared.Settings, plugins: readonly BetterAuthPlugin[]) {
  const { issuer, file } = settings
  return {
    baseURL: getOrigin(settings),
    secret,
    database: openDatabase(file),
    telemetry: { enabled: false },
    // All requests come from one address here.
    rateLimit: { enabled: false },
    session: { cookieCache: { enabled: file === null, maxAge: 30 * 24 * 60 * 60, strategy: 'compact' as const } },
    emailAndPassword: {
      enabled: true,
      password: {
        hash: async (password: string) => password,
        verify: async ({ hash, password }: { hash: string; password: string }) => hash === password
      }
    },
    socialProviders: { github: shared.github },
    account: { accountLinking: { trustedProviders: ['demo'] } },
    plugins: [
      ...plugins,
      genericOAuth({
        config: [
          {
            providerId: 'demo',
            discoveryUrl: `${issuer}/.well-known/openid-configuration`,
            clientId,
            clientSecret,
            scopes: ['openid', 'email', 'profile'],
            pkce: true
          }
        ]
      })
    ]
  }
}

/** better-auth on Fastify, as its documentation registers it. */
export async function startBetterAuth(
  settings: shared.Settings,
  plugins: readonly BetterAuthPlugin[] = []
): Promise<void> {
  const options = getOptions(settings, plugins)
  await (await getMigrations(options)).runMigrations()
  const auth = betterAuth(options)
  const app = Fastify()
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: async (request, reply) => {
      const url = new URL(request.url, `http://${request.headers.host}`)
      const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
      const headers = fromNodeHeaders(request.headers)
      const response = await auth.handler(new Request(url, { method: request.method, headers, ...body }))
      reply.status(response.status)
      for (const [name, value] of response.headers) reply.header(name, value)
      return reply.send(response.body ? await response.text() : null)
    }
  })
  app.get('/me', async (request, reply) => {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    if (!session) return reply.code(401).send({ statusCode: 401 })
    const { name, email, image } = session.user
    return { user: { name, email, image } }
  })
  await app.listen({ port: settings.port, host: '127.0.0.1' })
}

export const subject: shared.Subject = { start: (settings) => startBetterAuth(settings) }
