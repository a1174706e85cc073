import { newProxy } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import pg from 'pg'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { ada, adaToken, github } from '../people.ts'
import { testFaults } from '../server-faults.ts'
import { getCode } from '../server-under-test.ts'
import { createTestDatabase } from './databases.ts'
import { blocked, open, whileLocked } from './locks.ts'
import { createServer } from './server.ts'

await withServer(postgres, async (t) => {
  const underTest = createServer(t)
  const { getDatabase } = underTest

  await testFaults(t, underTest)

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
})
