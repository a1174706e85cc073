import { setTimeout as delay } from 'node:timers/promises'
import type { Adapter } from '@postern/core'
import Fastify from 'fastify'
import postern from '../src/index.ts'
import { addFailPointHooks, withFailPoints } from './fail-points.ts'
import { mails, origin, people, secret } from './providers.ts'

// An application with all three sign-in methods, which is ended in all sorts of ways. It sends its parent its port, the mails
// that it sends and the requests that it has accepted.
const [address = '', issuer = '', kind = 'transactional', pause = '0'] = process.argv.slice(2)

/** What the adapters of next-auth v4 have. */
const common = [
  ...(['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'deleteUser'] as const),
  ...(['linkAccount', 'unlinkAccount', 'createSession', 'getSessionAndUser', 'updateSession'] as const),
  ...(['deleteSession', 'createVerificationToken', 'useVerificationToken', 'close'] as const)
]

/** Loads one of the adapters, since a process starts for each kill. */
async function openOwn(): Promise<Adapter> {
  if (/^postgres:/.test(address)) return (await import('@postern/adapters/postgres')).postgresAdapter({ url: address })
  return (await import('@postern/adapters/sqlite')).sqliteAdapter({ file: address })
}

async function getAdapter(): Promise<Adapter> {
  const own = await openOwn()
  if (kind === 'as others') return Object.fromEntries(common.map((name) => [name, own[name]]))
  const { transact: _, ...others } = own
  if (kind === 'one by one') return others
  return own.transact ? own : (await import('./transactional.ts')).transactionalAdapter(address)
}

const report = (message: object): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })

const app = Fastify({ logger: { level: 'fatal' } })
app.addHook('onRequest', async ({ headers }) => {
  const { 'x-request-number': number } = headers
  if (number !== undefined) await report({ accepted: number })
})
// A port that is free again may be another program's soon: a response identifies its process.
app.addHook('onRequest', async (_request, reply) => void reply.header('x-process', process.pid))
addFailPointHooks(app)
const adapter = withFailPoints(await getAdapter())
await app.register(postern, {
  url: origin,
  secret,
  adapter,
  session: { strategy: 'database' },
  rateLimit: false,
  providers: [
    { id: 'demo', name: 'Demo', type: 'oidc', issuer, clientId: 'client', clientSecret: 'secret', verifiesEmail: true },
    mails({ code: false }),
    people
  ],
  runtime: {
    sendMail: async (_server, message) => {
      await delay(Number(pause))
      await report({ mail: message })
    }
  }
})
app.addHook('onClose', async () => adapter.close?.())
await app.listen({ port: 0, host: '127.0.0.1' })
process.once('SIGTERM', () => void app.close().then(() => process.disconnect()))
process.once('disconnect', () => process.exit())
const bound = app.server.address()
await report({ port: typeof bound === 'object' ? bound?.port : null })
