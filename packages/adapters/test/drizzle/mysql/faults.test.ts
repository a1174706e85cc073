import { inspect } from 'node:util'
import { newProxy } from '@postern/testkit'
import mysql from 'mysql2'
import { DuplicateError, mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { until } from '../../until.ts'
import { ada, adaToken, github } from '../people.ts'
import { createTestDatabase, reuseDatabases } from './databases.ts'
import { blocked, endBlocked, getCode, getConnections, open, whileLocked } from './locks.ts'

await withServer(server, async (t) => {
  const getDatabase = reuseDatabases(t)

  await t.test('a look-up that is ended while it runs is run again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUser(ada)
    const ended = new Set<number>()
    await whileLocked(database, 'user write', async (release) => {
      const found = adapter.getUser(user.id)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.strictSame(await found, user)
    })
  })

  await t.test('a transaction that is ended while it runs takes effect once, or not at all', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.ready()
    const ended = new Set<number>()
    await whileLocked(database, 'account read', async () => {
      const created = getCode(adapter.createUserWithAccount(ada, github))
      for (let tries = 0; tries < 4; tries += 1) await endBlocked(database, ended)
      t.match(await created, /^(PROTOCOL_CONNECTION_LOST|ER_1927)$/)
    })
    t.equal(await adapter.getUserByEmail(ada.email), null)
    await whileLocked(database, 'account read', async (release) => {
      const created = adapter.createUserWithAccount(ada, github)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.strictSame(await created, await adapter.getUserByAccount(github))
    })
    const [rows] = await database.raw.query('select count(*) as users from user')
    t.match(rows, [{ users: 1 }])
  })

  await t.test('a write whose response is lost is looked up, not repeated', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    const user = await adapter.createUser(ada)
    const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date() }
    proxy.loseAnswer()
    t.strictSame(await adapter.createSession(session), session)
    await adapter.getUser(user.id)
    proxy.loseAnswer()
    t.strictSame(await adapter.createVerificationToken(adaToken), adaToken)
    await adapter.getUser(user.id)
    proxy.loseAnswer()
    const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    t.strictSame(await adapter.getUserByEmail('bob@example.com'), bob)
    proxy.loseAnswer()
    await adapter.linkAccount({ ...github, provider: 'gitlab', userId: bob.id })
    t.equal((await adapter.getAccounts(bob.id)).length, 1)
    // The responses to the beginning, the two rows, and the end.
    for (const which of [1, 2, 3, 4]) {
      const account = { ...github, providerAccountId: `${which}` }
      await adapter.getUser(user.id)
      proxy.loseAnswer(which)
      const created = await adapter.createUserWithAccount({ email: `${which}`, emailVerified: null }, account)
      t.strictSame(await adapter.getUserByAccount(account), created)
    }
    await adapter.getUser(user.id)
    proxy.loseAnswer(2)
    t.type(
      await getCode(adapter.useVerificationToken(adaToken)),
      'string',
      'consumed, but it is unknown by which caller'
    )
    t.equal(await adapter.useVerificationToken(adaToken), null, 'never twice')
    const [rows] = await database.raw.query(
      'select (select count(*) from session) as sessions, (select count(*) from user) as users'
    )
    t.match(rows, [{ sessions: 1, users: 6 }])
  })

  await t.test('a statement that takes too long is given up, and the next is answered', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { statementTimeout: 100 })
    await adapter.ready()
    await whileLocked(database, 'user write', async () => {
      t.match(await getCode(adapter.getUser('1')), /^ER_(1969|QUERY_TIMEOUT)$/)
    })
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('a deadlock is tried again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUserWithAccount(ada, github)
    await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date() })
    const other = mysql.createConnection({ uri: database.url, multipleStatements: true }).promise()
    t.teardown(() => other.end())
    // The server gives up the transaction that has written less.
    const rows = Array.from({ length: 50 }, (_, i) => `('${i}', '${i}', now())`)
    await other.query(`begin; insert into verificationToken values ${rows}; update user set name = 'Countess'`)
    const deleted = adapter.deleteUser(user.id)
    await until(async () => (await getConnections(database, 'delete from `user`')).length > 0)
    // It holds the session, and waits for the user; now we wait for the session.
    await other.query('update session set expires = now(); commit')
    t.match(await deleted, { id: user.id })
    t.equal(await adapter.getUserByAccount(github), null)
  })

  await t.test('a database that is down at start is found when it is up', async (t) => {
    const database = await createTestDatabase(t)
    const proxy = await newProxy(t, server.port)
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    t.equal(await getCode(adapter.ready()), 'ECONNREFUSED')
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED', 'an outage is never "not there"')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
    await proxy.down()
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('of many first sign-ins on two instances one wins, and the others get the reason', async (t) => {
    const database = await getDatabase(t)
    const adapters = [open(t, database), open(t, database)] as const
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => adapters[i % 2 === 0 ? 0 : 1].createUserWithAccount(ada, github))
    )
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected')
    t.equal(losers.length, 19)
    t.strictSame([...new Set(losers.map(({ reason }) => reason.name))], ['DuplicateError'])
    t.ok(losers.every(({ reason }) => reason instanceof DuplicateError))
    t.equal((await adapters[0].getUserByAccount(github))?.email, ada.email)
  })

  await t.test('no error contains the values of the statement', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUserWithAccount({ ...ada, name: 'secret' }, { ...github, access_token: 'secret' })
    const calls = [
      () => adapter.createUser({ ...ada, name: 'secret' }),
      () => adapter.linkAccount({ ...github, userId: user.id, access_token: 'secret' }),
      () => adapter.linkAccount({ ...github, providerAccountId: 'secret', userId: 'secret' }),
      () => adapter.createUser({ email: 'secret'.repeat(50), emailVerified: null })
    ]
    for (const call of calls) {
      const [outcome] = await Promise.allSettled([call()])
      t.equal(outcome.status, 'rejected')
      t.notMatch(inspect(outcome, { depth: 10, showHidden: true }), /secret|ada@example/)
    }
  })

  await t.test('a server that would truncate values is refused', async (t) => {
    const database = await getDatabase(t)
    const pool = mysql.createPool({ uri: database.url })
    pool.on('connection', (connection) => connection.query(`set session sql_mode = ''`))
    const adapter = mysqlAdapter({ pool })
    await t.rejects(adapter.ready(), {
      code: 'Setting',
      message: /expected sql_mode to be one with STRICT_TRANS_TABLES/
    })
    await adapter.close()
    await pool.promise().end()
  })

  await t.test('what is not a pool is refused', async (t) => {
    const connection = mysql.createConnection({ uri: (await getDatabase(t)).url })
    t.teardown(() => connection.promise().end())
    const db = { $client: connection.promise() }
    // @ts-expect-error A connection is not a pool.
    t.throws(() => mysqlAdapter({ db }), { name: 'ConfigError', message: /expected a pool of mysql2/ })
  })
})
