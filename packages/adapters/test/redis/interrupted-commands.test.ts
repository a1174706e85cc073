import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { memoryAdapter } from '../../src/memory/index.ts'
import { type RedisClient, withRedisSessions } from '../../src/redis/index.ts'
import { redis, withServer } from '../servers.ts'
import { createTestDatabase, type RedisDatabase } from './clients.ts'

/** What happens to a command: it never arrives, arrives after its caller has given up, or its response is lost. */
const faults = ['lost', 'late', 'unanswered'] as const
const hour = 3_600_000
const now = Date.now()
const inHours = (count: number): Date => new Date(now + count * hour)

/** A client whose next commands pass, except the one that `intercept` names. */
function createInterceptor({ client }: RedisDatabase) {
  const state: { left: number; run: ((send: () => Promise<unknown>) => Promise<unknown>) | null } = {
    left: 0,
    run: null
  }
  const intercepted: RedisClient = {
    call: async (command, ...args) => {
      const send = (): Promise<unknown> => client.call(command, ...args)
      const { run } = state
      if (run === null || --state.left > 0) return send()
      state.run = null
      return run(send)
    }
  }
  return {
    client: intercepted,
    intercept: (place: number, run: NonNullable<(typeof state)['run']>) => {
      state.left = place
      state.run = run
    },
    /** Whether the command was sent. */
    end: (): boolean => {
      const isSent = state.run === null
      state.run = null
      return isSent
    }
  }
}

async function setUp(t: Test) {
  const database = await createTestDatabase(t)
  const { client, ...interceptor } = createInterceptor(database)
  const adapter = withRedisSessions(memoryAdapter(), { client, prefix: database.prefix })
  const other = withRedisSessions(memoryAdapter(), { client: database.client, prefix: database.prefix })
  const record = (sessionToken: string | null, id: string, expires: Date) => ({
    ...{ id, userId: 'ada', sessionToken, provider: 'keycloak', providerSessionId: 'sid' },
    ...{ userAgent: null, address: null, createdAt: inHours(0), lastSeen: inHours(0), expires }
  })
  const create = async (sessionToken: string): Promise<void> => {
    const session = { sessionToken, userId: 'ada', expires: inHours(1) }
    await other.createSession(session, record(sessionToken, `of ${sessionToken}`, inHours(1)))
    await other.putSessionRecord(record(null, `jwt ${sessionToken}`, inHours(1)))
  }
  return { ...database, ...interceptor, adapter, other, record, create }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

/** The calls that write something for a session that exists. */
const writes: readonly (readonly [name: string, call: (setUp: SetUp, token: string) => Promise<unknown>])[] = [
  ['extend', async ({ adapter }, sessionToken) => adapter.updateSession({ sessionToken, expires: inHours(2) })],
  ['shorten', async ({ adapter }, sessionToken) => adapter.updateSession({ sessionToken, expires: inHours(0.5) })],
  ['change nothing', async ({ adapter }, sessionToken) => adapter.updateSession({ sessionToken })],
  ['move', async ({ adapter }, sessionToken) => adapter.updateSession({ sessionToken, userId: 'bob' })],
  [
    'extend the record',
    async ({ adapter, record }, token) => adapter.putSessionRecord(record(token, `of ${token}`, inHours(2)))
  ],
  [
    'extend a record of a JWT session',
    async ({ adapter, record }, token) => adapter.putSessionRecord(record(null, `jwt ${token}`, inHours(2)))
  ],
  [
    'create a record',
    async ({ adapter, record }, token) => adapter.putSessionRecord(record(null, `new ${token}`, inHours(2)))
  ]
]

/** Calls of another process meanwhile. */
const meanwhile: readonly (readonly [name: string, call: (setUp: SetUp, token: string) => Promise<unknown>])[] = [
  ['it is extended', async ({ other }, sessionToken) => other.updateSession({ sessionToken, expires: inHours(3) })],
  ['it is shortened', async ({ other }, sessionToken) => other.updateSession({ sessionToken, expires: inHours(0.1) })],
  ['it is moved', async ({ other }, sessionToken) => other.updateSession({ sessionToken, userId: 'bob' })],
  [
    'its records are extended',
    async ({ other, record }, token) => {
      await other.putSessionRecord(record(token, `of ${token}`, inHours(3)))
      await other.putSessionRecord(record(null, `jwt ${token}`, inHours(3)))
    }
  ],
  [
    'all are listed',
    async ({ other }) => {
      for (const userId of ['ada', 'bob']) {
        await other.listSessions(userId)
        await other.getSessionRecords({ userId })
      }
      await other.getSessionRecords({ provider: 'keycloak', providerSessionId: 'sid' })
    }
  ]
]

/** The index entries of a session and its records that end before them. */
async function findMissing({ client, prefix, record }: SetUp, token: string): Promise<readonly string[]> {
  const { provider, providerSessionId } = record(null, '', inHours(0))
  const digest = createHash('sha256')
    .update(JSON.stringify([provider, providerSessionId]))
    .digest('base64url')
  const entries = await Promise.all(
    [`session:${token}`, ...['of', 'jwt', 'new'].map((id) => `record:${id} ${token}`)].map(async (key) => {
      const [kind, name = ''] = key.split(':')
      const [text, ends] = await Promise.all([client.get(prefix + key), client.pexpiretime(prefix + key)])
      if (text === null) return []
      const { userId } = JSON.parse(text) as { readonly userId: string }
      const indexes = [`${kind}s:${userId}`, ...(kind === 'record' ? [`provider-session:${digest}`] : [])]
      return Promise.all(
        indexes.map(async (index) => {
          const [last, entry] = [await client.pexpiretime(prefix + index), await client.zscore(prefix + index, name)]
          return last < ends || Number(entry) < ends ? `${key} in ${index}` : null
        })
      )
    })
  )
  return entries.flat().filter((entry) => entry !== null)
}

/** More than the commands of any call. */
const maxCommands = 20

await withServer(redis, async (t) => {
  for (const fault of faults)
    await t.test(`an index entry lasts as long as its session and record: a command is ${fault}`, async (t) => {
      const all = await setUp(t)
      for (const [name, write] of writes)
        for (let place = 1; place <= maxCommands; place++) {
          const token = `${name} ${place}`
          await all.create(token)
          const later: (() => Promise<unknown>)[] = []
          all.intercept(place, async (send) => {
            if (fault === 'unanswered') await send()
            if (fault === 'late') later.push(send)
            throw new Error('the connection closed')
          })
          const [outcome] = await Promise.allSettled([write(all, token)])
          const isSent = all.end()
          t.equal(outcome.status, isSent ? 'rejected' : 'fulfilled', token)
          t.strictSame(await findMissing(all, token), [], `${token}: before late commands`)
          for (const send of later) await send()
          t.strictSame(await findMissing(all, token), [], token)
          if (!isSent) break
        }
      for (const userId of ['ada', 'bob']) await all.other.deleteSessions(userId)
      t.strictSame(
        (await all.keys()).filter((key) => key.startsWith(`${all.prefix}session:`)),
        [],
        'every session can be ended'
      )
    })

  for (const [title, act] of meanwhile)
    await t.test(`an index entry lasts as long as its session and record: meanwhile ${title}`, async (t) => {
      const all = await setUp(t)
      for (const [name, write] of writes)
        for (let place = 1; place <= maxCommands; place++) {
          const token = `${name} ${place}`
          await all.create(token)
          all.intercept(place, async (send) => {
            await act(all, token)
            return send()
          })
          await write(all, token)
          const isSent = all.end()
          t.strictSame(await findMissing(all, token), [], token)
          if (!isSent) break
        }
    })

  await t.test('a session that ends while it is extended stays ended', async (t) => {
    const all = await setUp(t)
    for (let place = 1; place <= maxCommands; place++) {
      await all.create('h1.1')
      all.intercept(place, async (send) => {
        await all.other.deleteSessions('ada')
        return send()
      })
      await all.adapter.updateSession({ sessionToken: 'h1.1', expires: inHours(2) })
      if (!all.end()) break
      t.equal(await all.adapter.getSessionAndUser('h1.1'), null)
      t.equal(await all.client.exists(`${all.prefix}session:h1.1`), 0)
      t.strictSame(await all.other.listSessions('ada'), [])
    }
  })

  await t.test('a record has its index entries, even if a command is sent again after all were listed', async (t) => {
    const all = await setUp(t)
    for (let place = 1; place <= maxCommands; place++) {
      all.intercept(place, async (send) => {
        await all.other.getSessionRecords({ userId: 'ada' })
        await all.other.getSessionRecords({ provider: 'keycloak', providerSessionId: 'sid' })
        await send()
        return send()
      })
      await all.adapter.putSessionRecord(all.record(null, `new ${place}`, inHours(1)))
      t.strictSame(await findMissing(all, `${place}`), [])
      if (!all.end()) break
    }
  })

  await t.test('a process whose clock is wrong removes expired entries only', async (t) => {
    const { adapter, client, prefix } = await setUp(t)
    const { now: getTime } = Date
    const create = async (sessionToken: string, offset: number, length: number): Promise<void> => {
      Date.now = () => getTime() + offset
      await adapter.createSession({ sessionToken, userId: 'ada', expires: new Date(Date.now() + length) })
    }
    t.teardown(() => {
      Date.now = getTime
    })
    await create('h1.1', 0, hour / 10)
    await create('h1.2', -hour, 1)
    await create('h1.3', hour, hour)
    t.strictSame(await client.zrange(`${prefix}sessions:ada`, 0, -1), ['h1.1', 'h1.3'])
    await adapter.deleteSessions('ada')
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.equal(await client.exists(`${prefix}session:h1.1`), 0)
  })

  await t.test('a session that is created while all are listed has an index entry', async (t) => {
    const all = await setUp(t)
    for (let place = 1; place <= maxCommands; place++) {
      const session = { sessionToken: `h1.${place}`, userId: 'ada', expires: inHours(1) }
      all.intercept(place, async (send) => {
        await all.other.listSessions('ada')
        await all.other.getSessionRecords({ userId: 'ada' })
        return send()
      })
      await all.adapter.createSession(session, all.record(session.sessionToken, `of ${place}`, inHours(1)))
      t.strictSame(await findMissing(all, session.sessionToken), [])
      if (!all.end()) break
    }
  })
})
