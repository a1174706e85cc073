import { setTimeout as delay } from 'node:timers/promises'
import type { AdapterCall } from '@postern/core'
import { newProxy } from '@postern/testkit'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { isLong, some } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../../../src/contract/data.ts'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { until } from '../../until.ts'
import { signInUnderKills } from '../kills.ts'
import { ada, adaToken, github } from '../people.ts'
import { adaRecord, firstSignIn, listTables } from '../sign-in.ts'
import { testLosses } from '../user-version-losses.ts'
import { reuseDatabases, type TestDatabase } from './databases.ts'
import { blocked, endBlocked, endIdle, getCode, getConnections, open, whileLocked } from './locks.ts'

// @first: the tests wait for time limits and connections.

function openPool(t: Test, { url }: TestDatabase, setting: string | null = null, requests: string[] = []): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 3 })
  pool.on('connection', (connection) => {
    if (setting !== null) connection.query(`set session ${setting}`)
    connection.query = new Proxy(connection.query, {
      apply: (query, self, args) => {
        requests.push(String(args[0]))
        return Reflect.apply(query, self, args)
      }
    })
  })
  t.teardown(() => pool.promise().end())
  return pool
}

type Open = (t: Test, database: TestDatabase) => ReturnType<typeof open>

const methods = {
  'an address': open,
  'a pool': (t: Test, database: TestDatabase) => mysqlAdapter({ pool: openPool(t, database) }),
  'a drizzle database': (t: Test, database: TestDatabase) =>
    mysqlAdapter({ db: drizzle({ client: openPool(t, database) }) })
}

/** A connection outside the adapter, for a transaction that blocks it. */
function openOther(t: Test, { url }: TestDatabase) {
  const other = mysql.createConnection({ uri: url, multipleStatements: true }).promise()
  t.teardown(() => other.end())
  return other
}

await withServer(server, async (t) => {
  const getDatabase = reuseDatabases(t)

  const replaceIdle = async (t: Test, openBy: Open) => {
    const database = await getDatabase(t)
    const adapter = openBy(t, database)
    await Promise.all(Array.from({ length: 6 }, () => adapter.createUser({ email: null, emailVerified: null })))
    t.ok((await endIdle(database)) > 1)
    const user = await adapter.createUserWithAccount(ada, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    await endIdle(database)
    await adapter.createVerificationToken(adaToken)
    await endIdle(database)
    t.strictSame(await adapter.useVerificationToken(adaToken), adaToken)
  }

  const endTransaction = async (t: Test, openBy: Open) => {
    const database = await getDatabase(t)
    const adapter = openBy(t, database)
    await adapter.createVerificationToken(adaToken)
    const ended = new Set<number>()
    await whileLocked(database, 'account read', async () => {
      const done = getCode(adapter.transact(firstSignIn))
      for (let tries = 0; tries < 4; tries += 1) await endBlocked(database, ended)
      t.match(await done, /^(PROTOCOL_CONNECTION_LOST|ER_1927)$/)
    })
    t.equal(await listTables(adapter), 'nothing')
    await whileLocked(database, 'account read', async (release) => {
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
  const interruptions = Object.entries(methods).flatMap(([method, openBy]) =>
    Object.entries(interrupted).map(([title, run]) => ({ method, openBy, title, run }))
  )
  for (const { method, openBy, title, run } of some(interruptions, ({ method, title }) => [method, title], 1)) {
    await t.test(`${method}: ${title}`, (t) => run(t, openBy))
  }

  await t.test('a transaction takes effect once, whichever response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    // The responses to the beginning, a look and a deletion, the four rows, and the end.
    for (const which of isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 5, 8]) {
      await adapter.createVerificationToken(adaToken)
      proxy.loseAnswer(which)
      t.equal(await adapter.transact(firstSignIn), true, `answer ${which}`)
      t.equal(await listTables(adapter), 'everything', `answer ${which}`)
      await adapter.deleteUser('ada')
    }
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

  await t.test('a link with an unknown result is an error, and changes may be retried', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] }
    ]
    proxy.loseAnswer(6)
    t.type(await getCode(adapter.transact(calls)), 'string')
    t.equal(await adapter.getVerificationToken(adaToken), null)
    t.equal(await adapter.transact(calls), false, 'never twice')
    const changes: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: 'ada', name: 'Countess' }] },
      { method: 'deleteSessions', args: ['ada'] }
    ]
    proxy.loseAnswer(6)
    t.equal(await adapter.transact(changes), true)
    t.equal((await adapter.getUser('ada'))?.name, 'Countess')
  })

  await t.test('a change of what a user can sign in with takes effect once, whichever response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    await adapter.ready()
    await testLosses(t, adapter, proxy)
  })

  await t.test('factors and events whose response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    const [factor, event] = [newFactor('ada'), newEvent({ userId: 'ada' })]
    await adapter.ready()
    proxy.loseAnswer()
    await adapter.createFactor(factor)
    t.strictSame(await adapter.getFactor(factor), factor, 'it was created once')
    const next = { ...factor, data: 'v2' }
    proxy.loseAnswer()
    t.equal(await adapter.updateFactor(next, 1), true, 'the data identifies the caller')
    proxy.loseAnswer()
    t.equal(await adapter.updateFactor(factor, 1), false, 'an update that was not to be made')
    t.strictSame(await adapter.getFactor(factor), { ...next, version: 2 }, 'it was updated once')
    proxy.loseAnswer()
    t.type(await getCode(Promise.resolve(adapter.deleteFactor(factor))), 'string', 'it is unknown who deleted it')
    t.equal(await adapter.deleteFactor(factor), false, 'never twice')
    proxy.loseAnswer()
    await adapter.addEvents([event, newEvent({ userId: 'ada' })])
    t.equal((await adapter.listEvents({ userId: 'ada', limit: 10 })).length, 2, 'each was stored once')
  })

  await t.test('tickets and evidence whose response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    const ticket = {
      kind: 'reset',
      id: '1',
      userId: null,
      data: 'v1',
      tries: 0,
      expires: new Date(4102444799999),
      dueAt: null
    }
    const empty = { ...ticket, id: '2', data: '' }
    await adapter.ready()
    proxy.loseAnswer()
    await adapter.createTicket(ticket)
    t.strictSame(await adapter.readTicket(ticket), ticket, 'it was created once')
    proxy.loseAnswer()
    const refused = { name: 'DuplicateError' }
    await t.rejects(async () => adapter.createTicket(empty), refused, 'empty data does not identify the caller')
    proxy.loseAnswer()
    t.equal(await adapter.countTry(ticket), 2, 'an attempt is counted twice rather than not at all')
    proxy.loseAnswer(4)
    t.type(await getCode(Promise.resolve(adapter.consumeTicket(ticket))), 'string', 'it is unknown who consumed it')
    t.equal(await adapter.consumeTicket(ticket), null, 'never twice')
    const evidence = {
      provider: 'github',
      providerAccountId: '1',
      userId: 'ada',
      email: ada.email,
      verifiedAt: new Date(0)
    }
    proxy.loseAnswer()
    await adapter.putAccountEvidence(evidence)
    proxy.loseAnswer()
    await adapter.putAccountEvidence({ ...evidence, email: 'countess@example.com' })
    t.strictSame(await adapter.getAccountEvidence('ada'), [{ ...evidence, email: 'countess@example.com' }])
  })

  await t.test('a refresh token whose response is lost was written', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace(`${server.port}`, `${proxy.port}`) })
    await adapter.createUserWithAccount(ada, { ...github, refresh_token: 'first' })
    proxy.loseAnswer()
    const next = { ...github, refresh_token: 'second' }
    t.match(await adapter.updateAccount(next, { refresh_token: 'first' }), { refresh_token: 'second' })
    proxy.loseAnswer()
    t.equal(await adapter.updateAccount({ ...github, refresh_token: 'third' }, { refresh_token: 'first' }), false)
  })

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

  await t.test('a disk that fills up in the middle leaves nothing half-written', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createVerificationToken(adaToken)
    await database.raw.query(`create trigger full_disk before insert on session for each row
      signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full'`)
    t.equal(await getCode(adapter.transact(firstSignIn)), 'ER_RECORD_FILE_FULL')
    t.equal(await listTables(adapter), 'nothing')
    await database.raw.query('drop trigger full_disk')
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
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
    await whileLocked(database, 'user write', async () => {
      const calls = Array.from({ length: 6 }, () => getCode(adapter.transact(firstSignIn)))
      await blocked(database)
      t.ok((await getConnections(database, '')).length <= 3, 'two connections, and one of the test')
      for (const code of await Promise.all(calls)) t.match(code, /^ER_(1969|QUERY_TIMEOUT|LOCK_WAIT_TIMEOUT)$/)
    })
    clearInterval(ticks)
    t.ok(maxDuration < 1000, `the event loop was never held up for long: ${Math.round(maxDuration)} ms`)
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
    await database.raw.query(`insert into postern_lock values ('refresh', 'nobody', 0)`)
    const other = openOther(t, database)
    await other.query(`begin; update session set expires = '2099-12-31' where sessionToken = 'used'`)
    t.equal(await adapter.deleteExpired(new Date(1), 1000), 4, 'a session, a record, a revocation and a lease')
    await other.query('commit')
    t.equal(await adapter.deleteExpired(new Date(1), 1000), 0, 'the session that was in use remains valid')
    t.ok(await adapter.getSessionAndUser('used'))
    t.strictSame(
      (await adapter.getSessionRecords({ userId: 'ada' })).map(({ id }) => id),
      ['r1']
    )
  })

  await t.test('connections that are ended at any moment lose no one and double no one', async (t) => {
    const database = await getDatabase(t)
    const adapters = [open(t, database, { max: 4 }), open(t, database, { max: 4 })] as const
    await adapters[0].ready()
    const rows = () => rowsBySql(async (sql) => (await database.raw.query<mysql.RowDataPacket[]>(sql))[0], '`')
    await signInUnderKills(t, adapters, {
      rows,
      kill: async () => {
        await delay(15 * Math.random())
        const ids = await getConnections(database, '')
        const id = ids[Math.floor(Math.random() * ids.length)]
        if (id === undefined) return 0
        return database.raw.query(`kill connection ${id}`).then(
          () => 1,
          () => 0
        )
      }
    })
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
