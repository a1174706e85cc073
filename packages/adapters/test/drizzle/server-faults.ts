import { inspect } from 'node:util'
import { isLong, some, times } from '@postern/testkit/long'
import type { Test } from 'tap'
import { DuplicateError } from '../../src/duplicate-error.ts'
import { signInUnderKills } from './kills.ts'
import { ada, adaToken, github } from './people.ts'
import { getCode, openProxy, type ServerUnderTest } from './server-under-test.ts'
import { adaRecord, firstSignIn, listTables } from './sign-in.ts'

/** Declares the tests of a server whose connections end, that is slow, full or down. */
export async function testFaults<D extends { readonly url: string }>(
  t: Test,
  server: ServerUnderTest<D>
): Promise<void> {
  const { open, getDatabase, whileLocked, blocked, endBlocked, endIdle, codes } = server

  const replaceIdle = async (t: Test, openBy: typeof open) => {
    const database = await getDatabase(t)
    const adapter = openBy(t, database)
    await Promise.all(Array.from({ length: 6 }, () => adapter.createUser({ email: null, emailVerified: null })))
    // A server may call a connection busy for a moment after its last response.
    for (let ended = 0; ended < 2; ) ended += await endIdle(database)
    const user = await adapter.createUserWithAccount(ada, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    await endIdle(database)
    await adapter.createVerificationToken(adaToken)
    await endIdle(database)
    t.strictSame(await adapter.useVerificationToken(adaToken), adaToken)
  }

  const endTransaction = async (t: Test, openBy: typeof open) => {
    const database = await getDatabase(t)
    const adapter = openBy(t, database)
    await adapter.createVerificationToken(adaToken)
    const ended = new Set<number>()
    await whileLocked(database, 'account', async () => {
      const done = getCode(adapter.transact(firstSignIn))
      for (let tries = 0; tries < 4; tries += 1) await endBlocked(database, ended)
      t.match(await done, codes.ended)
    })
    t.equal(await listTables(adapter), 'nothing')
    await whileLocked(database, 'account', async (release) => {
      const done = adapter.transact(firstSignIn)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.equal(await done, true)
    })
    t.equal(await listTables(adapter), 'everything')
  }

  const interrupted = {
    'connections that are closed while idle are replaced, and the process keeps running': replaceIdle,
    'a transaction that is ended while it runs takes effect once, or not at all': endTransaction
  }
  const interruptions = Object.entries(server.methods).flatMap(([method, openBy]) =>
    Object.entries(interrupted).map(([title, run]) => ({ method, openBy: openBy as typeof open, title, run }))
  )
  for (const { method, openBy, title, run } of some(interruptions, ({ method, title }) => [method, title], 1))
    await t.test(`${method}: ${title}`, (t) => run(t, openBy))

  await t.test('a look-up that is ended while it runs is run again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUser(ada)
    const ended = new Set<number>()
    await whileLocked(database, 'user', async (release) => {
      const found = adapter.getUser(user.id)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.strictSame(await found, user)
    })
  })

  await t.test('a statement that takes too long is given up, and the next is answered', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { statementTimeout: 100 })
    await adapter.ready()
    await whileLocked(database, 'user', async () => t.match(await getCode(adapter.getUser('1')), codes.slow))
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('a slow database blocks neither the process nor more connections than allowed', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { max: 2, statementTimeout: isLong ? 1000 : 500 })
    await adapter.createVerificationToken(adaToken)
    let maxDuration = 0
    let last = performance.now()
    const ticks = setInterval(() => {
      maxDuration = Math.max(maxDuration, performance.now() - last)
      last = performance.now()
    }, 10)
    await whileLocked(database, 'user', async () => {
      const calls = Array.from({ length: 6 }, () => getCode(adapter.transact(firstSignIn)))
      await blocked(database)
      t.ok((await server.countConnections(database)) <= 2, 'two connections')
      for (const code of await Promise.all(calls)) t.match(code, codes.slow)
    })
    clearInterval(ticks)
    t.ok(maxDuration < 1000, `the event loop was never held up for long: ${Math.round(maxDuration)} ms`)
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
  })

  await t.test('a disk that fills up in the middle leaves nothing half-written', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createVerificationToken(adaToken)
    await server.run(database, server.fullDisk.fill)
    t.match(await getCode(adapter.transact(firstSignIn)), codes.full)
    t.equal(await listTables(adapter), 'nothing')
    await server.run(database, server.fullDisk.free)
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
  })

  await t.test('expired rows are deleted without waiting for rows that are in use', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { statementTimeout: 2000 })
    await adapter.createVerificationToken(adaToken)
    await adapter.transact(firstSignIn)
    const ended = new Date(0)
    for (const sessionToken of ['used', 'old'])
      await adapter.createSession({ sessionToken, userId: 'ada', expires: ended })
    await adapter.putSessionRecord({ ...adaRecord, id: 'r2', sessionToken: null, expires: ended })
    await adapter.revoke('user:ada', ended)
    await server.run(database, `insert into postern_lock values ('refresh', 'nobody', 0)`)
    await server.whileUsed(t, database, async () =>
      t.equal(await adapter.deleteExpired(new Date(1), 1000), 4, 'a session, a record, a revocation and a lease')
    )
    t.equal(await adapter.deleteExpired(new Date(1), 1000), 0, 'the session that was in use remains valid')
    t.ok(await adapter.getSessionAndUser('used'))
    t.strictSame(
      (await adapter.getSessionRecords({ userId: 'ada' })).map(({ id }) => id),
      ['r1']
    )
  })

  await t.test('a database that is down at start is found when it is up', async (t) => {
    const proxy = await openProxy(t, server, await server.createDatabase(t))
    const adapter = open(t, proxy)
    t.equal(await getCode(adapter.ready()), 'ECONNREFUSED')
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED', 'an outage is never "not there"')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
    await proxy.down()
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('connections that are ended at any moment lose no one and double no one', async (t) => {
    const database = await getDatabase(t)
    const adapters = [open(t, database, { max: 4 }), open(t, database, { max: 4 })] as const
    await adapters[0].ready()
    const rows = () => server.readRows(database)
    await signInUnderKills(t, adapters, { rows, kill: () => server.endAny(database) })
  })

  await t.test('of many first sign-ins on two instances one wins, and the others get the reason', async (t) => {
    const database = await getDatabase(t)
    const adapters = [open(t, database, { max: 4 }), open(t, database, { max: 4 })] as const
    const callers = times(8, 20)
    const outcomes = await Promise.allSettled(
      Array.from({ length: callers }, (_, i) => adapters[i % 2 === 0 ? 0 : 1].createUserWithAccount(ada, github))
    )
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected')
    t.equal(losers.length, callers - 1)
    t.ok(losers.every(({ reason }) => reason instanceof DuplicateError))
    t.equal((await adapters[0].getUserByAccount(github))?.email, ada.email)
  })

  await t.test('no error contains the values of the statement', async (t) => {
    const adapter = open(t, await getDatabase(t))
    const user = await adapter.createUserWithAccount({ ...ada, name: 'secret' }, { ...github, access_token: 'secret' })
    const calls = [
      () => adapter.createUser({ ...ada, name: 'secret' }),
      () => adapter.linkAccount({ ...github, userId: user.id, access_token: 'secret' }),
      () => adapter.linkAccount({ ...github, providerAccountId: 'secret', userId: 'secret' }),
      () => adapter.createUser({ email: server.refusedEmail, emailVerified: null })
    ]
    for (const call of calls) {
      const [outcome] = await Promise.allSettled([call()])
      t.equal(outcome.status, 'rejected')
      t.notMatch(inspect(outcome, { depth: 10, showHidden: true }), /secret|ada@example/)
    }
  })
}
