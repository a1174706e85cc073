import { newProxy } from '@postern/testkit'
import mysql from 'mysql2'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { ada, adaToken, github } from '../people.ts'
import { testFaults } from '../server-faults.ts'
import { getCode } from '../server-under-test.ts'
import { open } from './locks.ts'
import { createServer } from './server.ts'

await withServer(server, async (t) => {
  const underTest = createServer(t)
  const { getDatabase } = underTest

  await testFaults(t, underTest)

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
