import { sqliteAdapter } from '@postern/adapters/sqlite'
import { createIssuer } from '@postern/testkit'
import Fastify from 'fastify'
import postern from '../src/index.ts'
import { demoIssuer, origin, secret } from './start.ts'

// One process of an application that runs in several: its provider is the one of its parent, behind a port.
const [, , file = '', port = ''] = process.argv
const issuer = createIssuer()
const app = Fastify()

await app.register(postern, {
  url: origin,
  secret,
  adapter: sqliteAdapter({ file }),
  session: { strategy: 'database' },
  providers: [demoIssuer(issuer)],
  runtime: { fetch: (url, init) => fetch(url.replace(issuer.issuer, `http://127.0.0.1:${port}`), init) }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : null)
process.on('disconnect', () => process.exit(0))
