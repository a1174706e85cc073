import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import { holdResponse, runRequest, withHeldWrites } from '@postern/testkit/hold-writes'
import Fastify from 'fastify'
import postern from '../../src/index.ts'
import { createTestGate } from '../interruption-feature.ts'
import { mails, origin, people, secret } from '../start.ts'
import { transactionalAdapter } from '../transactional.ts'

// An application whose sign-ins are all interrupted. A request with `x-hold-at` stops before its write of this number, or before
// the response if it makes fewer, until the process is killed.
const [address = '', issuer = '', kind = 'transactional', strategy = 'database'] = process.argv.slice(2)

function getAdapter(): Adapter {
  if (/^postgres:/.test(address)) return postgresAdapter({ url: address, max: 4 })
  if (kind === 'transactional') return transactionalAdapter(address)
  const { transact: _, ...others } = sqliteAdapter({ file: address })
  return others
}

const app = Fastify({ logger: { level: 'fatal' } })
// After the body has been read, whose events are not those of the request.
app.addHook('preValidation', ({ headers }, _reply, done) => runRequest(headers['x-hold-at'], done))
app.addHook('onSend', async (_request, _reply, payload) => {
  await holdResponse()
  return payload
})
const adapter = withHeldWrites(getAdapter())
await app.register(postern, {
  url: origin,
  secret,
  adapter,
  session: { strategy: strategy === 'jwt' ? 'jwt' : 'database' },
  rateLimit: false,
  features: [createTestGate(true).feature],
  providers: [
    { id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId: 'client', clientSecret: 'secret' },
    mails({ confirm: 'never' }),
    people
  ],
  runtime: { sendMail: async (_server, { text }) => void process.send?.({ text }) }
})
app.addHook('onClose', async () => adapter.close?.())
await app.listen({ port: 0, host: '127.0.0.1' })
const bound = app.server.address()
process.send?.({ port: typeof bound === 'object' ? bound?.port : null })
process.on('disconnect', () => process.exit(0))
