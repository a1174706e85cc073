import { readFileSync } from 'node:fs'
import { times } from '@postern/testkit/long'
import mysql, { type PoolOptions } from 'mysql2'
import type { Test } from 'tap'
import { newRecord } from '../../../src/contract/data.ts'
import { testAdapter } from '../../../src/contract/index.ts'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { settings, timeZone } from '../../../src/drizzle/mysql/settings.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { openOnce, suitesNamed } from '../../suites.ts'
import { createTestDatabase, reuseDatabases, setDefaults, type TestDatabase } from './databases.ts'

interface Configured {
  readonly options?: PoolOptions
  /** Assignments on each new connection. */
  readonly settings?: string
}

function openPool(t: Test, { url }: TestDatabase, { options = {}, settings }: Configured): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 5, ...options })
  t.teardown(() => pool.promise().end())
  if (settings) pool.on('connection', (connection) => connection.query(`set session ${settings}`))
  return pool
}

const strict = 'STRICT_ALL_TABLES'

/** Settings that do not matter, and the suites of the contract that could notice. */
const held: readonly [name: string, configured: Configured, suites: RegExp][] = [
  ['-FOUND_ROWS', { options: { flags: ['-FOUND_ROWS'] } }, /^(session records|accounts|leases)$/],
  [
    'dates and numbers as strings, in a zone',
    { options: { dateStrings: true, bigNumberStrings: true, supportBigNumbers: true, timezone: '+05:30' } },
    /^(dates|revocations)$/
  ],
  ['values without a type', { options: { typeCast: false } }, /^(tickets)$/],
  [
    // Applications turn numbers into booleans: sidorares/node-mysql2#81 and #338.
    'values of types of the application',
    {
      options: {
        typeCast: (field, next) =>
          field.type === 'TINY' || field.type === 'LONGLONG' ? field.string() === '1' : next(),
        decimalNumbers: true,
        jsonStrings: true,
        namedPlaceholders: true
      }
    },
    /^(tickets|revocations)$/
  ],
  ['mode ANSI', { settings: `sql_mode = 'ANSI,${strict}'` }, /^(users|batches with tickets)$/],
  [
    'mode PAD_CHAR_TO_FULL_LENGTH and HIGH_NOT_PRECEDENCE',
    { settings: `sql_mode = 'PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE,${strict}'` },
    /^(odd texts|evidence of accounts)$/
  ],
  ['a zone', { settings: `time_zone = '-05:00'` }, /^(dates|sessions)$/],
  ['serializable', { settings: 'transaction isolation level serializable' }, /^(races|batches with factors)$/],
  ['read committed', { settings: 'transaction isolation level read committed' }, /^(races for factors|transactions)$/]
]

/** Settings that are refused, with what the refusal says. */
const refused: readonly [configured: Configured, message: RegExp][] = [
  // A server where nobody else sees a write, though each one succeeds: mysqljs/mysql#1700.
  [{ settings: 'autocommit = 0' }, /autocommit to be 1, got '0' \(run "set session autocommit = 1" on each/],
  [{ settings: `completion_type = 'CHAIN'` }, /completion_type to be NO_CHAIN, got 'CHAIN'/],
  [{ settings: `completion_type = 'RELEASE'` }, /completion_type to be NO_CHAIN, got 'RELEASE'/],
  // Sessions that have ended stay for ever: nlf/connect-mysql#26.
  [{ settings: 'sql_safe_updates = 1' }, /sql_safe_updates to be 0, got '1'/],
  [{ settings: 'unique_checks = 0' }, /unique_checks to be 1, got '0'/],
  [{ settings: 'sql_select_limit = 1' }, /sql_select_limit to be the default, got '1'/],
  [{ settings: 'sql_select_limit = 0' }, /the default sql_select_limit/],
  [{ settings: `sql_mode = ''` }, /sql_mode to be one with STRICT_TRANS_TABLES/],
  [{ settings: `sql_mode = 'NO_BACKSLASH_ESCAPES,${strict}'` }, /without NO_BACKSLASH_ESCAPES/],
  [{ options: { rowsAsArray: true } }, /without rowsAsArray and nestTables/],
  [{ options: { nestTables: true } }, /without rowsAsArray and nestTables/],
  [{ options: { nestTables: '_' } }, /without rowsAsArray and nestTables/],
  [
    { options: { charset: 'latin1_swedish_ci' } },
    /character_set_client to be utf8mb4, got 'latin1' \(create the pool with/
  ],
  [
    { settings: 'autocommit = 0, sql_safe_updates = 1' },
    /autocommit to be 1, got '0' .*; sql_safe_updates to be 0, got '1'/
  ]
]

const page = readFileSync(new URL('../../../../../../docs/adapters.md', import.meta.url), 'utf8')

await withServer(server, async (t) => {
  const getDatabase = reuseDatabases(t)

  await t.test('the documentation lists each setting', async (t) => {
    for (const { name } of [...settings, timeZone]) t.match(page, `\`${name}\``, name)
  })

  for (const [name, configured, suites] of held) {
    await t.test(`the contract holds with ${name}`, async (t) => {
      const database = await getDatabase(t)
      const open = openOnce(t, () => mysqlAdapter({ pool: openPool(t, database, configured) }))
      await testAdapter(suitesNamed(t, suites), open, { keyLength: 255, callers: times(6, 50) })
    })
  }

  await t.test('connections of Postern do not depend on the defaults of the server', async (t) => {
    const database = await getDatabase(t)
    setDefaults(
      t,
      `autocommit = 0, completion_type = 'RELEASE', sql_safe_updates = 1, sql_select_limit = 1, time_zone = '+05:30',
        unique_checks = 0, sql_mode = ''`
    )
    const open = openOnce(t, () => mysqlAdapter({ url: database.url }))
    await testAdapter(suitesNamed(t, /^(sessions|expiry|batches)$/), open, { keyLength: 255 })
  })

  for (const [configured, message] of refused) {
    await t.test(`refused at startup: ${configured.settings ?? JSON.stringify(configured.options)}`, async (t) => {
      const database = await getDatabase(t)
      const adapter = mysqlAdapter({ pool: openPool(t, database, configured) })
      await t.rejects(adapter.ready(), { code: 'Setting', message })
    })
  }

  await t.test('MariaDB, which would store an empty string as null, is refused', async (t) => {
    const database = await createTestDatabase(t)
    const [about] = await database.raw.query<mysql.RowDataPacket[]>('select version() as version')
    if (!`${about[0]?.['version']}`.includes('MariaDB')) return t.pass('MySQL has no such mode')
    const settings = `sql_mode = 'EMPTY_STRING_IS_NULL,${strict}'`
    const adapter = mysqlAdapter({ pool: openPool(t, database, { settings }) })
    await t.rejects(adapter.ready(), {
      code: 'Setting',
      message: /without NO_BACKSLASH_ESCAPES or EMPTY_STRING_IS_NULL/
    })
  })

  await t.test('an unchanged record is written again by a pool that counts changed rows only', async (t) => {
    const adapter = mysqlAdapter({ pool: openPool(t, await getDatabase(t), { options: { flags: ['-FOUND_ROWS'] } }) })
    const user = await adapter.createUser({ email: null, emailVerified: null })
    const record = newRecord(user.id)
    const used = { ...record, lastSeen: new Date(record.createdAt.getTime() + 1000) }
    for (const each of [record, record, used, used]) await adapter.putSessionRecord(each)
    t.strictSame(await adapter.getSessionRecords({ userId: user.id }), [used])
  })
})
