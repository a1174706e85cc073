import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import Fastify from 'fastify'
import t from 'tap'
import postern from '../src/index.ts'
import { origin, people, secret } from './start.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('closing.js', import.meta.url))

const stores = { none: null, memory: null, sqlite: null, postgres: 5432, mysql: 3306, redis: 6379 }
/** Whether what is missing is a failure. */
const isRequired = (process.env['POSTERN_REQUIRE_ALL'] ?? '') !== ''

function isReachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })
}

const there: string[] = []
for (const [store, port] of Object.entries(stores)) {
  if (port === null || isRequired || (await isReachable(port))) there.push(store)
  else t.test(`an application with ${store}`, { skip: `no server listens at 127.0.0.1:${port}` }, async () => undefined)
}

/** The stores of each process: starting one takes longer than the test. */
const processes = isLong ? there.map((store) => [store]) : [there]

for (const used of processes) {
  const title = `an application with ${used.join(', or ')} that closes leaves nothing that keeps the process`
  t.test(title, async (t) => {
    // Nothing ends the process but that nothing is left to do.
    const { stdout } = await run(process.execPath, [program, ...used], { timeout: 20_000 })
    t.strictSame(
      JSON.parse(stdout),
      used.map((store) => ({ store, signedIn: 'grace', left: [] })),
      'the store was used'
    )
  })
}

function counted(): { readonly adapter: Adapter; readonly closed: () => number } {
  const closings: Date[] = []
  return { adapter: { ...memoryAdapter(), close: () => void closings.push(new Date()) }, closed: () => closings.length }
}

t.test('the adapter is closed with the application, once', async (t) => {
  const { adapter, closed } = counted()
  const app = Fastify()
  await app.register(postern, { url: origin, secret, providers: [people], adapter })
  await app.ready()
  t.equal(closed(), 0)
  await app.close()
  t.equal(closed(), 1)
})

t.test('an adapter that several share is closed with the last of them', async (t) => {
  const { adapter, closed } = counted()
  const apps = [Fastify(), Fastify()]
  for (const app of apps) await app.register(postern, { url: origin, secret, providers: [people], adapter })
  await apps[0]?.close()
  t.equal(closed(), 0)
  await apps[1]?.close()
  t.equal(closed(), 1)
})
