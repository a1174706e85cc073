import { getTableConfig, mysqlTable, text, timestamp, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import type { Test } from 'tap'
import * as my from '../../../src/drizzle/mysql/index.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { ada, github } from '../people.ts'
import { newPlace, type Place } from './databases.ts'

const { mysqlAdapter, mariadbMigrations, migrations } = my
const tables = [my.users, my.accounts, my.sessions, my.verificationTokens, my.posternLocks] as const

/** The database of an application that came from Auth.js, with the server's own collation. */
const authJsTables = `
  CREATE TABLE \`account\` (
    \`userId\` varchar(255) NOT NULL, \`type\` varchar(255) NOT NULL, \`provider\` varchar(255) NOT NULL,
    \`providerAccountId\` varchar(255) NOT NULL, \`refresh_token\` varchar(255), \`access_token\` varchar(255),
    \`expires_at\` int, \`token_type\` varchar(255), \`scope\` varchar(255), \`id_token\` varchar(2048),
    \`session_state\` varchar(255), PRIMARY KEY(\`provider\`,\`providerAccountId\`)
  );
  CREATE TABLE \`session\` (
    \`sessionToken\` varchar(255) NOT NULL PRIMARY KEY, \`userId\` varchar(255) NOT NULL,
    \`expires\` timestamp NOT NULL DEFAULT '2030-01-01'
  );
  CREATE TABLE \`user\` (
    \`id\` varchar(255) NOT NULL PRIMARY KEY, \`name\` varchar(255), \`email\` varchar(255),
    \`emailVerified\` timestamp(3) NULL, \`image\` varchar(255), \`role\` varchar(20) NOT NULL DEFAULT 'reader'
  );
  CREATE TABLE \`verificationToken\` (
    \`identifier\` varchar(255) NOT NULL, \`token\` varchar(255) NOT NULL,
    \`expires\` timestamp NOT NULL DEFAULT '2030-01-01', PRIMARY KEY(\`identifier\`,\`token\`)
  );
  ALTER TABLE \`account\` ADD CONSTRAINT \`account_userId\` FOREIGN KEY (\`userId\`) REFERENCES \`user\`(\`id\`) ON DELETE cascade;
  INSERT INTO user VALUES ('1', 'Ada', 'Ada@Example.com', '2023-11-14 22:13:20.123', NULL, 'editor');
  INSERT INTO account (userId, type, provider, providerAccountId) VALUES ('1', 'oauth', 'github', '42');
  INSERT INTO session VALUES ('plain-token', '1', '2031-12-31 23:59:59');
  INSERT INTO verificationToken VALUES ('ada@example.com', 'hash', '2031-12-31 23:59:59');
`

function open(t: Test, { url }: Place) {
  const adapter = mysqlAdapter({ url })
  t.teardown(() => adapter.close())
  return adapter
}

const select = async ({ raw }: Place, query: string, ...values: string[]) =>
  (await raw.query<mysql.RowDataPacket[]>(query, values))[0].map((row) => ({ ...row }))

const indexesOf = (place: Place, table: string) =>
  select(
    place,
    'select distinct index_name as name from information_schema.statistics where table_schema = ? and table_name = ?',
    place.name,
    table
  ).then((rows) => rows.map((row) => Object.values(row)[0]).sort())

await withServer(server, async (t) => {
  await t.test('the database of an Auth.js application goes on', async (t) => {
    const place = await newPlace(t)
    await place.raw.query(authJsTables)
    const adapter = open(t, place)
    const known = {
      id: '1',
      name: 'Ada',
      email: 'Ada@Example.com',
      emailVerified: new Date(1700000000123),
      image: null
    }
    t.strictSame(await adapter.getUser('1'), known)
    t.strictSame(await adapter.getUserByAccount({ provider: 'github', providerAccountId: '42' }), known)
    t.strictSame(await adapter.getSessionAndUser('plain-token'), {
      session: { sessionToken: 'plain-token', userId: '1', expires: new Date('2031-12-31T23:59:59Z') },
      user: known
    })
    const pair = { identifier: 'ada@example.com', token: 'hash' }
    t.strictSame(await adapter.useVerificationToken(pair), { ...pair, expires: new Date('2031-12-31T23:59:59Z') })
    const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    t.strictSame(await select(place, 'select id, role from user order by role'), [
      { id: '1', role: 'editor' },
      { id: bob.id, role: 'reader' }
    ])
    t.strictSame(await indexesOf(place, 'user'), ['PRIMARY', 'postern_user_email'], 'an index for addresses')
    t.strictSame(await indexesOf(place, 'account'), ['PRIMARY', 'account_userId'], 'none where there is one')
    t.strictSame(await indexesOf(place, 'session'), ['PRIMARY', 'postern_session_userId'])
  })

  await t.test('a text that their collation takes for another is another', async (t) => {
    const place = await newPlace(t)
    await place.raw.query(authJsTables)
    const adapter = open(t, place)
    const user = await adapter.createUser({ ...ada, id: 'josé' })
    const account = { ...github, providerAccountId: 'josé' }
    await adapter.linkAccount({ ...account, userId: user.id })
    await adapter.createSession({ sessionToken: 'josé', userId: user.id, expires: new Date() })
    await adapter.createVerificationToken({ identifier: 'josé', token: 'josé', expires: new Date() })
    const found = await select(place, `select 1 from account where providerAccountId = 'JOSE '`)
    t.equal(found.length, 1, 'their collation does')
    for (const twin of ['José', 'jose', 'josé ', 'jose\u0301']) {
      const key = { ...account, providerAccountId: twin }
      t.equal(await adapter.getUser(twin), null)
      t.equal(await adapter.getUserByEmail(ada.email.replace('ada', 'Ada')), null)
      t.equal(await adapter.getUserByAccount(key), null)
      t.equal(await adapter.updateAccount({ ...key, scope: 'openid' }), null)
      t.equal(await adapter.unlinkAccount(key), null)
      t.equal(await adapter.getSessionAndUser(twin), null)
      t.equal(await adapter.updateSession({ sessionToken: twin, expires: new Date(0) }), null)
      t.equal(await adapter.deleteSession(twin), null)
      t.equal(await adapter.useVerificationToken({ identifier: twin, token: 'josé' }), null)
      t.equal(await adapter.useVerificationToken({ identifier: 'josé', token: twin }), null)
      await t.rejects(adapter.updateUser({ id: twin, name: 'Eve' }))
      t.equal(await adapter.deleteUser(twin), null)
      await adapter.deleteSessions(twin)
      await adapter.deleteSessions('josé', 'josé')
    }
    t.strictSame(await adapter.getUserByAccount(account), user)
    t.equal((await adapter.getSessionAndUser('josé'))?.user.name, null)
    t.ok(await adapter.useVerificationToken({ identifier: 'josé', token: 'josé' }))
    await adapter.deleteSessions('josé', 'José')
    t.equal(await adapter.getSessionAndUser('josé'), null)
  })

  await t.test('what has no room in a column of theirs does not fail a sign-in', async (t) => {
    const place = await newPlace(t)
    await place.raw.query(authJsTables)
    const adapter = open(t, place)
    const user = await adapter.createUserWithAccount(
      { ...ada, image: `data:${'x'.repeat(300)}` },
      { ...github, access_token: 'a'.repeat(256), id_token: 'i'.repeat(2048), expires_at: 2 ** 40 }
    )
    t.equal(user.image, null)
    t.match(await adapter.getAccounts(user.id), [{ access_token: null, id_token: 'i'.repeat(2048), expires_at: null }])
    await adapter.updateAccount({ ...github, access_token: 'é'.repeat(255), expires_at: 2 ** 31 - 1 })
    t.match(await adapter.getAccounts(user.id), [{ access_token: 'é'.repeat(255), expires_at: 2 ** 31 - 1 }])
  })

  await t.test('the migrations make what the schema says, and tell keys apart to the byte', async (t) => {
    const place = await newPlace(t)
    await open(t, place).ready()
    for (const table of tables) {
      const { name, columns, indexes } = getTableConfig(table)
      const found = await select(
        place,
        `select column_name as name, column_type as type, is_nullable as nullable, collation_name as collation
         from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`,
        place.name,
        name
      )
      const wanted = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        nullable: column.notNull ? 'NO' : 'YES'
      }))
      t.match(
        found.map((row) => ({ ...row, type: `${Reflect.get(row, 'type')}`.replace(/^(int|bigint)\(\d+\)$/, '$1') })),
        wanted,
        `the columns of ${name}`
      )
      const keys = found.filter((row) => `${Reflect.get(row, 'type')}`.startsWith('varchar'))
      t.ok(keys.length > 0)
      t.ok(keys.every((row) => /_nopad_bin$|_0900_bin$/.test(`${Reflect.get(row, 'collation')}`)))
      const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName)
      const names = ['PRIMARY', ...indexes.map((index) => index.config.name), ...unique]
      t.same(await indexesOf(place, name), names.sort(), `the indexes of ${name}`)
    }
  })

  await t.test('migrate: false names what is missing, and the migration', async (t) => {
    const place = await newPlace(t)
    const adapter = mysqlAdapter({ url: place.url, migrate: false })
    t.teardown(() => adapter.close())
    const error = {
      name: 'DatabaseError',
      code: 'Schema',
      message: /missing: table `user`, table `account`, .*; migrations\/(mariadb|mysql)\/0001_tables.sql/
    }
    await t.rejects(adapter.ready(), error)
    await t.rejects(adapter.getUser('1'), error)
    t.strictSame(await select(place, 'show tables'), [], 'nothing was created')
    const about = JSON.stringify(await select(place, 'select version()'))
    const dialect = about.includes('MariaDB') ? mariadbMigrations : migrations
    await place.raw.query(dialect.map(({ sql }) => sql).join(''))
    t.equal(await adapter.getUser('1'), null, 'the exported SQL is enough')
  })

  await t.test('a table that lacks a column is named, and not altered', async (t) => {
    const place = await newPlace(t)
    await place.raw.query(authJsTables.replace('`session_state` varchar', '`session_states` varchar'))
    await t.rejects(open(t, place).ready(), { code: 'Schema', message: /missing: column `account`.`session_state`;/ })
  })

  await t.test('many that start at one moment all start, and migrate once', async (t) => {
    const place = await newPlace(t)
    const adapters = Array.from({ length: 6 }, () => open(t, place))
    await Promise.all(adapters.map((adapter) => adapter.ready()))
    t.strictSame(await select(place, 'select version from postern_migration'), [{ version: 1 }])
    await open(t, place).ready()
  })

  await t.test('tables and columns may have other names', async (t) => {
    const place = await newPlace(t)
    const adapter = mysqlAdapter({
      url: place.url,
      tables: { users: 'people', accounts: 'links', sessions: 'visits', verificationTokens: 'mails' },
      columns: { users: { emailVerified: 'email_verified' }, accounts: { userId: 'user_id' } }
    })
    t.teardown(() => adapter.close())
    const user = await adapter.createUserWithAccount({ ...ada, emailVerified: new Date(1700000000123) }, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    t.match(await select(place, 'select email_verified, user_id from people join links on user_id = people.id'), [
      { user_id: user.id }
    ])
    const names = (await select(place, 'show tables')).map((row) => Object.values(row)[0])
    t.strictSame(names, ['links', 'mails', 'people', 'postern_lock', 'postern_migration', 'visits'])
  })

  await t.test('a table of users of the application’s has its own columns, and is not created', async (t) => {
    const place = await newPlace(t)
    const users = mysqlTable('members', {
      id: varchar('id', { length: 36 }).primaryKey(),
      name: text('name'),
      email: varchar('mail', { length: 255 }).unique(),
      emailVerified: timestamp('proven_at', { fsp: 3 }),
      image: text('image'),
      role: varchar('role', { length: 20 }).notNull().default('reader')
    })
    const pool = mysql.createPool({ uri: place.url, connectionLimit: 2 })
    t.teardown(() => pool.promise().end())
    await place.raw.query(`create table members (id varchar(36) character set utf8mb4 collate utf8mb4_bin primary key,
      name text, mail varchar(255) unique, proven_at timestamp(3) null, image text,
      role varchar(20) not null default 'reader')`)
    const adapter = mysqlAdapter({ db: drizzle({ client: pool }), tables: { users } })
    await adapter.ready()
    t.strictSame(await indexesOf(place, 'members'), ['PRIMARY', 'mail'], 'nothing is done to it')
    const created = await adapter.createUserWithAccount(ada, github)
    const role: string = created.role
    t.equal(role, 'reader')
    const proven = new Date(1700000000456)
    const updated = await adapter.updateUser({ id: created.id, role: 'editor', emailVerified: proven })
    t.strictSame(updated, { ...created, role: 'editor', emailVerified: proven })
    t.strictSame(await adapter.getUserByAccount(github), updated)
  })

  await t.test('a session is read by one statement, and keys are found by an index', async (t) => {
    const place = await newPlace(t)
    const pool = mysql.createPool({ uri: place.url, connectionLimit: 1 })
    t.teardown(() => pool.promise().end())
    const statements: string[] = []
    pool.on('connection', (connection) => {
      const { query } = connection
      t.intercept(connection, 'query', {
        value: (...args: Parameters<typeof query>) => {
          const command = Reflect.apply(query, connection, args)
          statements.push(command.sql)
          return command
        }
      })
    })
    const adapter = mysqlAdapter({ pool })
    const user = await adapter.createUserWithAccount(ada, github)
    await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date() })
    statements.length = 0
    await adapter.getSessionAndUser('h1.1')
    t.equal(statements.length, 1, 'one')
    await adapter.getUserByEmail(ada.email)
    await adapter.getUserByAccount(github)
    await adapter.getAccounts(user.id)
    await adapter.listSessions(user.id)
    t.equal(statements.length, 5)
    for (const statement of statements) {
      const plan = await select(place, `explain ${statement}`)
      t.ok(
        plan.every((row) => Reflect.get(row, 'key') !== null),
        statement
      )
    }
  })
})
