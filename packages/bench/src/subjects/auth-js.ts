import { ExpressAuth, type ExpressAuthConfig, getSession } from '@auth/express'
import credentials from '@auth/express/providers/credentials'
import github from '@auth/express/providers/github'
import express from 'express'
import * as shared from './subject.ts'

const { clientId, clientSecret, secret, getUser } = shared

async function getConfig({ issuer, file }: shared.Settings): Promise<ExpressAuthConfig> {
  const adapter = file === null ? {} : { adapter: (await import('./core-adapter.ts')).coreAdapterMethods(file) }
  return {
    secret,
    trustHost: true,
    ...adapter,
    providers: [
      { id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId, clientSecret, checks: ['pkce', 'state', 'nonce'] },
      github(shared.github),
      credentials({
        id: 'people',
        credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
        authorize: (form) => getUser(form)
      })
    ]
  }
}

/** Auth.js with its own plugin for Express. */
export const subject: shared.Subject = {
  start: async (settings) => {
    const config = await getConfig(settings)
    const app = express()
    // Express 5 has no unnamed wildcard, which the plugin would find the base path by; a plain path it finds too.
    app.use('/api/auth', ExpressAuth(config))
    app.get('/me', async (request, response) => {
      const session = await getSession(request, config)
      response.status(session ? 200 : 401).json(session ? { user: session.user } : { statusCode: 401 })
    })
    await new Promise<void>((resolve) => {
      app.listen(settings.port, '127.0.0.1', () => resolve())
    })
  }
}
