import { memoryAdapter } from '@postern/adapters/memory'
import type { RevocationStore } from '@postern/core'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern from '../../src/index.ts'
import { type Cookies, signInAs } from '../../src/testing.ts'
import { secret } from '../start.ts'

// JWT sessions whose revocations are in another store than the users: no session of before an end outlives it.

const ada = { id: 'ada', email: 'ada@example.com' }

interface Application {
  readonly signIn: () => Promise<Cookies>
  readonly isAlive: (cookies: Cookies) => Promise<boolean>
  readonly app: FastifyInstance
}

async function open(
  t: Test,
  revocations: RevocationStore,
  now: () => number,
  adapter = memoryAdapter()
): Promise<Application> {
  const app = Fastify()
  await app.register(postern, {
    ...{ url: 'http://localhost', secret, adapter, providers: [], runtime: { now } },
    session: { strategy: 'jwt', revocations }
  })
  app.get('/', async (request) => ({ session: await request.getSession() }))
  app.get('/enter', async (request, reply) => app.postern.signIn(request, reply, 'ada'))
  t.teardown(() => app.close())
  await adapter.createUser({ ...ada, emailVerified: null })
  return {
    app,
    signIn: () => signInAs(app, ada),
    isAlive: async (cookies) => (await app.inject({ url: '/', cookies })).json<{ session: unknown }>().session !== null
  }
}

t.test('end-1: a session that begins between the two steps of an end', async (t) => {
  const shared = memoryAdapter()
  let between = async (): Promise<void> => undefined
  const revocations: RevocationStore = {
    ...shared,
    revoke: async (...args) => {
      const version = await shared.revoke(...args)
      const work = between
      between = async () => undefined
      await work()
      return version
    }
  }
  let time = Date.now()
  const { app, signIn, isAlive } = await open(t, revocations, () => time)
  const sessions: Cookies[] = [await signIn()]
  between = async () => {
    time += 1000
    // Something else changes what the user signs in with, such as a link.
    await app.postern.users.changed('ada')
    sessions.push(await signIn())
  }
  await app.postern.sessions.revokeAll('ada')
  time += 2000
  t.strictSame(await Promise.all(sessions.map(isAlive)), [false, false])
  t.ok(await isAlive(await signIn()))
})

t.test('end-1: the clock of another process is ahead', async (t) => {
  const shared = memoryAdapter()
  let ahead = 10_000
  const { app, signIn, isAlive } = await open(t, shared, () => Date.now() + ahead)
  await app.postern.users.changed('ada')
  const session = await signIn()
  ahead = 0
  await app.postern.sessions.revokeAll('ada')
  ahead = 2000
  t.notOk(await isAlive(session))
  t.ok(await isAlive(await signIn()))
})

t.test('end-1: a store that records a lower version than the one that is named', async (t) => {
  const shared = memoryAdapter()
  let ahead = 10_000
  const revocations = { ...shared, revoke: (subject: string, until: Date) => shared.revoke(subject, until) }
  const { app } = await open(t, revocations, () => Date.now() + ahead)
  await app.postern.users.changed('ada')
  ahead = 0
  await t.rejects(app.postern.sessions.revokeAll('ada'), { code: 'StoreUnavailable' }, 'the outcome is no success')
})

t.test('an end that the store of the users refuses locks nobody out', async (t) => {
  const adapter = memoryAdapter()
  let isLost = false
  const transact: typeof adapter.transact = async (calls) => {
    if (isLost) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return adapter.transact(calls)
  }
  let time = Date.now()
  const { app, isAlive } = await open(t, memoryAdapter(), () => time, { ...adapter, transact })
  await app.postern.users.changed('ada')
  time += 5000
  isLost = true
  await t.rejects(app.postern.sessions.revokeAll('ada'), { code: 'StoreUnavailable' })
  isLost = false
  time += 5000
  const enter = async (): Promise<Cookies | null> => {
    const { statusCode, cookies } = await app.inject('/enter')
    return statusCode === 200 ? Object.fromEntries(cookies.map(({ name, value }) => [name, value])) : null
  }
  // The first attempt may have to be repeated.
  const session = (await enter()) ?? (await enter())
  t.ok(session && (await isAlive(session)))
})
