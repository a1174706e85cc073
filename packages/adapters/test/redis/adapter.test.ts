import { inspect } from 'node:util'
import type { AdapterCall, SessionRecord } from '@postern/core'
import { newProxy } from '@postern/testkit'
import { Redis } from 'ioredis'
import { memoryAdapter } from '../../src/memory/index.ts'
import {
  DatabaseError,
  DuplicateError,
  type RedisClient,
  redisRevocations,
  withRedisSessions
} from '../../src/redis/index.ts'
import { ada, adaToken, github } from '../drizzle/people.ts'
import { redis, withServer } from '../servers.ts'
import { createTestDatabase } from './clients.ts'

const nothing = { provider: null, providerSessionId: null, userAgent: null, address: null, data: null }

/** The record of a JWT session. */
const createRecord = (userId: string, expires: Date): SessionRecord => ({
  ...{ id: '', userId, sessionToken: null, createdAt: new Date(), lastSeen: new Date(), expires },
  ...nothing
})

await withServer(redis, async (t) => {
  await t.test('a session and its user are one command and one query', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const requests: string[] = []
    const counting: RedisClient = {
      call: (command, ...args) => {
        requests.push(command)
        return client.call(command, ...args)
      }
    }
    const users = memoryAdapter()
    const counted = {
      ...users,
      getUserVersion: (id: string) => {
        requests.push('getUserVersion')
        return users.getUserVersion(id)
      },
      findUserVersion: (by: Parameters<typeof users.findUserVersion>[0]) => {
        requests.push('findUserVersion')
        return users.findUserVersion(by)
      }
    }
    const adapter = withRedisSessions(counted, { client: counting, prefix })
    const user = await adapter.createUserWithAccount(ada, github)
    const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date(Date.now() + 60_000) }
    const commands = async (call: () => unknown) => {
      requests.length = 0
      await call()
      return requests.join(' ')
    }
    t.equal(await commands(() => adapter.createSession(session)), 'getUserVersion SET EVAL')
    t.equal(await commands(() => adapter.getSessionAndUser('h1.1')), 'GET findUserVersion')
    t.equal(await commands(() => adapter.getSessionAndUser('h1.2')), 'GET')
    t.equal(await commands(() => adapter.updateSession(session)), 'GET EVAL EVAL')
    t.equal(await commands(() => adapter.deleteSession('h1.1')), 'GETDEL ZREM')
    t.equal(await commands(() => adapter.revoke('user:1', new Date())), 'EVAL')
    t.equal(await commands(() => adapter.getRevocations(['user:1', 'session:1'])), 'EVAL')
    t.equal(await commands(() => adapter.listRevocations(new Date(), 10)), 'EVAL')
    t.equal(await commands(() => adapter.createVerificationToken(adaToken)), 'SET')
    t.equal(await commands(() => adapter.useVerificationToken(adaToken)), 'GETDEL')
    t.equal(await users.getSessionAndUser('h1.1'), null, 'nothing goes to the other store')
  })

  await t.test('every key expires a minute after its content', async (t) => {
    const { client, prefix, keys } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    const { id } = await adapter.createUser(ada)
    const ends = Date.now() + 3_600_000
    await adapter.createSession({ sessionToken: 'h1.1', userId: id, expires: new Date(ends) })
    await adapter.createSession({ sessionToken: 'h1.2', userId: id, expires: new Date(ends - 60_000) })
    await adapter.createVerificationToken({ ...adaToken, expires: new Date(ends) })
    t.equal(await client.pexpiretime(`${prefix}session:h1.1`), ends + 60_000)
    t.equal(await client.pexpiretime(`${prefix}sessions:${id}`), ends + 60_000, 'the notes last as long as the last')
    await adapter.updateSession({ sessionToken: 'h1.1', expires: new Date(ends + 1) })
    t.equal(await client.pexpiretime(`${prefix}session:h1.1`), ends + 60_001)
    t.equal(await client.pexpiretime(`${prefix}sessions:${id}`), ends + 60_001)
    const all = await keys()
    t.equal(all.length, 4)
    for (const key of all) t.ok((await client.pttl(key)) > 0, 'it ends')
    t.notOk(
      all.some((key) => key.includes('ada@')),
      'no key shows an address'
    )
  })

  await t.test('a record ends with its session, and leaves no key', async (t) => {
    const { client, prefix, keys } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    const { id: userId } = await adapter.createUser(ada)
    const ends = Date.now() + 3_600_000
    const record = (sessionToken: string | null) => ({
      id: `record of ${sessionToken}`,
      userId,
      sessionToken,
      provider: 'keycloak',
      providerSessionId: 'sid',
      userAgent: 'Mozilla',
      address: '192.0.2.1',
      createdAt: new Date(),
      lastSeen: new Date(),
      expires: new Date(ends)
    })
    const begin = (sessionToken: string) =>
      adapter.createSession({ sessionToken, userId, expires: new Date(ends) }, record(sessionToken))
    await begin('h1.1')
    t.equal(await client.pexpiretime(`${prefix}record:record of h1.1`), ends + 60_000, 'the record expires')
    t.equal(await client.pexpiretime(`${prefix}records:${userId}`), ends + 60_000, 'and so do the notes')
    t.equal((await keys()).length, 5)
    await adapter.updateSession({ sessionToken: 'h1.1', expires: new Date(ends + 1) })
    await adapter.deleteSession('h1.1')
    t.strictSame(await keys(), [], 'after a session was ended')
    await begin('h1.1')
    await begin('h1.2')
    await adapter.putSessionRecord(record(null))
    await adapter.deleteSessions(userId)
    t.match(
      await adapter.getSessionRecords({ userId }),
      [{ sessionToken: null }],
      'the record of a JWT session is left'
    )
    await adapter.deleteSessionRecord('record of null')
    t.strictSame(await keys(), [], 'after all were ended')
    await begin('h1.1')
    await adapter.putSessionRecord({ ...record('h1.2'), id: 'record of h1.1' })
    await adapter.deleteSession('h1.1')
    t.equal((await adapter.getSessionRecords({ userId })).length, 1, 'a record that went to another session is left')
    await adapter.deleteUser(userId)
    t.strictSame(await keys(), [], 'after the user was deleted')
  })

  await t.test('a session ends with the version of its user, before it is deleted', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const users = memoryAdapter()
    const adapter = withRedisSessions(users, { client, prefix })
    const { id: userId } = await adapter.createUser(ada)
    const session = (sessionToken: string) => ({ sessionToken, userId, expires: new Date(Date.now() + 60_000) })
    await adapter.createSession(session('h1.1'))
    const advance = { userId, expected: null, version: Date.now(), changeId: '1', raises: true, until: new Date() }
    // The transaction of the other store is all that a process has made when it ends.
    await users.advanceUser(advance)
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.strictSame(await adapter.listSessions(userId), [])
    await adapter.createSession(session('h1.2'))
    t.match(await adapter.listSessions(userId), [{ sessionToken: 'h1.2' }], 'a later one counts')
  })

  await t.test('a transaction that is refused takes back what it has written to Redis', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const users = memoryAdapter()
    const adapter = withRedisSessions(users, { client, prefix })
    const { id: userId } = await adapter.createUser(ada)
    const session = (sessionToken: string) => ({ sessionToken, userId, expires: new Date(Date.now() + 60_000) })
    await adapter.createSession(session('h1.1'))
    await adapter.createVerificationToken(adaToken)
    const calls = (version: number, email: string | null) =>
      [
        { method: 'requireUserVersion', args: [userId, version] },
        { method: 'useVerificationToken', args: [adaToken] },
        { method: 'deleteSession', args: ['h1.1'], isRequired: true },
        { method: 'createSession', args: [session('h1.2')] },
        { method: 'requireAddress', args: [userId, email] }
      ] as const
    for (const refused of [calls(5, ada.email), calls(0, 'another@example.com')]) {
      t.equal(await adapter.transact(refused), false)
      t.ok(await adapter.getSessionAndUser('h1.1'), 'the session is left')
      t.equal(await adapter.getSessionAndUser('h1.2'), null)
      t.ok(await adapter.getVerificationToken(adaToken), 'the token can still be used')
    }
    t.equal(await adapter.transact(calls(0, ada.email)), true)
    t.match(await adapter.listSessions(userId), [{ sessionToken: 'h1.2' }])
    t.equal(await adapter.transact(calls(0, ada.email)), false, 'a token is used once')
  })

  await t.test('end-1: what another transaction has ended does not return with one that is refused', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const users = memoryAdapter()
    const adapter = withRedisSessions(users, { client, prefix })
    const { id: userId } = await adapter.createUser(ada)
    const until = new Date(Date.now() + 60_000)
    await adapter.createSession({ sessionToken: 'h1.1', userId, expires: until })
    const advance = (version: number, raises: boolean, expected: number | null = 0) =>
      ({ method: 'advanceUser', args: [{ userId, expected, version, changeId: '', raises, until }] }) as const
    const deletion = (isRequired: boolean) => ({ method: 'deleteSession', args: ['h1.1'], isRequired }) as const
    const overlap = async (calls: readonly AdapterCall[], ending: readonly AdapterCall[]): Promise<boolean> => {
      const slow = withRedisSessions(
        {
          ...users,
          transact: async (others: readonly AdapterCall[]) => {
            t.ok(await adapter.transact(ending), 'another change comes first')
            return users.transact(others)
          }
        },
        { client, prefix }
      )
      return slow.transact(calls)
    }
    const version = async (): Promise<number> => (await adapter.getUserVersion(userId))?.version ?? 0
    // One session is signed out while it gets a new token.
    t.notOk(await overlap([advance(1, false), deletion(true)], [advance(1, false, null), deletion(false)]))
    t.equal(await adapter.getSessionAndUser('h1.1'), null, 'it stays ended')
    for (const ahead of [0, 5]) {
      const before = await version()
      const calls = [advance(before + 1 + ahead, true, before)]
      t.notOk(await overlap(calls, [advance(before + 1, true, before)]))
      const [revoked] = await adapter.getRevocations([`user:${userId}`])
      t.ok((revoked?.version ?? 0) >= (await version()), 'JWT sessions stay ended')
    }
  })

  await t.test('an end whose transaction fails does not end what begins later', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const users = memoryAdapter()
    let isLost = false
    const transact: typeof users.transact = async (calls) => {
      if (isLost) throw new Error('lost')
      return users.transact(calls)
    }
    const adapter = withRedisSessions({ ...users, transact }, { client, prefix })
    const { id: userId } = await adapter.createUser(ada)
    const until = new Date(Date.now() + 60_000)
    isLost = true
    const end = { userId, expected: null, version: Date.now(), changeId: '', raises: true, until }
    await t.rejects(async () => adapter.transact([{ method: 'advanceUser', args: [end] }]))
    isLost = false
    const signIn = async (): Promise<number> => {
      const { version = 0 } = (await adapter.getUserVersion(userId)) ?? {}
      const record = { ...createRecord(userId, until), id: `${version}` }
      await adapter.transact([
        { method: 'requireUserVersion', args: [userId, version] },
        { method: 'putSessionRecord', args: [record] }
      ])
      return version
    }
    await t.rejects(signIn(), 'it has to be repeated')
    const version = await signIn()
    const [revoked] = await adapter.getRevocations([`user:${userId}`])
    t.ok(version >= (revoked?.version ?? 0))
  })

  await t.test('an adapter without transactions does not get any', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const { transact, ...users } = memoryAdapter()
    t.equal('transact' in withRedisSessions(users, { client, prefix }), false)
    const { revoke, getRevocations, listRevocations, ...rest } = redisRevocations({ client, prefix })
    t.strictSame(rest, {}, 'revocations alone are three methods')
    const until = new Date(Date.now() + 60_000)
    const version = await revoke('user:1', until)
    t.strictSame(await getRevocations(['user:1', 'user:2']), [{ subject: 'user:1', version, until }])
    t.strictSame(await withRedisSessions(users, { client, prefix }).listRevocations(new Date(version), 10), [
      { subject: 'user:1', version, until }
    ])
  })

  await t.test('revocations are forgotten when they have ended, and then their keys', async (t) => {
    const { client, prefix, keys } = await createTestDatabase(t)
    const { revoke } = redisRevocations({ client, prefix })
    const last = Date.now() + 3_600_000
    for (let i = 0; i < 150; i += 1) await revoke(`session:${i}`, new Date(Date.now() + (i === 0 ? 3_600_000 : 20)))
    await revoke('user:1', new Date(last))
    await new Promise((resolve) => setTimeout(resolve, 30))
    await revoke('user:2', new Date(last))
    await revoke('user:2', new Date(last))
    const versions = `${prefix}{revocations}:versions`
    t.strictSame((await client.zrange(versions, 0, -1)).sort(), ['session:0', 'user:1', 'user:2'])
    t.equal(await client.zcard(`${prefix}{revocations}:ends`), 3)
    for (const key of await keys()) {
      const ends = await client.pexpiretime(key)
      t.ok(ends >= last + 60_000 && ends < last + 70_000, 'the keys last as long as the last')
    }
    t.equal((await keys()).length, 2)
  })

  await t.test('a note without a session is dropped when it is met', async (t) => {
    const { client, prefix, keys } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    const { id } = await adapter.createUser(ada)
    for (const sessionToken of ['h1.1', 'h1.2']) {
      await adapter.createSession({ sessionToken, userId: id, expires: new Date(Date.now() + 60_000) })
    }
    await client.del(`${prefix}session:h1.1`)
    t.strictSame(
      (await adapter.listSessions(id)).map(({ sessionToken }) => sessionToken),
      ['h1.2']
    )
    t.strictSame(await client.zrange(`${prefix}sessions:${id}`, 0, -1), ['h1.2'])
    await adapter.deleteSessions(id)
    t.strictSame(await keys(), [])
  })

  await t.test('sessions that begin while all are ended are ended by the next', async (t) => {
    const { client, prefix, keys } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    const { id } = await adapter.createUser(ada)
    const expires = new Date(Date.now() + 60_000)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 10 === 9
          ? adapter.deleteSessions(id)
          : adapter.createSession({ sessionToken: `h1.${i}`, userId: id, expires })
      )
    )
    const left = (await keys()).filter((key) => key.includes(':session:'))
    t.equal((await adapter.listSessions(id)).length, left.length, 'each that is left is known')
    await adapter.deleteSessions(id)
    t.strictSame(await keys(), [])
  })

  await t.test('a deleted user has no session, even if Redis fails', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    let isDown = false
    const failing: RedisClient = {
      call: (...args) => (isDown ? Promise.reject(new Error('down')) : client.call(...args))
    }
    const adapter = withRedisSessions(memoryAdapter(), { client: failing, prefix })
    const { id } = await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: 'h1.1', userId: id, expires: new Date(Date.now() + 60_000) })
    isDown = true
    await t.rejects(async () => adapter.deleteUser(id), DatabaseError)
    isDown = false
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
  })

  await t.test('an outage is an error, never "not found", and without the arguments', async (t) => {
    const proxy = await newProxy(t, redis.port)
    await proxy.up()
    const client = new Redis({ port: proxy.port, maxRetriesPerRequest: 0, retryStrategy: () => 10 })
    client.on('error', () => undefined)
    t.teardown(() => client.disconnect())
    const { prefix } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    t.equal(await adapter.getSessionAndUser('h1.secret'), null)
    await proxy.down()
    const calls = [
      () => adapter.getSessionAndUser('h1.secret'),
      () => adapter.createSession({ sessionToken: 'h1.secret', userId: 'secret', expires: new Date() }),
      () => adapter.useVerificationToken({ identifier: 'secret', token: 'secret' })
    ]
    for (const call of calls) {
      const [outcome] = await Promise.allSettled([call()])
      t.match(outcome, { status: 'rejected', reason: { name: 'DatabaseError' } })
      t.notMatch(inspect(outcome, { depth: 10, showHidden: true }), /secret/)
    }
    await proxy.up()
    t.equal(await adapter.getSessionAndUser('h1.secret'), null)
  })

  await t.test('a command that is sent again after its response was lost does not meet itself', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const twice: RedisClient = {
      call: async (command, ...args) => {
        if (command === 'SET') await client.call(command, ...args)
        return client.call(command, ...args)
      }
    }
    const adapter = withRedisSessions(memoryAdapter(), { client: twice, prefix })
    const { id } = await adapter.createUser(ada)
    const session = { sessionToken: 'h1.1', userId: id, expires: new Date(Date.now() + 60_000) }
    t.same(await adapter.createSession(session), session)
    t.strictSame(await adapter.listSessions(id), [session])
    await t.rejects(async () => adapter.createSession(session), DuplicateError, 'another call does')
    t.same(await adapter.createVerificationToken(adaToken), adaToken)
    t.strictSame(await adapter.useVerificationToken(adaToken), adaToken)
  })

  await t.test('a token that is there already is a DuplicateError', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const adapter = withRedisSessions(memoryAdapter(), { client, prefix })
    const session = { sessionToken: 'h1.1', userId: '1', expires: new Date() }
    await adapter.createSession(session)
    await adapter.createVerificationToken(adaToken)
    await t.rejects(async () => adapter.createSession(session), DuplicateError)
    await t.rejects(async () => adapter.createVerificationToken(adaToken), DuplicateError)
  })

  await t.test('two prefixes share nothing', async (t) => {
    const { client, prefix } = await createTestDatabase(t)
    const [one, other] = ['a', 'b'].map((name) =>
      withRedisSessions(memoryAdapter(), { client, prefix: `${prefix}${name}:` })
    )
    await one?.createVerificationToken(adaToken)
    t.equal(await other?.useVerificationToken(adaToken), null)
    t.strictSame(await one?.useVerificationToken(adaToken), adaToken)
  })
})
