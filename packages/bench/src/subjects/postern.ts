import type { PosternOptions } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import github from '@postern/core/providers/github'
import oidc from '@postern/core/providers/oidc'
import postern, { requireSession } from '@postern/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import * as shared from './subject.ts'

const { clientId, clientSecret, secret, getPerson, getUser } = shared

/** The limits are at work, and out of reach: the load comes from one address. */
const rule = { points: 1_000_000_000, seconds: 60 }
const rateLimit = {
  credentialsPerIdentifierAndClient: rule,
  credentialsPerIdentifier: rule,
  credentialsPerClient: rule,
  callbackPerClient: rule
}

const getStore = async ({ file, postgres }: shared.Settings) => {
  if (postgres !== null) {
    const { postgresAdapter } = await import('@postern/adapters/postgres')
    return { adapter: postgresAdapter({ url: postgres }) }
  }
  if (file === null) return {}
  const { sqliteAdapter } = await import('@postern/adapters/sqlite')
  return { adapter: sqliteAdapter({ file }) }
}

/** An application that does not listen yet. @param features - What is registered in addition. */
export async function createApplication(
  settings: shared.Settings,
  url: string,
  { providers = [], ...features }: Partial<PosternOptions> = {}
): Promise<FastifyInstance> {
  const { issuer } = settings
  const app = Fastify()
  await app.register(postern, {
    url,
    secret,
    rateLimit,
    providers: [
      oidc({
        id: 'demo',
        name: 'Demo',
        issuer,
        clientId,
        clientSecret,
        allowInsecureRequests: true,
        verifiesEmail: true
      }),
      github(shared.github),
      credentials({
        id: 'people',
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: (form) => getUser(form) ?? getPerson(form)
      }),
      ...providers
    ],
    ...features,
    ...(await getStore(settings))
  })
  app.get('/me', { onRequest: requireSession }, async (request) => ({ user: request.auth?.user }))
  return app
}

export const subject: shared.Subject = {
  start: async (settings) => {
    const app = await createApplication(settings, shared.getOrigin(settings))
    await app.listen({ port: settings.port, host: '127.0.0.1' })
  }
}
