import { setTimeout as delay } from 'node:timers/promises'
import { mysqlAdapter } from '@postern/adapters/mysql'
import type { AdapterCall } from '@postern/core'
import { newProxy } from '@postern/testkit'
import { rowsBySql } from '@postern/testkit/oracle'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import type { Test } from 'tap'
import { mysql as server, withServer } from '../../servers.ts'
import { until } from '../../until.ts'
import { signInUnderKills } from '../kills.ts'
import { ada, adaToken, github } from '../people.ts'
import { adaRecord, firstSignIn, whatIsThere } from '../sign-in.ts'
import { newPlace, type Place } from './databases.ts'
import { blocked, codeOf, connectionsOf, endBlocked, endIdle, open, whileLocked } from './locks.ts'

function openPool(t: Test, { url }: Place, setting: string | null = null, asked: string[] = []): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 3 })
  pool.on('connection', (connection) => {
    if (setting !== null) connection.query(`set session ${setting}`)
    connection.query = new Proxy(connection.query, {
      apply: (query, self, args) => {
        asked.push(String(args[0]))
        return Reflect.apply(query, self, args)
      }
    })
  })
  t.teardown(() => pool.promise().end())
  return pool
}

const ways = {
  'an address': open,
  'a pool': (t: Test, place: Place) => mysqlAdapter({ pool: openPool(t, place) }),
  'a drizzle database': (t: Test, place: Place) => mysqlAdapter({ db: drizzle({ client: openPool(t, place) }) })
}

/** A connection beside the adapter's, for a transaction that is in its way. */
function openOther(t: Test, { url }: Place) {
  const other = mysql.createConnection({ uri: url, multipleStatements: true }).promise()
  t.teardown(() => other.end())
  return other
}

await withServer(server, async (t) => {
  for (const [way, openBy] of Object.entries(ways)) {
    await t.test(`${way}: connections that are ended while idle are replaced, and the process goes on`, async (t) => {
      const place = await newPlace(t)
      const adapter = openBy(t, place)
      await Promise.all(Array.from({ length: 6 }, () => adapter.createUser({ email: null, emailVerified: null })))
      t.ok((await endIdle(place)) > 1)
      const user = await adapter.createUserWithAccount(ada, github)
      t.strictSame(await adapter.getUserByAccount(github), user)
      await endIdle(place)
      await adapter.createVerificationToken(adaToken)
      await endIdle(place)
      t.strictSame(await adapter.useVerificationToken(adaToken), adaToken)
    })

    await t.test(`${way}: a transaction that is ended while it runs takes effect once, or not at all`, async (t) => {
      const place = await newPlace(t)
      const adapter = openBy(t, place)
      await adapter.createVerificationToken(adaToken)
      const ended = new Set<number>()
      await whileLocked(place, 'account read', async () => {
        const done = codeOf(adapter.atomically(firstSignIn))
        for (let tries = 0; tries < 4; tries += 1) await endBlocked(place, ended)
        t.match(await done, /^(PROTOCOL_CONNECTION_LOST|ER_1927)$/)
      })
      t.equal(await whatIsThere(adapter), 'nothing')
      await whileLocked(place, 'account read', async (release) => {
        const done = adapter.atomically(firstSignIn)
        await endBlocked(place, ended)
        await blocked(place, ended)
        await release()
        t.equal(await done, true)
      })
      t.equal(await whatIsThere(adapter), 'everything')
    })
  }

  await t.test('whichever answer of a transaction is lost, it takes effect once', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace(`${server.port}`, `${proxy.port}`) })
    // The answers to the beginning, a look and a deletion, the four rows, and the end.
    for (const which of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await adapter.createVerificationToken(adaToken)
      proxy.loseAnswer(which)
      t.equal(await adapter.atomically(firstSignIn), true, `answer ${which}`)
      t.equal(await whatIsThere(adapter), 'everything', `answer ${which}`)
      await adapter.deleteUser('ada')
    }
  })

  // The answers to the beginning, the two rows, and the end; or to all of them at once.
  for (const [mode, answers] of [
    ['ORACLE,STRICT_ALL_TABLES', [1, 2, 3, 4]],
    ['STRICT_ALL_TABLES', [1]]
  ] as const) {
    await t.test(`a session whose answer is lost has begun once, with its record: ${mode}`, async (t) => {
      const place = await newPlace(t)
      const proxy = await newProxy(t, server.port)
      await proxy.up()
      const url = place.url.replace(`${server.port}`, `${proxy.port}`)
      const asked: string[] = []
      const pool = openPool(t, { ...place, url }, `sql_mode = '${mode}'`, asked)
      const adapter = mysqlAdapter({ pool })
      await adapter.createUser({ id: 'ada', ...ada })
      const session = { sessionToken: 'h1.1', userId: 'ada', expires: new Date() }
      await adapter.createSession(session, adaRecord)
      await adapter.deleteSession('h1.1')
      asked.length = 0
      await adapter.createSession(session, adaRecord)
      t.equal(asked.length, answers.length, asked.join())
      await adapter.deleteSession('h1.1')
      for (const which of answers) {
        await adapter.getUser('ada')
        proxy.loseAnswer(which)
        t.strictSame(await adapter.createSession(session, adaRecord), session)
        t.equal((await adapter.getSessionRecords({ userId: 'ada' })).length, 1, `answer ${which}`)
        await adapter.deleteSession('h1.1')
        t.equal((await adapter.getSessionRecords({ userId: 'ada' })).length, 0)
      }
    })

    await t.test(`a session that is refused leaves nothing behind: ${mode}`, async (t) => {
      const place = await newPlace(t)
      const adapter = mysqlAdapter({ pool: openPool(t, place, `sql_mode = '${mode}'`) })
      await adapter.createUser({ id: 'ada', ...ada })
      const session = { sessionToken: 'h1.1', userId: 'ada', expires: new Date() }
      const other = { ...session, sessionToken: 'h1.2' }
      await adapter.createSession(session, adaRecord)
      await t.rejects(async () => adapter.createSession(session, { ...adaRecord, id: '2' }), { name: 'DuplicateError' })
      await t.rejects(async () => adapter.createSession(other, { ...adaRecord, id: '2' }), { name: 'DuplicateError' })
      const nobody = adapter.createSession({ ...other, userId: 'nobody' }, { ...adaRecord, sessionToken: 'h1.2' })
      t.match(await codeOf(nobody), /^ER_NO_REFERENCED_ROW/)
      t.equal(await adapter.getSessionAndUser('h1.2'), null)
      t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [adaRecord])
      await adapter.createSession(other, { ...adaRecord, sessionToken: 'h1.2' })
      const moved = [{ ...adaRecord, sessionToken: 'h1.2' }]
      t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), moved, 'a record gives way to one of its id')
      t.strictSame(
        (await place.raw.query('select * from information_schema.innodb_trx'))[0],
        [],
        'nothing is left open'
      )
    })
  }

  await t.test('a link that nobody knows the fate of is told, and changes may be made again', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace(`${server.port}`, `${proxy.port}`) })
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] }
    ]
    proxy.loseAnswer(6)
    t.type(await codeOf(adapter.atomically(calls)), 'string')
    t.equal(await adapter.getVerificationToken(adaToken), null)
    t.equal(await adapter.atomically(calls), false, 'never twice')
    const changes: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: 'ada', name: 'Countess' }] },
      { method: 'deleteSessions', args: ['ada'] }
    ]
    proxy.loseAnswer(6)
    t.equal(await adapter.atomically(changes), true)
    t.equal((await adapter.getUser('ada'))?.name, 'Countess')
  })

  await t.test('a refresh token whose answer is lost was written', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace(`${server.port}`, `${proxy.port}`) })
    await adapter.createUserWithAccount(ada, { ...github, refresh_token: 'first' })
    proxy.loseAnswer()
    const next = { ...github, refresh_token: 'second' }
    t.match(await adapter.updateAccount(next, { refresh_token: 'first' }), { refresh_token: 'second' })
    proxy.loseAnswer()
    t.equal(await adapter.updateAccount({ ...github, refresh_token: 'third' }, { refresh_token: 'first' }), false)
  })

  await t.test('a connection that hangs is given up, and the next is answered', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, server.port)
    await proxy.up()
    const limits = { max: 1, statementTimeout: 1000 }
    const adapter = open(t, { url: place.url.replace(`${server.port}`, `${proxy.port}`) }, limits)
    await adapter.createVerificationToken(adaToken)
    proxy.hang()
    t.equal(await adapter.atomically(firstSignIn), true, 'on another connection')
    t.equal(await whatIsThere(adapter), 'everything')
    proxy.hang()
    t.match(await adapter.getUser('ada'), { id: 'ada' })
  })

  await t.test('a deadlock is tried again from the beginning', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place)
    await adapter.createVerificationToken(adaToken)
    await adapter.atomically(firstSignIn)
    const other = openOther(t, place)
    // The server gives up the transaction that has written less.
    const rows = Array.from({ length: 50 }, (_, i) => `('${i}', '${i}', now())`)
    await other.query(`begin; insert into verificationToken values ${rows}; update session set expires = now()`)
    const done = adapter.atomically([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'deleteSession', args: ['h1.1'] }
    ])
    await until(async () => (await connectionsOf(place, 'delete `session`')).length > 0)
    // It holds the user, and waits for the session; now we wait for the user.
    await other.query(`update user set image = 'ada.png'; commit`)
    t.equal(await done, true)
    t.match(await adapter.getUser('ada'), { name: 'Ada', image: 'ada.png' })
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [])
  })

  await t.test('a row that has changed since it was read is read again', async (t) => {
    const place = await newPlace(t)
    const [variables] = await place.raw.query(`show variables like 'innodb_snapshot_isolation'`)
    if (Array.isArray(variables) && variables.length === 0) {
      t.pass('only MariaDB has this isolation', { skip: 'this is MySQL' })
      return
    }
    await open(t, place).createVerificationToken(adaToken)
    const adapter = mysqlAdapter({ pool: openPool(t, place, 'innodb_snapshot_isolation = on') })
    await adapter.createUser({ id: 'ada', ...ada })
    const other = openOther(t, place)
    await other.query('begin; delete from verificationToken')
    const done = adapter.atomically([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'useVerificationToken', args: [adaToken] }
    ])
    await until(async () => (await connectionsOf(place, 'delete from `verificationToken`')).length > 0)
    await other.query('commit')
    t.equal(await done, false)
    t.equal((await adapter.getUser('ada'))?.name, null, 'nothing was written')
  })

  await t.test('a disk that fills up in the middle leaves nothing half-written', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place)
    await adapter.createVerificationToken(adaToken)
    await place.raw.query(`create trigger full_disk before insert on session for each row
      signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full'`)
    t.equal(await codeOf(adapter.atomically(firstSignIn)), 'ER_RECORD_FILE_FULL')
    t.equal(await whatIsThere(adapter), 'nothing')
    await place.raw.query('drop trigger full_disk')
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
  })

  await t.test('a database that turns read-only is read, and written again when it may be', async (t) => {
    const place = await newPlace(t)
    await open(t, place).createVerificationToken(adaToken)
    const pool = mysql.createPool({ uri: place.url, connectionLimit: 1 })
    t.teardown(() => pool.promise().end())
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    await pool.promise().query('set session transaction read only')
    const refused = 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION'
    t.equal(await codeOf(adapter.atomically(firstSignIn)), refused)
    t.equal(await codeOf(adapter.createUserWithAccount(ada, github)), refused)
    t.equal(await codeOf(adapter.revoke('user:ada', new Date())), refused)
    t.equal(await whatIsThere(adapter), 'nothing')
    await pool.promise().query('set session transaction read write')
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
  })

  await t.test('a slow database holds up neither the process nor more connections than allowed', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place, { max: 2, statementTimeout: 1000 })
    await adapter.createVerificationToken(adaToken)
    let longest = 0
    let last = performance.now()
    const ticks = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 10)
    await whileLocked(place, 'user write', async () => {
      const calls = Array.from({ length: 6 }, () => codeOf(adapter.atomically(firstSignIn)))
      await blocked(place)
      t.ok((await connectionsOf(place, '')).length <= 3, 'two connections, and one of the test')
      for (const code of await Promise.all(calls)) t.match(code, /^ER_(1969|QUERY_TIMEOUT|LOCK_WAIT_TIMEOUT)$/)
    })
    clearInterval(ticks)
    t.ok(longest < 1000, `the event loop was never held up for long: ${Math.round(longest)} ms`)
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
  })

  await t.test('whoever finds too many waiting for a connection is told so', async (t) => {
    const pool = mysql.createPool({ uri: (await newPlace(t)).url, connectionLimit: 1, queueLimit: 1 })
    t.teardown(() => pool.promise().end())
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    const taken = await pool.promise().getConnection()
    const waiting = adapter.getUser('1')
    t.equal(await codeOf(adapter.getUser('1')), 'ER_CON_COUNT_ERROR')
    taken.release()
    t.equal(await waiting, null)
  })

  await t.test('what has ended is deleted without waiting for rows that are in use', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place, { statementTimeout: 2000 })
    await adapter.createVerificationToken(adaToken)
    await adapter.atomically(firstSignIn)
    const ended = new Date(0)
    for (const sessionToken of ['used', 'old'])
      await adapter.createSession({ sessionToken, userId: 'ada', expires: ended })
    await adapter.putSessionRecord({ ...adaRecord, id: 'r2', sessionToken: null, expires: ended })
    await adapter.revoke('user:ada', ended)
    await place.raw.query(`insert into postern_lock values ('refresh', 'nobody', 0)`)
    const other = openOther(t, place)
    await other.query(`begin; update session set expires = '2099-12-31' where sessionToken = 'used'`)
    t.equal(await adapter.deleteExpired(new Date(1), 1000), 4, 'a session, a record, a revocation and a lease')
    await other.query('commit')
    t.equal(await adapter.deleteExpired(new Date(1), 1000), 0, 'the session that was in use goes on')
    t.ok(await adapter.getSessionAndUser('used'))
    t.strictSame(
      (await adapter.getSessionRecords({ userId: 'ada' })).map(({ id }) => id),
      ['r1']
    )
  })

  await t.test('connections that are ended at any moment lose nobody and double nobody', async (t) => {
    const place = await newPlace(t)
    const adapters = [open(t, place, { max: 4 }), open(t, place, { max: 4 })] as const
    await adapters[0].ready()
    const rows = () => rowsBySql(async (sql) => (await place.raw.query<mysql.RowDataPacket[]>(sql))[0], '`')
    await signInUnderKills(t, adapters, {
      rows,
      kill: async () => {
        await delay(15 * Math.random())
        const ids = await connectionsOf(place, '')
        const id = ids[Math.floor(Math.random() * ids.length)]
        if (id === undefined) return 0
        return place.raw.query(`kill connection ${id}`).then(
          () => 1,
          () => 0
        )
      }
    })
  })

  await t.test('nobody waits for what has ended to be deleted', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place)
    await adapter.createUser({ id: 'ada', ...ada })
    await adapter.createSession({ sessionToken: 'old', userId: 'ada', expires: new Date(0) })
    await place.raw.query('create trigger slow before delete on session for each row do sleep(3)')
    let isDeleted = false
    const clean = async () => {
      await adapter.deleteExpired(new Date(1), 1000)
      isDeleted = true
    }
    const deleted = clean()
    await until(async () => (await connectionsOf(place, 'User sleep')).length > 0)
    await adapter.createSession({ sessionToken: 'new', userId: 'ada', expires: new Date() })
    t.notOk(isDeleted, 'the session began in the meantime')
    await deleted
    t.ok(await adapter.getSessionAndUser('new'))
    t.equal(await adapter.getSessionAndUser('old'), null)
  })
})
