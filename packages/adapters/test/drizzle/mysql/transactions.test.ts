import { newProxy } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import mysql from 'mysql2'
import { newEvent, newTicket } from '../../../src/contract/data.ts'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { until } from '../../until.ts'
import { testLostResponses } from '../lost-responses.ts'
import { ada, adaToken, github } from '../people.ts'
import { getCode } from '../server-under-test.ts'
import { adaRecord, firstSignIn, listTables } from '../sign-in.ts'
import { reuseDatabases } from './databases.ts'
import { getConnections, open } from './locks.ts'
import { createServer, openOther, openPool } from './server.ts'

// @first: the tests wait for time limits and connections.

await withServer(server, async (t) => {
  const getDatabase = reuseDatabases(t)

  await testLostResponses(t, createServer(t), {
    // The responses to the beginning, a look and a deletion, the four rows, and the end.
    firstSignIn: isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 5, 8],
    ...{ commit: 6, consumed: 4 }
  })

  // The responses to the beginning, the two rows, and the end; or to all of them at once.
  for (const [mode, results] of [
    ['ORACLE,STRICT_ALL_TABLES', [1, 2, 3, 4]],
    ['STRICT_ALL_TABLES', [1]]
  ] as const) {
    await t.test(`a session whose response is lost has started once, with its record: ${mode}`, async (t) => {
      const database = await getDatabase(t)
      const proxy = await newProxy(t, server.port)
      await proxy.up()
      const url = database.url.replace(`${server.port}`, `${proxy.port}`)
      const requests: string[] = []
      const pool = openPool(t, { ...database, url }, `sql_mode = '${mode}'`, requests)
      const adapter = mysqlAdapter({ pool })
      await adapter.createUser({ id: 'ada', ...ada })
      const session = { sessionToken: 'h1.1', userId: 'ada', expires: new Date() }
      await adapter.createSession(session, adaRecord)
      await adapter.deleteSession('h1.1')
      requests.length = 0
      await adapter.createSession(session, adaRecord)
      t.equal(requests.length, results.length, requests.join())
      await adapter.deleteSession('h1.1')
      for (const which of results) {
        await adapter.getUser('ada')
        proxy.loseAnswer(which)
        t.strictSame(await adapter.createSession(session, adaRecord), session)
        t.equal((await adapter.getSessionRecords({ userId: 'ada' })).length, 1, `answer ${which}`)
        await adapter.deleteSession('h1.1')
        t.equal((await adapter.getSessionRecords({ userId: 'ada' })).length, 0)
      }
    })

    await t.test(`a session that is refused leaves nothing behind: ${mode}`, async (t) => {
      const database = await getDatabase(t)
      const adapter = mysqlAdapter({ pool: openPool(t, database, `sql_mode = '${mode}'`) })
      await adapter.createUser({ id: 'ada', ...ada })
      const session = { sessionToken: 'h1.1', userId: 'ada', expires: new Date() }
      const other = { ...session, sessionToken: 'h1.2' }
      await adapter.createSession(session, adaRecord)
      await t.rejects(async () => adapter.createSession(session, { ...adaRecord, id: '2' }), { name: 'DuplicateError' })
      await t.rejects(async () => adapter.createSession(other, { ...adaRecord, id: '2' }), { name: 'DuplicateError' })
      const anonymous = adapter.createSession({ ...other, userId: 'nobody' }, { ...adaRecord, sessionToken: 'h1.2' })
      t.match(await getCode(anonymous), /^ER_NO_REFERENCED_ROW/)
      t.equal(await adapter.getSessionAndUser('h1.2'), null)
      t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [adaRecord])
      await adapter.createSession(other, { ...adaRecord, sessionToken: 'h1.2' })
      const moved = [{ ...adaRecord, sessionToken: 'h1.2' }]
      t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), moved, 'a record gives way to one of its id')
      const [open] = await database.raw.query(
        `select trx.* from information_schema.innodb_trx trx
           join information_schema.processlist thread on thread.id = trx.trx_mysql_thread_id
          where thread.db = database()`
      )
      t.strictSame(open, [], 'no transaction is left open in this database')
    })
  }

  await t.test('a connection that hangs is given up, and the next is answered', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const limits = { max: 1, statementTimeout: 1000 }
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) }, limits)
    await adapter.createVerificationToken(adaToken)
    proxy.hang()
    t.equal(await adapter.transact(firstSignIn), true, 'on another connection')
    t.equal(await listTables(adapter), 'everything')
    proxy.hang()
    t.match(await adapter.getUser('ada'), { id: 'ada' })
  })

  await t.test('a deadlock is tried again from the beginning', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createVerificationToken(adaToken)
    await adapter.transact(firstSignIn)
    const other = openOther(t, database)
    // The server gives up the transaction that has written less.
    const rows = Array.from({ length: 50 }, (_, i) => `('${i}', '${i}', now())`)
    await other.query(`begin; insert into verificationToken values ${rows}; update session set expires = now()`)
    const done = adapter.transact([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'deleteSession', args: ['h1.1'] }
    ])
    await until(async () => (await getConnections(database, 'delete `session`')).length > 0)
    // It holds the user, and waits for the session; now we wait for the user.
    await other.query(`update user set image = 'ada.png'; commit`)
    t.equal(await done, true)
    t.match(await adapter.getUser('ada'), { name: 'Ada', image: 'ada.png' })
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [])
  })

  await t.test('a deletion locks events last, as other transactions do', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createUser({ id: 'ada', ...ada })
    await adapter.createTicket(newTicket({ userId: 'ada' }))
    await adapter.addEvents([newEvent({ userId: 'ada' })])
    const other = openOther(t, database)
    await other.query(`begin; update postern_ticket set tries = 1 where userId = 'ada'`)
    const deleted = adapter.deleteUser('ada')
    await until(async () => (await getConnections(database, 'delete from `postern_ticket`')).length > 0)
    // The deletion waits for the ticket. If it held the events, the server would give up one of the transactions.
    await other.query(`insert into postern_event (id, time, type, userId) values ('2', now(), 'test', 'ada'); commit`)
    t.match(await deleted, { id: 'ada' })
    t.equal((await adapter.listEvents({ userId: 'ada', limit: 3 })).length, 2, 'both events stay')
  })

  await t.test('a row that has changed since it was read is read again', async (t) => {
    const database = await getDatabase(t)
    const [variables] = await database.raw.query(`show variables like 'innodb_snapshot_isolation'`)
    if (Array.isArray(variables) && variables.length === 0) {
      t.pass('only MariaDB has this isolation', { skip: 'this is MySQL' })
      return
    }
    await open(t, database).createVerificationToken(adaToken)
    const adapter = mysqlAdapter({ pool: openPool(t, database, 'innodb_snapshot_isolation = on') })
    await adapter.createUser({ id: 'ada', ...ada })
    const other = openOther(t, database)
    await other.query('begin; delete from verificationToken')
    const done = adapter.transact([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'useVerificationToken', args: [adaToken] }
    ])
    await until(async () => (await getConnections(database, 'delete from `verificationToken`')).length > 0)
    await other.query('commit')
    t.equal(await done, false)
    t.equal((await adapter.getUser('ada'))?.name, null, 'nothing was written')
  })

  await t.test('a database that turns read-only is read, and written again when it may be', async (t) => {
    const database = await getDatabase(t)
    await open(t, database).createVerificationToken(adaToken)
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 1 })
    t.teardown(() => pool.promise().end())
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    await pool.promise().query('set session transaction read only')
    const refused = 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'
    t.equal(await getCode(adapter.transact(firstSignIn)), refused)
    t.equal(await getCode(adapter.createUserWithAccount(ada, github)), refused)
    t.equal(await getCode(adapter.revoke('user:ada', new Date())), refused)
    t.equal(await listTables(adapter), 'nothing')
    await pool.promise().query('set session transaction read write')
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
  })

  await t.test('a full connection queue is an error', async (t) => {
    const pool = mysql.createPool({ uri: (await getDatabase(t)).url, connectionLimit: 1, queueLimit: 1 })
    t.teardown(() => pool.promise().end())
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    const taken = await pool.promise().getConnection()
    const waiting = adapter.getUser('1')
    t.equal(await getCode(adapter.getUser('1')), 'ER_CON_COUNT_ERROR')
    taken.release()
    t.equal(await waiting, null)
  })

  await t.test('no request waits for the deletion of expired rows', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createUser({ id: 'ada', ...ada })
    await adapter.createSession({ sessionToken: 'old', userId: 'ada', expires: new Date(0) })
    const other = openOther(t, database)
    await other.query(`select get_lock('${database.name}', 0);
      create trigger slow before delete on session for each row do get_lock('${database.name}', 60)`)
    let isDeleted = false
    const clean = async () => {
      await adapter.deleteExpired(new Date(1), 1000)
      isDeleted = true
    }
    const deleted = clean()
    await until(async () => (await getConnections(database, 'User lock')).length > 0)
    await adapter.createSession({ sessionToken: 'new', userId: 'ada', expires: new Date() })
    t.notOk(isDeleted, 'the session started in the meantime')
    await other.query(`do release_lock('${database.name}')`)
    await deleted
    t.ok(await adapter.getSessionAndUser('new'))
    t.equal(await adapter.getSessionAndUser('old'), null)
    await other.query('drop trigger slow')
  })
})
