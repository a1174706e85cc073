import { some } from '@postern/testkit/long'
import { mysqlTable, text, timestamp, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import type { Test } from 'tap'
import { mysqlAdapter } from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { inZone, keepsInstants, type OtherProgram, zones } from '../instants.ts'
import { createTestDatabase, setDefaults, type TestDatabase } from './databases.ts'

const tables = { users: 'User', accounts: 'Account', sessions: 'Session', verificationTokens: 'VerificationToken' }

const createTables = (type: string) => `
  create table User (id varchar(191) primary key, name text, email varchar(191) unique, emailVerified ${type} null,
    image text);
  create table Account (userId varchar(191) not null, type varchar(191) not null, provider varchar(191) not null,
    providerAccountId varchar(191) not null, refresh_token text, access_token text, expires_at bigint,
    token_type text, scope text, id_token text, session_state text, primary key (provider, providerAccountId));
  create table Session (sessionToken varchar(191) primary key, userId varchar(191) not null, expires ${type} not null);
  create table VerificationToken (identifier varchar(191) not null, token varchar(191) not null,
    expires ${type} not null, primary key (identifier, token))`

/** The offsets of the zones; the names need tables that a server may lack. */
const offsets: Readonly<Record<(typeof zones)[number], string>> = {
  UTC: '+00:00',
  'Asia/Kolkata': '+05:30',
  'America/New_York': '-05:00'
}

/** Opens a pool whose connections have these settings. */
function openPool(t: Test, { url }: TestDatabase, settings: string): mysql.Pool {
  const pool = mysql.createPool({ uri: url, connectionLimit: 2 })
  t.teardown(() => pool.end())
  pool.pool.on('connection', (connection) => connection.query(`set session ${settings}`))
  return pool
}

/** Reads and writes instants in a zone of its own: `timestamp` is converted, and `datetime` has UTC. */
function otherProgram(pool: mysql.Pool, type: string, offset: string): OtherProgram {
  const column = type.startsWith('timestamp') ? 'expires' : `convert_tz(expires, '+00:00', '${offset}')`
  const written = type.startsWith('timestamp')
    ? 'from_unixtime(?)'
    : `convert_tz(from_unixtime(?), '${offset}', '+00:00')`
  return {
    read: async (token) => {
      const query = `select unix_timestamp(${column}) * 1000 as ms from Session where sessionToken = ?`
      const [rows] = await pool.query<mysql.RowDataPacket[]>(query, [token])
      return Number(rows[0]?.['ms'])
    },
    write: ({ sessionToken, userId, expires }) =>
      pool.query(`insert into Session values (?, ?, ${written})`, [sessionToken, userId, expires.getTime() / 1000])
  }
}

await withServer(server, async (t) => {
  const types = ['timestamp(3)', 'datetime(3)', 'timestamp'] as const
  const cases = types.flatMap((type) => zones.flatMap((other) => zones.map((process) => ({ type, other, process }))))
  for (const type of types) {
    await t.test(`columns of type ${type} hold the same instant in every zone`, async (t) => {
      const database = await createTestDatabase(t)
      await database.raw.query(createTables(type))
      setDefaults(t, `time_zone = '-05:00'`)
      const utc = openPool(t, database, `time_zone = '+00:00'`)
      const zoned = some(cases, (one) => [one.type, one.other, one.process], 1).filter((one) => one.type === type)
      for (const zone of zoned) {
        const offset = offsets[zone.other]
        const pool = openPool(t, database, `time_zone = '${offset}'`)
        const adapters = [
          mysqlAdapter({ url: database.url, tables }),
          // The type datetime does not depend on the zone of the session.
          mysqlAdapter({ pool: type === 'datetime(3)' ? pool : utc, tables }),
          mysqlAdapter({ db: drizzle({ client: utc.pool }), tables })
        ]
        for (const adapter of adapters)
          await inZone(zone.process, () => keepsInstants(t, adapter, otherProgram(pool, type, offset)))
        for (const adapter of adapters) await adapter.close()
      }
    })
  }

  await t.test('a pool with another zone is refused, if a table has columns of type timestamp', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(createTables('timestamp(3)'))
    for (const offset of ['+05:30', '-05:00']) {
      const adapter = mysqlAdapter({ pool: openPool(t, database, `time_zone = '${offset}'`), tables })
      const message = `time_zone to be '\\+00:00', .* got '\\${offset}' .*set session time_zone = '\\+00:00'`
      await t.rejects(adapter.ready(), { code: 'Setting', message: new RegExp(message) })
    }
  })

  await t.test('a drizzle table may have either type', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(createTables('timestamp(3)'))
    const sessions = mysqlTable('Session', {
      sessionToken: varchar('sessionToken', { length: 191 }).primaryKey(),
      userId: varchar('userId', { length: 191 }).notNull(),
      expires: timestamp('expires', { mode: 'date', fsp: 3 }).notNull(),
      note: text('note')
    })
    await database.raw.query('alter table Session add note text')
    const adapter = mysqlAdapter({ url: database.url, tables: { ...tables, sessions } })
    t.teardown(() => adapter.close())
    const pool = openPool(t, database, `time_zone = '+05:30'`)
    const other = otherProgram(pool, 'timestamp', '+05:30')
    const write: OtherProgram['write'] = ({ sessionToken, userId, expires }) =>
      pool.query('insert into Session values (?, ?, from_unixtime(?), null)', [
        sessionToken,
        userId,
        expires.getTime() / 1000
      ])
    await keepsInstants(t, adapter, { ...other, write })
  })

  await t.test('a type that holds no instant is refused at startup, with all such columns', async (t) => {
    for (const type of ['date', 'varchar(30)', 'bigint', 'boolean']) {
      const database = await createTestDatabase(t)
      await database.raw.query(createTables(type))
      const adapter = mysqlAdapter({ url: database.url, tables })
      t.teardown(() => adapter.close())
      const names = ['`User`.`emailVerified`', '`Session`.`expires`', '`VerificationToken`.`expires`']
      const message = new RegExp(`${names.join('.*')}.*alter table .* datetime`)
      await t.rejects(adapter.ready(), { code: 'ColumnType', message }, type)
    }
  })

  await t.test('an address that nobody has verified stays so when the user changes', async (t) => {
    for (const [declared, message] of [
      ['timestamp null on update current_timestamp', /`User`.`emailVerified` has "on update current_timestamp"/],
      ['timestamp not null default current_timestamp', /`User`.`emailVerified` is declared not null/]
    ] as const) {
      const database = await createTestDatabase(t)
      await database.raw.query(createTables('datetime(3)'))
      await database.raw.query(`alter table User modify emailVerified ${declared}`)
      const adapter = mysqlAdapter({ url: database.url, tables })
      t.teardown(() => adapter.close())
      await t.rejects(adapter.ready(), { code: 'ColumnType', message })
    }
  })

  /** The first column of this type begins to touch itself, without a word of it in the table: better-auth/better-auth#9170. */
  await t.test('a session does not end because its server touches dates', async (t) => {
    const defaults = 'explicit_defaults_for_timestamp = 0'
    const database = await createTestDatabase(t)
    const old = openPool(t, database, defaults)
    await old.query(
      'create table Session (sessionToken varchar(191) primary key, userId varchar(191) not null, expires timestamp not null)'
    )
    const adapter = mysqlAdapter({ url: database.url, tables: { sessions: 'Session' } })
    t.teardown(() => adapter.close())
    const message = /`Session`.`expires` has "on update current_timestamp".*alter table .* datetime/
    await t.rejects(adapter.ready(), { code: 'ColumnType', message })
    await old.query('alter table Session modify expires datetime(3) not null')
    setDefaults(t, defaults)
    const corrected = mysqlAdapter({ url: database.url, tables: { sessions: 'Session' } })
    t.teardown(() => corrected.close())
    const expires = new Date('2040-01-01T00:00:00.000Z')
    const { id: userId } = await corrected.createUser({ email: null, emailVerified: null })
    await corrected.createSession({ sessionToken: 'ada', userId, expires })
    const { id: other } = await corrected.createUser({ email: null, emailVerified: null })
    await database.raw.query('update Session set userId = ?', [other])
    t.strictSame((await corrected.getSessionAndUser('ada'))?.session.expires, expires)
  })
})
