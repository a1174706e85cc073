import { inspect } from 'node:util'
import { newProxy } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import pg from 'pg'
import { DuplicateError, postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { ada, adaToken, github } from '../people.ts'
import { createTestDatabase, reuseDatabases } from './databases.ts'
import { blocked, endBlocked, getCode, open, whileLocked } from './locks.ts'

await withServer(postgres, async (t) => {
  const getDatabase = reuseDatabases(t)

  await t.test('a look-up that is ended while it runs is run again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUser(ada)
    const ended = new Set<number>()
    await whileLocked(database, 'lock table "user" in access exclusive mode', async (release) => {
      const found = adapter.getUser(user.id)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.strictSame(await found, user)
    })
  })

  await t.test('a write that is ended while it runs is run again when it is sure that it took no effect', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.ready()
    const ended = new Set<number>()
    await whileLocked(database, 'lock table account in share row exclusive mode', async (release) => {
      const created = adapter.createUserWithAccount(ada, github)
      await endBlocked(database, ended)
      await blocked(database, ended)
      await release()
      t.strictSame(await created, await adapter.getUserByAccount(github))
    })
    const { rows } = await database.raw.query('select count(*) from "user"')
    t.strictSame(rows, [{ count: '1' }])
  })

  await t.test('a write that is interrupted repeatedly is an error, and has no effect', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database)
    await adapter.ready()
    const ended = new Set<number>()
    await whileLocked(database, 'lock table account in share row exclusive mode', async () => {
      const created = getCode(adapter.createUserWithAccount(ada, github))
      for (let tries = 0; tries < 4; tries += 1) await endBlocked(database, ended)
      t.equal(await created, '57P01')
    })
    t.equal(await adapter.getUserByEmail(ada.email), null)
    t.equal((await adapter.createUserWithAccount(ada, github)).email, ada.email, 'the next try succeeds')
  })

  await t.test('a write whose response is lost is looked up, not repeated', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { ...database, url: database.url.replace('5432', `${proxy.port}`) })
    await adapter.getUser('1')
    proxy.loseAnswer()
    const user = await adapter.createUserWithAccount(ada, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    proxy.loseAnswer()
    const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date() }
    t.strictSame(await adapter.createSession(session), session)
    proxy.loseAnswer()
    t.strictSame(await adapter.createVerificationToken(adaToken), adaToken)
    proxy.loseAnswer()
    t.type(
      await getCode(adapter.useVerificationToken(adaToken)),
      'string',
      'consumed, but it is unknown by which caller'
    )
    t.equal(await adapter.useVerificationToken(adaToken), null, 'never twice')
    proxy.loseAnswer()
    const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    t.strictSame(await adapter.getUserByEmail('bob@example.com'), bob)
    proxy.loseAnswer()
    await adapter.linkAccount({ ...github, provider: 'gitlab', userId: bob.id })
    t.equal((await adapter.getAccounts(bob.id)).length, 1)
    const counts = await database.raw.query(
      'select (select count(*) from "user") as u, (select count(*) from account) as a'
    )
    t.strictSame(counts.rows, [{ u: '2', a: '2' }])
  })

  await t.test('a statement that takes too long is given up, and the next is answered', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { statementTimeout: 100 })
    await adapter.ready()
    await whileLocked(database, 'lock table "user" in access exclusive mode', async () => {
      t.equal(await getCode(adapter.getUser('1')), '57014')
    })
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('a deadlock is tried again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { settings: ' -c deadlock_timeout=500ms' })
    const user = await adapter.createUserWithAccount(ada, github)
    await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date() })
    const client = await database.raw.connect()
    await client.query(`set deadlock_timeout = '1min'; begin; update session set expires = now()`)
    const deleted = adapter.deleteUser(user.id)
    await blocked(database)
    // It holds the user and waits for the session; now the test waits for the user, until the server aborts it.
    await client.query(`update "user" set name = 'Countess'; commit`)
    client.release()
    t.match(await deleted, { id: user.id, name: 'Countess' })
    t.equal(await adapter.getUserByAccount(github), null)
  })

  await t.test('a serialization failure is tried again', async (t) => {
    const database = await getDatabase(t)
    const adapter = open(t, database, { settings: ' -c default_transaction_isolation=serializable' })
    const user = await adapter.createUser(ada)
    await whileLocked(database, `update "user" set name = 'Countess'`, async (release) => {
      const updated = adapter.updateUser({ id: user.id, image: 'ada.png' })
      await blocked(database)
      await release()
      t.match(await updated, { name: 'Countess', image: 'ada.png' })
    })
  })

  await t.test('a serialization failure is tried again as long as there is time', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUser(ada)
    // As with many callers on one row. A sequence keeps its value when a statement is undone.
    await database.raw.query(`create sequence tries;
      create function is_busy() returns trigger language plpgsql as $$ begin
        if nextval('tries') <= 6 then raise exception 'busy' using errcode = 'serialization_failure'; end if;
        return new;
      end $$;
      create trigger is_busy before update on "user" for each row execute function is_busy()`)
    t.match(await adapter.updateUser({ id: user.id, image: 'ada.png' }), { image: 'ada.png' })
  })

  await t.test('a database that is down at start is found when it is up', async (t) => {
    const database = await createTestDatabase(t)
    const proxy = await newProxy(t, 5432)
    const adapter = open(t, { ...database, url: database.url.replace('5432', `${proxy.port}`) })
    t.equal(await getCode(adapter.ready()), 'ECONNREFUSED')
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED', 'an outage is never "not there"')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
    await proxy.down()
    t.equal(await getCode(adapter.getUser('1')), 'ECONNREFUSED')
    await proxy.up()
    t.equal(await adapter.getUser('1'), null)
  })

  await t.test('a pool of the application recovers from silent connections, if it is configured to', async (t) => {
    const database = await getDatabase(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const connectionString = database.url.replace('5432', `${proxy.port}`)
    // As docs/operations.md has it, which takes five seconds.
    const pool = new pg.Pool({
      connectionString,
      max: 2,
      query_timeout: isLong ? 5000 : 1000,
      connectionTimeoutMillis: 5000
    })
    pool.on('error', () => undefined)
    t.teardown(() => pool.end())
    const adapter = postgresAdapter({ pool })
    const user = await adapter.createUser(ada)
    await Promise.all([adapter.getUser(user.id), adapter.getUser(user.id)])
    proxy.hang()
    const startedAt = performance.now()
    const codes = await Promise.all([1, 2, 3, 4].map(() => getCode(adapter.getUser(user.id))))
    t.ok(
      codes.slice(0, 2).every((code) => code === 'Timeout'),
      `${codes}`
    )
    t.strictSame(await adapter.getUser(user.id), user, 'over new connections')
    t.ok(performance.now() - startedAt < 20_000)
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
    const database = await getDatabase(t)
    const adapter = open(t, database)
    const user = await adapter.createUserWithAccount({ ...ada, name: 'secret' }, { ...github, access_token: 'secret' })
    const calls = [
      () => adapter.createUser({ ...ada, name: 'secret' }),
      () => adapter.linkAccount({ ...github, userId: user.id, access_token: 'secret' }),
      () => adapter.linkAccount({ ...github, providerAccountId: 'secret', userId: 'secret' }),
      () => adapter.createUser({ email: 'secret\0', emailVerified: null })
    ]
    for (const call of calls) {
      const [outcome] = await Promise.allSettled([call()])
      t.equal(outcome.status, 'rejected')
      t.notMatch(inspect(outcome, { depth: 10, showHidden: true }), /secret|ada@example/)
    }
  })
})
