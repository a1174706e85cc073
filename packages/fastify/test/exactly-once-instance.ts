import { sqliteAdapter } from '@postern/adapters/sqlite'
import email from '@postern/core/providers/email'
import Fastify from 'fastify'
import postern from '../src/index.ts'
import { origin, secret } from './providers.ts'

// One process of an application that runs in several: it sends its parent its port, and the mails that it sends.
const [, , file = ''] = process.argv
const app = Fastify()

await app.register(postern, {
  url: origin,
  secret,
  adapter: sqliteAdapter({ file }),
  session: { strategy: 'database' },
  rateLimit: false,
  providers: [email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>', confirm: 'never' })],
  runtime: { sendMail: async (_server, message) => void process.send?.({ text: message.text }) }
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : null })
process.on('disconnect', () => process.exit(0))
