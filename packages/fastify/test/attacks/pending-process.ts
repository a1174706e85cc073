import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Fastify from 'fastify'
import postern from '../../src/index.ts'
import { createTestGate } from '../interruption-feature.ts'
import { mails, origin, people, secret } from '../start.ts'
import { transactionalAdapter } from '../transactional.ts'

// An application whose sign-ins are all interrupted. A request with `x-kill-at` kills the process before the write of this
// number, or before the response if it makes fewer.
const [address = '', issuer = '', kind = 'transactional', strategy = 'database'] = process.argv.slice(2)

let left: number | null = null

function countDown(): void {
  if (left !== null && left-- === 0) process.kill(process.pid, 'SIGKILL')
}

const isWrite = (name: string): boolean =>
  !/^(get|list|read|is|deleteExpired|deleteEvents|close|ready|withLease)/.test(name)

function withKill(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || !isWrite(name)) return method
      const counted = async (...args: readonly unknown[]): Promise<unknown> => {
        countDown()
        return Reflect.apply(method, target, args)
      }
      return Object.assign(counted, { ...method })
    }
  })
}

function getAdapter(): Adapter {
  if (/^postgres:/.test(address)) return postgresAdapter({ url: address })
  if (kind === 'transactional') return transactionalAdapter(address)
  const { transact: _, ...others } = sqliteAdapter({ file: address })
  return others
}

const app = Fastify({ logger: { level: 'fatal' } })
app.addHook('onRequest', async ({ headers }) => {
  const at = headers['x-kill-at']
  left = at === undefined ? null : Number(at)
})
app.addHook('onSend', async (_request, _reply, payload) => {
  if (left !== null) process.kill(process.pid, 'SIGKILL')
  return payload
})
const adapter = withKill(getAdapter())
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
