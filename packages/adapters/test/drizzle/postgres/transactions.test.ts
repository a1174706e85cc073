import { setTimeout as delay } from 'node:timers/promises'
import type { AdapterCall } from '@postern/core'
import { newProxy } from '@postern/testkit'
import { rowsBySql } from '@postern/testkit/consistency-checker'
import { isLong, some } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../../../src/contract/data.ts'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { signInUnderKills } from '../kills.ts'
import { ada, adaToken, github } from '../people.ts'
import { adaRecord, firstSignIn, listTables } from '../sign-in.ts'
import { testLosses } from '../user-version-losses.ts'
import { createTestDatabase, endIdle, reuseDatabases, type TestDatabase } from './databases.ts'
import { blocked, endBlocked, getCode, open, whileLocked } from './locks.ts'

// @first: the tests wait for time limits and connections.

function openPool(t: Test, { url }: TestDatabase): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  t.teardown(() => pool.end())
  return pool
}

type Open = (t: Test, database: TestDatabase) => ReturnType<typeof open>

const methods = {
  'an address': open,
  'a pool': (t: Test, database: TestDatabase) => postgresAdapter({ pool: openPool(t, database) }),
  'a drizzle database': (t: Test, database: TestDatabase) =>
    postgresAdapter({ db: drizzle({ client: openPool(t, database) }) })
}

await withServer(postgres, async (t) => {
  const getDatabase = reuseDatabases(t)

  const replaceIdle = async (t: Test, openBy: Open) => {
    const database = await getDatabase(t)
    const adapter = openBy(t, database)
    await Promise.all(Array.from({ length: 3 }, () => adapter.createUser({ email: null, emailVerified: null })))
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
    await whileLocked(database, 'lock table account in share row exclusive mode', async () => {
      const done = getCode(adapter.transact(firstSignIn))
      for (let tries = 0; tries < 4; tries += 1) await endBlocked(database, ended)
      t.type(await done, 'string')
    })
    t.equal(await listTables(adapter), 'nothing')
    await whileLocked(database, 'lock table account in share row exclusive mode', async (release) => {
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
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
    // The responses to the beginning, the four calls, and the end.
    for (const which of isLong ? [1, 2, 3, 4, 5, 6] : [1, 4, 6]) {
      await adapter.createVerificationToken(adaToken)
      proxy.loseAnswer(which)
      t.equal(await adapter.transact(firstSignIn), true, `answer ${which}`)
      t.equal(await listTables(adapter), 'everything', `answer ${which}`)
      await adapter.deleteUser('ada')
    }
  })

  await t.test('a link with an unknown result is an error, and changes may be retried', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    proxy.loseAnswer(4)
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] }
    ]
    t.type(await getCode(adapter.transact(calls)), 'string')
    t.equal(await adapter.getVerificationToken(adaToken), null)
    t.equal(await adapter.transact(calls), false, 'never twice')
    proxy.loseAnswer(4)
    const changes: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: 'ada', name: 'Countess' }] },
      { method: 'deleteSessions', args: ['ada'] }
    ]
    t.equal(await adapter.transact(changes), true)
    t.equal((await adapter.getUser('ada'))?.name, 'Countess')
  })

  await t.test('a change of what a user can sign in with takes effect once, whichever response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
    await adapter.ready()
    await testLosses(t, adapter, proxy)
  })

  await t.test('factors and events whose response is lost', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
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
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
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
    proxy.loseAnswer()
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
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) })
    await adapter.createUserWithAccount(ada, { ...github, refresh_token: 'first' })
    proxy.loseAnswer()
    const next = { ...github, refresh_token: 'second' }
    t.match(await adapter.updateAccount(next, { refresh_token: 'first' }), { refresh_token: 'second' })
    proxy.loseAnswer()
    t.equal(await adapter.updateAccount({ ...github, refresh_token: 'third' }, { refresh_token: 'first' }), false)
  })

  await t.test('a connection that hangs in a transaction is given up, and the next is answered', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: database.url.replace('5432', `${proxy.port}`) }, { max: 1, statementTimeout: 1000 })
    await adapter.createVerificationToken(adaToken)
    proxy.hang()
    t.equal(await getCode(adapter.transact(firstSignIn)), 'Timeout')
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
  })

  await t.test('waiting too long for a connection is a timeout error', async (t) => {
    const { url } = await getDatabase(t)
    const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 1000 })
    t.teardown(() => pool.end())
    const adapter = postgresAdapter({ pool })
    await adapter.ready()
    const taken = await pool.connect()
    t.equal(await getCode(adapter.transact(firstSignIn)), 'Timeout')
    taken.release()
  })

  await t.test('a deadlock is tried again from the beginning', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { settings: ' -c deadlock_timeout=500ms' })
    await adapter.createVerificationToken(adaToken)
    await adapter.transact(firstSignIn)
    const client = await database.raw.connect()
    await client.query(`set deadlock_timeout = '1min'; begin; update session set expires = now()`)
    const done = adapter.transact([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'deleteSession', args: ['h1.1'] }
    ])
    await blocked(database)
    // It holds the user and waits for the session; now the test waits for the user, until the server aborts it.
    await client.query(`update "user" set image = 'ada.png'; commit`)
    client.release()
    t.equal(await done, true)
    t.match(await adapter.getUser('ada'), { name: 'Ada', image: 'ada.png' })
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [])
  })

  await t.test('a serialization failure is tried again from the beginning', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = open(t, database)
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    await database.raw.query(`create sequence tries;
      create function is_busy() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then raise exception 'busy' using errcode = 'serialization_failure'; end if;
        return new;
      end $$;
      create trigger is_busy before update on "user" for each row execute function is_busy()`)
    const done = await adapter.transact([
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', image: 'ada.png' }] }
    ])
    t.equal(done, true)
    t.match(await adapter.getUser('ada'), { image: 'ada.png' })
  })

  await t.test('a disk that fills up in the middle leaves nothing half-written', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.createVerificationToken(adaToken)
    await database.raw.query(`create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger full_disk before insert on session for each row execute function full_disk()`)
    t.equal(await getCode(adapter.transact(firstSignIn)), '53100')
    t.equal(await listTables(adapter), 'nothing')
    await database.raw.query('drop trigger full_disk on session')
    t.equal(await adapter.transact(firstSignIn), true)
    t.equal(await listTables(adapter), 'everything')
  })

  await t.test('a database that turns read-only is read, and written again when it may be', async (t) => {
    const database = await getDatabase(t)
    await open(t, database).createVerificationToken(adaToken)
    await database.raw.query(`create role ${database.name} login in role root`)
    t.teardown(() => database.raw.query(`drop role ${database.name}`))
    const adapter = open(t, { url: database.url.replace('root@', `${database.name}@`) })
    await adapter.ready()
    const turn = async (setting: string) => {
      await database.raw.query(`alter role ${database.name} ${setting}`)
      await database.raw.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
        database.name
      ])
    }
    await turn('set default_transaction_read_only = on')
    t.equal(await getCode(adapter.transact(firstSignIn)), '25006')
    t.equal(await getCode(adapter.createUserWithAccount(ada, github)), '25006')
    t.equal(await getCode(adapter.revoke('user:ada', new Date())), '25006')
    t.equal(await listTables(adapter), 'nothing')
    await turn('reset default_transaction_read_only')
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
    await whileLocked(database, 'lock table "user" in access exclusive mode', async () => {
      const calls = Array.from({ length: 6 }, () => getCode(adapter.transact(firstSignIn)))
      await blocked(database)
      const { rows } = await database.raw.query('select from pg_stat_activity where application_name = $1', [
        database.name
      ])
      t.ok(rows.length <= 2, 'two connections')
      t.strictSame([...new Set(await Promise.all(calls))], ['57014'])
    })
    clearInterval(ticks)
    t.ok(maxDuration < 1000, `the event loop was never held up for long: ${Math.round(maxDuration)} ms`)
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
    await database.raw.query(`insert into postern_lock values ('refresh', 'nobody', 0)`)
    await whileLocked(
      database,
      `update session set expires = now() + '1h' where "sessionToken" = 'used'`,
      async (release) => {
        t.equal(await adapter.deleteExpired(new Date(1), 1000), 4, 'a session, a record, a revocation and a lease')
        await release()
      }
    )
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
    const rows = () => rowsBySql(async (sql) => (await database.raw.query(sql)).rows)
    await signInUnderKills(t, adapters, {
      rows,
      kill: async () => {
        await delay(15 * Math.random())
        const { rowCount } = await database.raw.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 order by random() limit 1`,
          [database.name]
        )
        return rowCount ?? 0
      }
    })
  })

  await t.test('one connection for all is refused: it would mix up what belongs to which transaction', async (t) => {
    const client = new pg.Client({ connectionString: (await getDatabase(t)).url })
    t.throws(() => postgresAdapter({ db: drizzle({ client }) }), { name: 'ConfigError', message: /expected .* a pool/ })
  })
})
