import { once } from 'node:events'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Fastify from 'fastify'
import postern from '../src/index.ts'
import { origin, secret } from './providers.ts'

/** One of several processes with one store: requests a token many times at once, on command. */
const [file = '', issuer = '', cookie = ''] = process.argv.slice(2)
const app = Fastify()
await app.register(postern, {
  url: origin,
  secret,
  adapter: sqliteAdapter({ file }),
  providers: [{ id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId: 'client', clientSecret: 'secret' }]
})
app.get('/token', async (request) => request.getAccessToken('demo'))
await app.ready()
process.send?.('ready')
await once(process, 'message')
const headers = { host: new URL(origin).host, cookie }
const responses = await Promise.all(Array.from({ length: 25 }, () => app.inject({ url: '/token', headers })))
process.send?.(responses.map(({ body }) => body))
await app.close()
process.disconnect()
