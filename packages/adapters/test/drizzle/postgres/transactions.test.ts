import { newProxy } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { testLostResponses } from '../lost-responses.ts'
import { ada, adaToken, github } from '../people.ts'
import { getCode } from '../server-under-test.ts'
import { firstSignIn, listTables } from '../sign-in.ts'
import { createTestDatabase, reuseDatabases } from './databases.ts'
import { blocked, open } from './locks.ts'
import { createServer } from './server.ts'

// @first: the tests wait for time limits and connections.

await withServer(postgres, async (t) => {
  const getDatabase = reuseDatabases(t)

  await testLostResponses(t, createServer(t), {
    // The responses to the beginning, the four calls, and the end.
    firstSignIn: isLong ? [1, 2, 3, 4, 5, 6] : [1, 4, 6],
    ...{ commit: 4, consumed: 1 }
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

  await t.test('one connection for all is refused: it would mix up what belongs to which transaction', async (t) => {
    const client = new pg.Client({ connectionString: (await getDatabase(t)).url })
    t.throws(() => postgresAdapter({ db: drizzle({ client }) }), { name: 'ConfigError', message: /expected .* a pool/ })
  })
})
