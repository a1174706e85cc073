import { memoryAdapter } from '@postern/adapters/memory'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import postern from '../../src/index.ts'
import { secret } from '../start.ts'

// A plain row of next-auth becomes a hashed one with its first use: the session stays one that can be ended.

type Memory = ReturnType<typeof memoryAdapter>

const cookies = { 'next-auth.session-token': '0d3a6ef4-5c5c-4a62-9c0f-2a3c1b8f7a11' }
const token = cookies['next-auth.session-token']

async function open(t: Test, adapter: Memory, change: Partial<Memory>): Promise<FastifyInstance> {
  const app = Fastify()
  const session = { strategy: 'database', storage: 'both' } as const
  await app.register(postern, {
    ...{ url: 'http://localhost', secret, providers: [], session },
    adapter: { ...adapter, ...change },
    logger: { error: () => undefined, warn: () => undefined }
  })
  app.get('/', async (request) => ({ session: await request.getSession() }))
  t.teardown(() => app.close())
  return app
}

const isAlive = async (app: FastifyInstance): Promise<boolean> =>
  (await app.inject({ url: '/', cookies })).json<{ session: unknown }>().session !== null

async function createRow(): Promise<{ readonly adapter: Memory; readonly userId: string }> {
  const adapter = memoryAdapter()
  const { id: userId } = await adapter.createUser({ email: 'ada@example.com', emailVerified: null })
  await adapter.createSession({ sessionToken: token, userId, expires: new Date(Date.now() + 3_600_000) })
  return { adapter, userId }
}

/** The process has ended. */
const lose = async (): Promise<never> => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

t.test('end-1: a process ends while it replaces a row', async (t) => {
  const { adapter, userId } = await createRow()
  let isLost = true
  const app = await open(t, adapter, {
    deleteSession: async (...args) => (isLost ? lose() : adapter.deleteSession(...args)),
    transact: async (calls) => (isLost ? lose() : adapter.transact(calls))
  })
  await app.inject({ url: '/', cookies })
  isLost = false
  t.ok(await isAlive(app))
  const [listed, ...others] = await app.postern.sessions.list(userId)
  t.strictSame(others, [], 'it is one session')
  await app.postern.sessions.revoke(listed?.id ?? '')
  t.notOk(await isAlive(app), 'no copy of its row is left')
})

t.test('end-1: the sessions end while a process replaces a row, and ends itself', async (t) => {
  const { adapter, userId } = await createRow()
  const other = await open(t, adapter, {})
  let isOver = false
  const endFirst = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    await other.postern.sessions.revokeAll(userId)
  }
  const app = await open(t, adapter, {
    createSession: async (...args) => {
      await endFirst()
      return adapter.createSession(...args)
    },
    deleteSession: async (...args) => (isOver ? lose() : adapter.deleteSession(...args)),
    transact: async (calls) => {
      await endFirst()
      return adapter.transact(calls)
    }
  })
  await app.inject({ url: '/', cookies })
  t.notOk(await isAlive(other))
})
