import { readFileSync } from 'node:fs'
import { inTurn, some, times } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Test } from 'tap'
import { newRecord } from '../../../src/contract/data.ts'
import { testAdapter } from '../../../src/contract/index.ts'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { settings } from '../../../src/drizzle/postgres/settings.ts'
import { postgres, withServer } from '../../servers.ts'
import { openOnce, suitesNamed } from '../../suites.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

/** The URL of connections whose role has these settings. */
const withSettings = (url: string, settings: readonly string[]): string =>
  url.replace('?options=', `?options=${encodeURIComponent(settings.map((setting) => `-c ${setting} `).join(''))}`)

/** Settings whose values do not matter. */
const others = [
  'timezone=Asia/Kolkata',
  'intervalstyle=sql_standard',
  'bytea_output=escape',
  'standard_conforming_strings=off',
  'escape_string_warning=off',
  'transform_null_equals=on',
  'quote_all_identifiers=on',
  'plan_cache_mode=force_generic_plan',
  'extra_float_digits=-15',
  'array_nulls=off',
  'session_replication_role=replica',
  'lc_messages=C',
  'datestyle=ISO,\\ DMY'
]

/** The settings that the adapter sets, works around or does not need, and the suites of the contract that could notice. */
const accepted: readonly [name: string, settings: readonly string[], opened: 'url' | 'pool' | 'db', suites: RegExp][] =
  [
    // Dates become null, such as that of a verified address: immich-app/static-pages#719.
    ['DateStyle German', ['datestyle=German'], 'url', /^(dates|expiry)$/],
    ['DateStyle SQL, DMY', ['datestyle=SQL,\\ DMY'], 'url', /^(sessions|revocations)$/],
    // Dates that the driver writes are out of range: brianc/node-postgres#2640.
    ['DateStyle ISO, YMD', ['datestyle=ISO,\\ YMD'], 'pool', /^(dates|expiry)$/],
    // Of several who sign in at once, some fail: dexidp/dex#1341.
    ['serializable', ['default_transaction_isolation=serializable'], 'url', /^(races|revocations)$/],
    ['serializable', ['default_transaction_isolation=serializable'], 'pool', /^(races for tickets|session records)$/],
    [
      'repeatable read',
      ['default_transaction_isolation=repeatable\\ read'],
      'db',
      /^(races for factors|evidence of accounts)$/
    ],
    ['others', others, 'url', /^(odd texts|dates)$/],
    ['others', others, 'pool', /^(users|batches)$/]
  ]

function open(t: Test, { url }: TestDatabase, opened: 'url' | 'pool' | 'db') {
  if (opened === 'url') return postgresAdapter({ url, max: 20 })
  const pool = new pg.Pool({ connectionString: url, max: 20 })
  t.teardown(() => pool.end())
  return opened === 'pool' ? postgresAdapter({ pool }) : postgresAdapter({ db: drizzle({ client: pool }) })
}

/** Calls each method 20 times at once, for one row. */
async function callOneRow(t: Test, adapter: ReturnType<typeof open>): Promise<void> {
  const expires = new Date('2040-01-01')
  const { id: userId } = await adapter.createUser({ email: null, emailVerified: null })
  await adapter.createSession({ sessionToken: 'ada', userId, expires })
  await adapter.createTicket({ kind: 'test', id: 'ada', userId, data: '', tries: 0, expires })
  const evidence = { provider: 'demo', providerAccountId: '1', userId, email: 'ada@example.com', verifiedAt: expires }
  const record = newRecord(userId)
  const calls = {
    revoke: () => adapter.revoke(`user:${userId}`, expires),
    updateUser: () => adapter.updateUser({ id: userId, name: 'Ada' }),
    updateSession: () => adapter.updateSession({ sessionToken: 'ada', expires }),
    countTry: () => adapter.countTry({ kind: 'test', id: 'ada' }),
    putSessionRecord: () => adapter.putSessionRecord(record),
    putAccountEvidence: () => adapter.putAccountEvidence(evidence)
  }
  for (const [name, call] of Object.entries(calls)) {
    const results = await Promise.allSettled(Array.from({ length: 20 }, async () => call()))
    t.strictSame(
      results.filter(({ status }) => status === 'rejected'),
      [],
      name
    )
  }
  t.equal((await adapter.readTicket({ kind: 'test', id: 'ada' }))?.tries, 20, 'each try is counted once')
  await adapter.close()
}

/** In `npm test` a test has one way to open the adapter, the next test the next one. */
const someOpened = inTurn(['url', 'pool', 'db'] as const)

const page = readFileSync(new URL('../../../../../../docs/adapters.md', import.meta.url), 'utf8')

await withServer(postgres, async (t) => {
  for (const [name, values, opened, suites] of accepted) {
    await t.test(`the contract holds with ${name}, opened by ${opened}`, async (t) => {
      const database = await createTestDatabase(t)
      const configured = { ...database, url: withSettings(database.url, values) }
      const adapter = openOnce(t, () => open(t, configured, opened))
      await testAdapter(suitesNamed(t, suites), adapter, { nul: 'refused', callers: times(20, 50) })
    })
  }

  /**
   * Parsers of an application or another library apply to the whole process: lucia-auth/lucia#1424 (dates) and
   * brianc/node-pg-types#118 (`BigInt`).
   */
  await t.test('the contract holds with parsers of the application', async (t) => {
    const { getTypeParser } = pg.types
    const dates = [1082, 1114, 1184]
    const getOwn = (type: number, format?: 'text') => {
      if (dates.includes(type)) return (text: string) => ({ text })
      return type === 20 ? BigInt : getTypeParser(type, format)
    }
    t.intercept(pg.types, 'getTypeParser', { value: getOwn })
    for (const opened of someOpened()) {
      const database = await createTestDatabase(t)
      const adapter = openOnce(t, () => open(t, database, opened))
      const suites = opened === 'pool' ? /^(leases|revocations)$/ : /^(dates|accounts)$/
      await testAdapter(suitesNamed(t, suites), adapter, { nul: 'refused', callers: times(6, 50) })
    }
  })

  await t.test('the documentation lists each setting', async (t) => {
    for (const { name } of settings) t.match(page, `| \`${name}\` |`, name)
  })

  await t.test('20 callers on one row pass, whatever the default isolation', async (t) => {
    const isolations = ['serializable', 'repeatable\\ read']
    const opened = ['url', 'pool', 'db'] as const
    const all = isolations.flatMap((isolation) => opened.map((how) => ({ isolation, how })))
    for (const { isolation, how } of some(all, (one) => [one.isolation, one.how], 1)) {
      const database = await createTestDatabase(t)
      const url = withSettings(database.url, [`default_transaction_isolation=${isolation}`])
      await callOneRow(t, open(t, { ...database, url }, how))
    }
  })

  await t.test('a session that has ended is not read as one of another month', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = postgresAdapter({ url: withSettings(database.url, ['datestyle=SQL,\\ DMY']) })
    t.teardown(() => adapter.close())
    const user = await adapter.createUser({ email: null, emailVerified: null })
    const ended = new Date('2026-11-12T10:00:00.000Z')
    await adapter.createSession({ sessionToken: 'ada', userId: user.id, expires: ended })
    t.strictSame((await adapter.getSessionAndUser('ada'))?.session.expires, ended)
  })

  await t.test('connections of the application with another style or encoding are refused at startup', async (t) => {
    const database = await createTestDatabase(t)
    for (const style of ['German', 'SQL,\\ DMY', 'Postgres,\\ MDY']) {
      const url = withSettings(database.url, [`datestyle=${style}`])
      const message =
        /^postgresAdapter: expected DateStyle to be ISO, got '.*' \(run "alter role … set DateStyle = 'ISO'"/
      for (const opened of ['pool', 'db'] as const)
        await t.rejects(
          open(t, { ...database, url }, opened).ready(),
          { code: 'Setting', message },
          `${style}, ${opened}`
        )
    }
    const latin = new pg.Pool({ connectionString: database.url })
    latin.on('connect', (connection) => connection.query(`set client_encoding = 'LATIN1'`))
    t.teardown(() => latin.end())
    const message = /expected client_encoding to be UTF8, got 'LATIN1'/
    await t.rejects(postgresAdapter({ pool: latin }).ready(), { code: 'Setting', message })
  })

  await t.test('a transaction reads committed rows, whatever the default', async (t) => {
    for (const opened of someOpened()) {
      const database = await createTestDatabase(t)
      const url = withSettings(database.url, ['default_transaction_isolation=serializable'])
      const adapter = open(t, { ...database, url }, opened)
      await adapter.ready()
      await database.raw.query(`create function note() returns trigger language plpgsql as $$ begin
          new.name := current_setting('transaction_isolation');
          return new;
        end $$;
        create trigger note before insert on "user" for each row execute function note()`)
      const user = { id: 'ada', email: null, emailVerified: null }
      await adapter.transact([{ method: 'createUser', args: [user] }])
      t.equal((await adapter.getUser('ada'))?.name, 'read committed', opened)
      await adapter.close()
    }
  })
})
