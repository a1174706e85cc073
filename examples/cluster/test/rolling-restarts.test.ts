import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, createBrowser, fromFetch } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import { listen } from 'demo/services/listening'
import t, { type Test } from 'tap'
import { createBalancer } from '../src/balancer.ts'
import { type Instance, startProcess, stopProcess } from '../src/processes.ts'
import { watchReadiness } from '../src/ready-instances.ts'
import { makeThrowaway } from '../src/throwaway.ts'
import { isReachable } from './reachable.ts'

const program = fileURLToPath(new URL('rolling-instance.js', import.meta.url))
// More than a machine can serve, beside other tests, would fail for lack of time.
const load = { readsPerSecond: times(20, 200), signIns: times(4, 30), restarts: times(1, 3) }
t.setTimeout(isLong ? 600_000 : 120_000)

const noPostgres =
  (await isReachable(5432)) || process.env['POSTERN_REQUIRE_ALL'] ? false : 'no PostgreSQL at 127.0.0.1:5432'

interface Site {
  readonly url: string
  /** Stops every instance, and starts another in its place. @returns The exit codes. */
  readonly restart: () => Promise<readonly (number | null)[]>
}

/** Two instances behind a balancer that checks their readiness. */
async function openSite(t: Test, store: string): Promise<Site> {
  const instances: Instance[] = []
  const ready = watchReadiness(() => instances.map(({ port }) => port))
  const front = await listen(createBalancer(ready.ports), { port: 0, service: 'balancer', variable: 'PORT' })
  const url = `http://localhost:${front.port}`
  const environment = { STORE: store, ORIGIN: url, SIGN_IN_MILLISECONDS: '500', LOG_LEVEL: 'silent' }
  const add = async (): Promise<void> => void instances.push(await startProcess({ program, environment }))
  t.teardown(async () => {
    ready.close()
    await front.close()
    await Promise.all(instances.map((instance) => stopProcess(instance, 'SIGINT')))
  })
  await add()
  await add()
  const replace = async (instance: Instance): Promise<number | null> => {
    const code = await stopProcess(instance, 'SIGTERM')
    instances.splice(instances.indexOf(instance), 1)
    await add()
    return code
  }
  const restart = async (): Promise<readonly (number | null)[]> => {
    const codes: (number | null)[] = []
    for (const instance of [...instances]) codes.push(await replace(instance))
    return codes
  }
  return { url, restart }
}

interface Counts {
  reads: number
  signIns: number
  readonly failures: string[]
}

const open = (url: string): Browser => createBrowser({ origin: url, send: fromFetch(fetch) })

async function signIn(browser: Browser, username: string): Promise<string | null> {
  const response = await browser.submit('/api/auth/callback/credentials', { username, password: 'x' })
  return response.location === browser.origin ? null : `${response.status} ${response.location ?? response.body}`
}

async function read(browser: Browser): Promise<string | null> {
  const { status, body } = await browser.request('GET', '/api/auth/session')
  return status === 200 && body.includes('reader') ? null : `${status} ${body}`
}

/** Reads sessions and signs in, until `work` is done and every request has its response. */
async function underLoad(url: string, work: () => Promise<void>): Promise<Counts> {
  const counts: Counts = { reads: 0, signIns: 0, failures: [] }
  const note = async (what: 'reads' | 'signIns', request: Promise<string | null>): Promise<void> => {
    const failure = await request.catch((error: unknown) => `${error} ${error instanceof Error ? error.cause : ''}`)
    counts[what] += 1
    if (failure !== null) counts.failures.push(`${what}: ${failure}`)
  }
  const reader = open(url)
  await note('signIns', signIn(reader, 'reader'))
  const running: Promise<void>[] = []
  let isOver = false
  const timer = setInterval(() => void running.push(note('reads', read(reader))), 1000 / load.readsPerSecond)
  const queues = Array.from({ length: load.signIns }, async (_, queue) => {
    for (let count = 0; !isOver; count++) await note('signIns', signIn(open(url), `user-${queue}-${count}`))
  })
  await work().finally(() => {
    clearInterval(timer)
    isOver = true
  })
  await Promise.all([...running, ...queues])
  return counts
}

async function withoutFailures(t: Test, store: string): Promise<void> {
  const { url, restart } = await openSite(t, store)
  const { reads, signIns, failures } = await underLoad(url, async () => {
    for (let count = 0; count < load.restarts; count++) t.same(await restart(), [0, 0], 'both instances exit')
  })
  t.same(failures.slice(0, 10), [], `${failures.length} of ${reads} reads and ${signIns} sign-ins failed`)
  t.ok(reads >= load.readsPerSecond && signIns > load.signIns, `${reads} reads, ${signIns} sign-ins`)
}

t.test('rolling restarts on SQLite fail no request', (t) => withoutFailures(t, join(t.testdir(), 'store.sqlite')))

// In `npm test` the processes share a file: those of cluster.test.ts share PostgreSQL.
if (isLong)
  t.test('rolling restarts on PostgreSQL fail no request', { skip: noPostgres }, async (t) => {
    const { database, drop } = await makeThrowaway()
    t.teardown(drop)
    await withoutFailures(t, database)
  })
