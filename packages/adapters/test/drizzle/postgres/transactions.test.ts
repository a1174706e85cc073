import { setTimeout as delay } from 'node:timers/promises'
import type { AdapterCall } from '@postern/core'
import { newProxy } from '@postern/testkit'
import { rowsBySql } from '@postern/testkit/oracle'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Test } from 'tap'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { signInUnderKills } from '../kills.ts'
import { ada, adaToken, github } from '../people.ts'
import { adaRecord, firstSignIn, whatIsThere } from '../sign-in.ts'
import { endIdle, newPlace, type Place } from './databases.ts'
import { blocked, codeOf, endBlocked, open, whileLocked } from './locks.ts'

function openPool(t: Test, { url }: Place): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  t.teardown(() => pool.end())
  return pool
}

const ways = {
  'an address': open,
  'a pool': (t: Test, place: Place) => postgresAdapter({ pool: openPool(t, place) }),
  'a drizzle database': (t: Test, place: Place) => postgresAdapter({ db: drizzle({ client: openPool(t, place) }) })
}

await withServer(postgres, async (t) => {
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
      await whileLocked(place, 'lock table account in share row exclusive mode', async () => {
        const done = codeOf(adapter.atomically(firstSignIn))
        for (let tries = 0; tries < 4; tries += 1) await endBlocked(place, ended)
        t.type(await done, 'string')
      })
      t.equal(await whatIsThere(adapter), 'nothing')
      await whileLocked(place, 'lock table account in share row exclusive mode', async (release) => {
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
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace('5432', `${proxy.port}`) })
    // The answers to the beginning, the four calls, and the end.
    for (const which of [1, 2, 3, 4, 5, 6]) {
      await adapter.createVerificationToken(adaToken)
      proxy.loseAnswer(which)
      t.equal(await adapter.atomically(firstSignIn), true, `answer ${which}`)
      t.equal(await whatIsThere(adapter), 'everything', `answer ${which}`)
      await adapter.deleteUser('ada')
    }
  })

  await t.test('a link that nobody knows the fate of is told, and changes may be made again', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace('5432', `${proxy.port}`) })
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    proxy.loseAnswer(4)
    const calls: readonly AdapterCall[] = [
      { method: 'useVerificationToken', args: [adaToken] },
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] }
    ]
    t.type(await codeOf(adapter.atomically(calls)), 'string')
    t.equal(await adapter.getVerificationToken(adaToken), null)
    t.equal(await adapter.atomically(calls), false, 'never twice')
    proxy.loseAnswer(4)
    const changes: readonly AdapterCall[] = [
      { method: 'updateUser', args: [{ id: 'ada', name: 'Countess' }] },
      { method: 'deleteSessions', args: ['ada'] }
    ]
    t.equal(await adapter.atomically(changes), true)
    t.equal((await adapter.getUser('ada'))?.name, 'Countess')
  })

  await t.test('a refresh token whose answer is lost was written', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace('5432', `${proxy.port}`) })
    await adapter.createUserWithAccount(ada, { ...github, refresh_token: 'first' })
    proxy.loseAnswer()
    const next = { ...github, refresh_token: 'second' }
    t.match(await adapter.updateAccount(next, { refresh_token: 'first' }), { refresh_token: 'second' })
    proxy.loseAnswer()
    t.equal(await adapter.updateAccount({ ...github, refresh_token: 'third' }, { refresh_token: 'first' }), false)
  })

  await t.test('a connection that hangs in a transaction is given up, and the next is answered', async (t) => {
    const place = await newPlace(t)
    const proxy = await newProxy(t, 5432)
    await proxy.up()
    const adapter = open(t, { url: place.url.replace('5432', `${proxy.port}`) }, { max: 1, statementTimeout: 1000 })
    await adapter.createVerificationToken(adaToken)
    proxy.hang()
    t.equal(await codeOf(adapter.atomically(firstSignIn)), 'Timeout')
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
  })

  await t.test('whoever waits too long for a connection is told of a time-out', async (t) => {
    const { url } = await newPlace(t)
    const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 100 })
    t.teardown(() => pool.end())
    const adapter = postgresAdapter({ pool })
    await adapter.ready()
    const taken = await pool.connect()
    t.equal(await codeOf(adapter.atomically(firstSignIn)), 'Timeout')
    taken.release()
  })

  await t.test('a deadlock is tried again from the beginning', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place, { settings: ' -c deadlock_timeout=500ms' })
    await adapter.createVerificationToken(adaToken)
    await adapter.atomically(firstSignIn)
    const client = await place.raw.connect()
    await client.query(`set deadlock_timeout = '1min'; begin; update session set expires = now()`)
    const done = adapter.atomically([
      { method: 'updateUser', args: [{ id: 'ada', name: 'Ada' }] },
      { method: 'deleteSession', args: ['h1.1'] }
    ])
    await blocked(place)
    // It holds the user, and waits for the session; now we wait for the user, until it is told to give up.
    await client.query(`update "user" set image = 'ada.png'; commit`)
    client.release()
    t.equal(await done, true)
    t.match(await adapter.getUser('ada'), { name: 'Ada', image: 'ada.png' })
    t.equal(await adapter.getSessionAndUser('h1.1'), null)
    t.strictSame(await adapter.getSessionRecords({ userId: 'ada' }), [])
  })

  await t.test('a serialization failure is tried again from the beginning', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place, { settings: ' -c default_transaction_isolation=serializable' })
    await adapter.createVerificationToken(adaToken)
    await adapter.createUser({ id: 'ada', ...ada })
    await whileLocked(place, `update "user" set name = 'Countess'`, async (release) => {
      const done = adapter.atomically([
        { method: 'useVerificationToken', args: [adaToken] },
        { method: 'updateUser', args: [{ id: 'ada', image: 'ada.png' }] }
      ])
      await blocked(place)
      await release()
      t.equal(await done, true)
    })
    t.match(await adapter.getUser('ada'), { name: 'Countess', image: 'ada.png' })
  })

  await t.test('a disk that fills up in the middle leaves nothing half-written', async (t) => {
    const place = await newPlace(t)
    const adapter = open(t, place)
    await adapter.createVerificationToken(adaToken)
    await place.raw.query(`create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger full_disk before insert on session for each row execute function full_disk()`)
    t.equal(await codeOf(adapter.atomically(firstSignIn)), '53100')
    t.equal(await whatIsThere(adapter), 'nothing')
    await place.raw.query('drop trigger full_disk on session')
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
  })

  await t.test('a database that turns read-only is read, and written again when it may be', async (t) => {
    const place = await newPlace(t)
    await open(t, place).createVerificationToken(adaToken)
    await place.raw.query(`create role ${place.name} login in role root`)
    t.teardown(() => place.raw.query(`drop role ${place.name}`))
    const adapter = open(t, { url: place.url.replace('root@', `${place.name}@`) })
    await adapter.ready()
    const turn = async (setting: string) => {
      await place.raw.query(`alter role ${place.name} ${setting}`)
      await place.raw.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [place.name])
    }
    await turn('set default_transaction_read_only = on')
    t.equal(await codeOf(adapter.atomically(firstSignIn)), '25006')
    t.equal(await codeOf(adapter.createUserWithAccount(ada, github)), '25006')
    t.equal(await codeOf(adapter.revoke('user:ada', new Date())), '25006')
    t.equal(await whatIsThere(adapter), 'nothing')
    await turn('reset default_transaction_read_only')
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
    await whileLocked(place, 'lock table "user" in access exclusive mode', async () => {
      const calls = Array.from({ length: 6 }, () => codeOf(adapter.atomically(firstSignIn)))
      await blocked(place)
      const { rows } = await place.raw.query('select from pg_stat_activity where application_name = $1', [place.name])
      t.ok(rows.length <= 2, 'two connections')
      t.strictSame([...new Set(await Promise.all(calls))], ['57014'])
    })
    clearInterval(ticks)
    t.ok(longest < 1000, `the event loop was never held up for long: ${Math.round(longest)} ms`)
    t.equal(await adapter.atomically(firstSignIn), true)
    t.equal(await whatIsThere(adapter), 'everything')
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
    await whileLocked(
      place,
      `update session set expires = now() + '1h' where "sessionToken" = 'used'`,
      async (release) => {
        t.equal(await adapter.deleteExpired(new Date(1), 1000), 4, 'a session, a record, a revocation and a lease')
        await release()
      }
    )
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
    const rows = () => rowsBySql(async (sql) => (await place.raw.query(sql)).rows)
    await signInUnderKills(t, adapters, {
      rows,
      kill: async () => {
        await delay(15 * Math.random())
        const { rowCount } = await place.raw.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 order by random() limit 1`,
          [place.name]
        )
        return rowCount ?? 0
      }
    })
  })

  await t.test('one connection for all is refused: it would mix up what belongs to which transaction', async (t) => {
    const client = new pg.Client({ connectionString: (await newPlace(t)).url })
    t.throws(() => postgresAdapter({ db: drizzle({ client }) }), { name: 'ConfigError', message: /expected .* a pool/ })
  })
})
