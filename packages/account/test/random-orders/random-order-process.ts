import { createServer } from 'node:http'
import type { Adapter } from '@postern/core'
import { runRequest, withHeldWrites } from '@postern/testkit/hold-writes'
import { countCheapHashes } from '../cheap-hashes.ts'
import { origin, type Strategy } from '../password-application.ts'
import { answer } from '../password-server.ts'
import { createApplication } from './application.ts'

// An application that is killed. Its requests state the time, and the write before which they stop.
const [address = '', strategy = '', client = '{}'] = process.argv.slice(2)

async function openAdapter(): Promise<Adapter> {
  if (address.startsWith('postgres:'))
    return (await import('@postern/adapters/postgres')).postgresAdapter({ url: address })
  if (address.startsWith('mysql:')) return (await import('@postern/adapters/mysql')).mysqlAdapter({ url: address })
  return (await import('@postern/adapters/sqlite')).sqliteAdapter({ file: address })
}

countCheapHashes(() => undefined)
let now = Date.now()
const auth = createApplication({
  adapter: withHeldWrites(await openAdapter()),
  strategy: strategy as Strategy,
  client: JSON.parse(client),
  runtime: {
    now: () => now,
    sendMail: (_server, mail) =>
      new Promise((resolve) => {
        process.send?.({ mail }, () => resolve())
      })
  }
})
const server = createServer(async (request, response) => {
  const { 'x-now': stated, 'x-hold-at': holdAt } = request.headers
  now = Number(stated ?? now)
  await runRequest(holdAt, () => answer(request, response, { origin, fetch: auth.fetch }))
})
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  process.send?.({ port: typeof bound === 'object' ? bound?.port : null })
})
process.on('disconnect', () => process.exit(0))
