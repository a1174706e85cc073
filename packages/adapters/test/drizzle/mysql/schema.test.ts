import * as my from '@postern/adapters/mysql'
import { getTableConfig, mysqlTable, text, timestamp, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../../../src/contract/data.ts'
import { mysql as server, withServer } from '../../servers.ts'
import { ada, github } from '../people.ts'
import { createTestDatabase, explain, reuseDatabases, type TestDatabase } from './databases.ts'
import { openPool } from './server.ts'

const { mysqlAdapter, mariadbMigrations, migrations } = my
const tables = [
  my.users,
  my.accounts,
  my.sessions,
  my.verificationTokens,
  my.posternLocks,
  my.posternSessions,
  my.posternRevocations,
  my.posternAccounts,
  my.posternTickets,
  my.posternFactors,
  my.posternEvents,
  my.posternUsers
] as const

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

/** Postern's tables as drizzle-kit creates them from the schema, which cannot set a collation. */
const looseTables = `
  CREATE TABLE postern_session (
    id varchar(255) NOT NULL PRIMARY KEY, userId varchar(255) NOT NULL, sessionToken varchar(255), provider varchar(255),
    providerSessionId varchar(255), userAgent text, address text, createdAt datetime(3) NOT NULL,
    lastSeen datetime(3) NOT NULL, expires datetime(3) NOT NULL, data text, UNIQUE (sessionToken)
  );
  CREATE TABLE postern_revocation (
    subject varchar(255) NOT NULL PRIMARY KEY, version bigint NOT NULL, until datetime(3) NOT NULL,
    noted bigint NOT NULL
  );
  CREATE TABLE postern_account (
    provider varchar(255) NOT NULL, providerAccountId varchar(255) NOT NULL, userId varchar(255) NOT NULL,
    email text NOT NULL, verifiedAt datetime(3) NOT NULL, PRIMARY KEY (provider, providerAccountId)
  );
  CREATE TABLE postern_ticket (
    kind varchar(255) NOT NULL, id varchar(255) NOT NULL, userId varchar(255), data text NOT NULL, tries int NOT NULL,
    expires datetime(3) NOT NULL, dueAt datetime(3), PRIMARY KEY (kind, id)
  );
  CREATE TABLE postern_factor (
    type varchar(255) NOT NULL, id varchar(255) NOT NULL, userId varchar(255) NOT NULL, name text, data text NOT NULL,
    createdAt datetime(3) NOT NULL, lastUsedAt datetime(3), version int NOT NULL, PRIMARY KEY (type, id)
  );
  CREATE TABLE postern_event (
    id varchar(255) NOT NULL PRIMARY KEY, time datetime(3) NOT NULL, type varchar(255) NOT NULL, userId varchar(255),
    sessionId varchar(255), ip text, userAgent text, provider varchar(255), requestId text, data text
  );
  CREATE TABLE postern_user (
    userId varchar(255) NOT NULL PRIMARY KEY, version bigint NOT NULL, sessionsFrom bigint NOT NULL,
    suspendedAt datetime(3), changeId varchar(255), until datetime(3), deleteAfter datetime(3)
  );
`

function open(t: Test, { url }: TestDatabase) {
  const adapter = mysqlAdapter({ url })
  t.teardown(() => adapter.close())
  return adapter
}

const select = async ({ raw }: TestDatabase, query: string, ...values: string[]) =>
  (await raw.query<mysql.RowDataPacket[]>(query, values))[0].map((row) => ({ ...row }))

const getDialect = async (database: TestDatabase) =>
  JSON.stringify(await select(database, 'select version()')).includes('MariaDB') ? mariadbMigrations : migrations

const getIndexes = (database: TestDatabase, table: string) =>
  select(
    database,
    'select distinct index_name as name from information_schema.statistics where table_schema = ? and table_name = ?',
    database.name,
    table
  ).then((rows) => rows.map((row) => Object.values(row)[0]).sort())

/** Columns and indexes. */
const getSchema = (database: TestDatabase) =>
  select(
    database,
    `select table_name as name, column_name as part, column_type as type, is_nullable as nullable
     from information_schema.columns where table_schema = ?
     union all select table_name, index_name, column_name, seq_in_index
     from information_schema.statistics where table_schema = ? order by 1, 2, 3`,
    database.name,
    database.name
  )

/** Their part of it. */
const getOtherSchema = async (database: TestDatabase) =>
  (await getSchema(database)).filter((row) => !`${Reflect.get(row, 'name')}`.startsWith('postern_'))

/** A database user that may use existing tables, and create nothing. */
async function newUser(t: Test, { raw, name, url }: TestDatabase) {
  const username = `'${name}'@'%'`
  await raw.query(`create user ${username} identified by 'secret';
    grant select, insert, update, delete on ${name}.* to ${username}`)
  t.teardown(() => raw.query(`drop user ${username}`))
  const address = new URL(url)
  Object.assign(address, { username: name, password: 'secret' })
  return { username, url: address.href }
}

/** A pool, and the queries that it receives. */
function listening(t: Test, database: TestDatabase) {
  const statements: string[] = []
  return { pool: openPool(t, database, null, statements), statements }
}

/** Every statement finds its rows by a key. */
async function explainAll(t: Test, database: TestDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const plan = await select(database, `${explain} ${statement}`)
    t.ok(
      plan.every((row) => Reflect.get(row, 'key') !== null),
      statement
    )
  }
}

await withServer(server, async (t) => {
  /** For tests of tables that the migrations have created. */
  const getDatabase = reuseDatabases(t)

  await t.test('the database of an Auth.js application keeps working', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const before = await getOtherSchema(database)
    const adapter = open(t, database)
    const existingUser = {
      id: '1',
      name: 'Ada',
      email: 'Ada@Example.com',
      emailVerified: new Date(1700000000123),
      image: null,
      role: 'editor'
    }
    t.strictSame(await adapter.getUser('1'), existingUser)
    t.strictSame(await adapter.getUserByAccount({ provider: 'github', providerAccountId: '42' }), existingUser)
    t.strictSame(await adapter.getSessionAndUser('plain-token'), {
      session: { sessionToken: 'plain-token', userId: '1', expires: new Date('2031-12-31T23:59:59Z') },
      user: existingUser
    })
    const pair = { identifier: 'ada@example.com', token: 'hash' }
    t.strictSame(await adapter.useVerificationToken(pair), { ...pair, expires: new Date('2031-12-31T23:59:59Z') })
    const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    t.strictSame(await select(database, 'select id, role from user order by role'), [
      { id: '1', role: 'editor' },
      { id: bob.id, role: 'reader' }
    ])
    t.strictSame(await getOtherSchema(database), before, 'nothing was done to their tables')
  })

  await t.test('their keys serve the queries of every request and sign-in', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const { pool, statements } = listening(t, database)
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    statements.length = 0
    await adapter.getUser('1')
    await adapter.getUserByAccount({ provider: 'github', providerAccountId: '42' })
    await adapter.getSessionAndUser('plain-token')
    await adapter.getVerificationToken({ identifier: 'ada@example.com', token: 'hash' })
    t.equal(statements.length, 4)
    await explainAll(t, database, statements)
  })

  await t.test('a user that may write to their tables, and create none, starts where all are there', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const before = await getOtherSchema(database)
    const { username, url } = await newUser(t, database)
    await t.rejects(open(t, { ...database, url }).ready(), {
      code: 'Schema',
      message: /missing: table `postern_lock`, .*; the database refuses to create them \(/
    })
    await database.raw.query((await getDialect(database)).map(({ sql }) => sql).join(''))
    for (const adapter of [open(t, { ...database, url }), open(t, { ...database, url })])
      t.equal((await adapter.getSessionAndUser('plain-token'))?.user.id, '1')
    t.strictSame(await select(database, `show tables like 'postern_migration'`), [], 'and notes nothing')
    await database.raw.query(`grant create on ${database.name}.* to ${username}`)
    await open(t, { ...database, url }).ready()
    t.strictSame(await select(database, 'select version from postern_migration'), [{ version: 1 }])
    t.strictSame(await getOtherSchema(database), before)
  })

  await t.test('tables that are missing after the first start are made', async (t) => {
    const database = await createTestDatabase(t)
    const first = open(t, database)
    const user = await first.createUserWithAccount(ada, github)
    const before = await getSchema(database)
    await database.raw.query('drop table verificationToken, postern_lock')
    await Promise.all(Array.from({ length: 4 }, () => open(t, database).ready()))
    t.strictSame(await getSchema(database), before, 'one that was dropped')
    t.strictSame(await first.getUserByAccount(github), user)
    const tables = { users: 'b_user', accounts: 'b_account', sessions: 'b_session', verificationTokens: 'b_token' }
    const others = Array.from({ length: 4 }, () => mysqlAdapter({ url: database.url, tables }))
    t.teardown(() => Promise.all(others.map((adapter) => adapter.close())))
    await Promise.all(others.map((adapter) => adapter.ready()))
    t.equal(await others[0]?.getUserByAccount(github), null, 'those of a second application')
    const other = (row: object) => `${Reflect.get(row, 'name')}`.startsWith('b_')
    t.match(
      JSON.stringify((await getSchema(database)).filter(other)),
      'postern_b_session_expires',
      'with their indexes'
    )
    t.strictSame(
      (await getSchema(database)).filter((row) => !other(row)),
      before
    )
  })

  await t.test('a text that their collation takes for another is another', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(`${authJsTables} ${looseTables}`)
    const adapter = open(t, database)
    const user = await adapter.createUser({ ...ada, id: 'josé' })
    const account = { ...github, providerAccountId: 'josé' }
    await adapter.linkAccount({ ...account, userId: user.id })
    const times = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
    const record = { provider: 'josé', providerSessionId: 'josé', userAgent: null, address: null, ...times }
    await adapter.createSession(
      { sessionToken: 'josé', userId: user.id, expires: new Date() },
      { id: 'josé', userId: user.id, sessionToken: 'josé', ...record }
    )
    await adapter.updateAccount({ ...account, refresh_token: 'josé' })
    await adapter.revoke('user:josé', new Date())
    await adapter.createVerificationToken({ identifier: 'josé', token: 'josé', expires: new Date() })
    const evidence = { ...account, userId: user.id, email: ada.email, verifiedAt: new Date(1700000000123) }
    const { type: _, ...proof } = evidence
    const ticket = {
      kind: 'reset',
      id: 'josé',
      userId: user.id,
      data: 'v1',
      tries: 0,
      expires: new Date(1700000000123),
      dueAt: null
    }
    await adapter.putAccountEvidence(proof)
    await adapter.createTicket(ticket)
    const factor = newFactor(user.id, { id: 'josé' })
    const event = newEvent({ id: 'josé', userId: user.id, type: 'josé' })
    await adapter.createFactor(factor)
    await adapter.addEvents([event])
    const found = await select(database, `select 1 from account where providerAccountId = 'JOSE'`)
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
      t.equal(await adapter.updateAccount({ ...account, scope: 'openid' }, { refresh_token: twin }), false)
      t.strictSame(await adapter.getSessionRecords({ id: twin }), [])
      t.strictSame(await adapter.getSessionRecords({ userId: twin }), [])
      t.strictSame(await adapter.getSessionRecords({ provider: 'josé', providerSessionId: twin }), [])
      t.strictSame(await adapter.getRevocations([`user:${twin}`]), [])
      t.strictSame(await adapter.getAccountEvidence(twin), [])
      t.equal(await adapter.readTicket({ ...ticket, id: twin }), null)
      t.equal(await adapter.countTry({ ...ticket, id: twin }), null)
      t.equal(await adapter.consumeTicket({ ...ticket, id: twin }), null)
      t.equal(await adapter.transact([{ method: 'consumeTicket', args: [{ ...ticket, id: twin }] }]), false)
      t.equal(await adapter.getFactor({ ...factor, id: twin }), null)
      t.equal(await adapter.updateFactor({ ...factor, id: twin }, 1), false)
      t.equal(await adapter.updateFactor({ ...factor, userId: twin }, 1), false)
      t.equal(await adapter.deleteFactor({ ...factor, id: twin }), false)
      t.strictSame(await adapter.listFactors(twin), [])
      t.strictSame(await adapter.listFactors(user.id, 'Totp'), [])
      t.strictSame(await adapter.listEvents({ userId: twin, limit: 10 }), [])
      t.strictSame(await adapter.listEvents({ type: twin, limit: 10 }), [])
      await adapter.deleteTickets(twin)
      await adapter.deleteTickets(user.id, 'Reset')
      await adapter.deleteSessionRecord(twin)
      await adapter.deleteSessions(twin)
      await adapter.deleteSessions('josé', 'josé')
    }
    // A key that the table compares as equal to another is refused: a plain upsert would overwrite the other row.
    for (const twin of ['José', 'jose']) {
      const taken = { ...proof, providerAccountId: twin }
      const refused = { name: 'DuplicateError' }
      await t.rejects(async () => adapter.createTicket({ ...ticket, id: twin }), refused)
      await t.rejects(async () => adapter.putAccountEvidence({ ...taken, userId: 'eve' }), refused)
      await t.rejects(async () => adapter.createFactor({ ...factor, id: twin }), refused)
      await t.rejects(async () => adapter.addEvents([{ ...event, id: twin }]), refused)
      await t.rejects(async () => adapter.transact([{ method: 'putAccountEvidence', args: [taken] }]), refused)
    }
    t.strictSame(await adapter.getAccountEvidence(user.id), [proof])
    t.strictSame(await adapter.consumeTicket(ticket), ticket)
    t.strictSame(await adapter.listFactors(user.id, 'totp'), [factor])
    t.strictSame(await adapter.listEvents({ userId: user.id, limit: 10 }), [event])
    t.strictSame(await adapter.getUserByAccount(account), user)
    t.equal((await adapter.getSessionAndUser('josé'))?.user.name, null)
    t.equal((await adapter.getSessionRecords({ userId: user.id })).length, 1)
    t.equal((await adapter.getRevocations(['user:josé'])).length, 1)
    t.ok(await adapter.useVerificationToken({ identifier: 'josé', token: 'josé' }))
    await adapter.deleteSessions('josé', 'José')
    t.equal(await adapter.getSessionAndUser('josé'), null)
    t.strictSame(await adapter.getSessionRecords({ userId: user.id }), [])
  })

  await t.test('a value that does not fit into an Auth.js column does not fail a sign-in', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const adapter = open(t, database)
    const user = await adapter.createUserWithAccount(
      { ...ada, image: `data:${'x'.repeat(300)}` },
      { ...github, access_token: 'a'.repeat(256), id_token: 'i'.repeat(2048), expires_at: 2 ** 40 }
    )
    t.equal(user.image, null)
    const kept = { access_token: null, id_token: 'i'.repeat(2048), expires_at: 2 ** 31 - 1 }
    t.match(await adapter.getAccounts(user.id), [kept])
    await adapter.updateAccount({ ...github, expires_at: -(2 ** 40) })
    t.match(await adapter.getAccounts(user.id), [{ expires_at: null }])
    const times = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
    const texts = { userAgent: '😀'.repeat(40_000), address: 'é'.repeat(40_000), providerSessionId: 's'.repeat(501) }
    const record = { id: '1', userId: user.id, sessionToken: 'h1.1', provider: 'github', ...texts, ...times }
    await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date() }, record)
    await adapter.putSessionRecord(record)
    const [stored] = await adapter.getSessionRecords({ id: '1' })
    t.match(stored?.userAgent, /^(😀){8000,}$/u, 'cut, and not in the middle of a character')
    t.match(stored?.address, /^é{8000,}$/)
    t.equal(stored?.providerSessionId, null)
    await adapter.updateAccount({ ...github, access_token: 'é'.repeat(255), expires_at: 2 ** 31 - 1 })
    t.match(await adapter.getAccounts(user.id), [{ access_token: 'é'.repeat(255), expires_at: 2 ** 31 - 1 }])
  })

  await t.test('the migrations create what the schema defines, and keys are compared by their bytes', async (t) => {
    const database = await getDatabase(t)
    await open(t, database).ready()
    for (const table of tables) {
      const { name, columns, indexes } = getTableConfig(table)
      const found = await select(
        database,
        `select column_name as name, column_type as type, is_nullable as nullable, collation_name as collation
         from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`,
        database.name,
        name
      )
      const requested = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        nullable: column.notNull ? 'NO' : 'YES'
      }))
      t.match(
        found.map((row) => ({ ...row, type: `${Reflect.get(row, 'type')}`.replace(/^(int|bigint)\(\d+\)$/, '$1') })),
        requested,
        `the columns of ${name}`
      )
      const keys = found.filter((row) => `${Reflect.get(row, 'type')}`.startsWith('varchar'))
      t.ok(keys.length > 0)
      t.ok(keys.every((row) => /_nopad_bin$|_0900_bin$/.test(`${Reflect.get(row, 'collation')}`)))
      const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName)
      const names = ['PRIMARY', ...indexes.map((index) => index.config.name), ...unique]
      t.same(await getIndexes(database, name), names.sort(), `the indexes of ${name}`)
    }
  })

  await t.test('migrate: false names the missing tables, and the migration', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = mysqlAdapter({ url: database.url, migrate: false })
    t.teardown(() => adapter.close())
    const error = {
      name: 'DatabaseError',
      code: 'Schema',
      message: /missing: table `user`, table `account`, .*; migrations\/(mariadb|mysql)\/0001_tables.sql/
    }
    await t.rejects(adapter.ready(), error)
    await t.rejects(adapter.getUser('1'), error)
    t.strictSame(await select(database, 'show tables'), [], 'nothing was created')
    await database.raw.query((await getDialect(database)).map(({ sql }) => sql).join(''))
    t.equal(await adapter.getUser('1'), null, 'the exported SQL is enough')
  })

  await t.test('a table that lacks a column is named, and not altered', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables.replace('`session_state` varchar', '`session_states` varchar'))
    await t.rejects(open(t, database).ready(), {
      code: 'Schema',
      message: /missing: column `account`.`session_state`;/
    })
  })

  await t.test('many that start at one moment all start, and migrate once', async (t) => {
    const database = await createTestDatabase(t)
    const adapters = Array.from({ length: 6 }, () => open(t, database))
    await Promise.all(adapters.map((adapter) => adapter.ready()))
    t.strictSame(await select(database, 'select version from postern_migration'), [{ version: 1 }])
    await open(t, database).ready()
  })

  await t.test('a migration that was broken off is taken up again', async (t) => {
    const database = await createTestDatabase(t)
    const [tables] = await getDialect(database)
    const [users, accounts] = `${tables?.sql}`.split(';\n')
    await database.raw.query(`${users}; ${accounts}`)
    await open(t, database).ready()
    t.strictSame(await getIndexes(database, 'session'), [
      'PRIMARY',
      'postern_session_expires',
      'postern_session_userId',
      'postern_session_userId_expires'
    ])
    t.strictSame(await getIndexes(database, 'verificationToken'), ['PRIMARY', 'postern_verificationToken_expires'])
    t.strictSame(await select(database, 'select version from postern_migration'), [{ version: 1 }])
  })

  await t.test('tables and columns may have other names', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = mysqlAdapter({
      url: database.url,
      tables: { users: 'people', accounts: 'links', sessions: 'visits', verificationTokens: 'mails' },
      columns: { users: { emailVerified: 'email_verified' }, accounts: { userId: 'user_id' } }
    })
    t.teardown(() => adapter.close())
    const user = await adapter.createUserWithAccount({ ...ada, emailVerified: new Date(1700000000123) }, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    t.match(await select(database, 'select email_verified, user_id from people join links on user_id = people.id'), [
      { user_id: user.id }
    ])
    const names = (await select(database, 'show tables')).map((row) => Object.values(row)[0])
    t.strictSame(names.slice(0, 3), ['links', 'mails', 'people'])
    const own = ['account', 'event', 'factor', 'lock', 'migration', 'revocation', 'session', 'ticket', 'user'].map(
      (name) => `postern_${name}`
    )
    t.strictSame(names.slice(3), [...own, 'visits'])
  })

  await t.test('a table of users of the application’s has its own columns, and is not created', async (t) => {
    const database = await createTestDatabase(t)
    const users = mysqlTable('members', {
      id: varchar('id', { length: 36 }).primaryKey(),
      name: text('name'),
      email: varchar('mail', { length: 255 }).unique(),
      emailVerified: timestamp('proven_at', { fsp: 3 }),
      image: text('image'),
      role: varchar('role', { length: 20 }).notNull().default('reader')
    })
    const pool = mysql.createPool({ uri: database.url, connectionLimit: 2 })
    t.teardown(() => pool.promise().end())
    await database.raw.query(`create table members (id varchar(36) character set utf8mb4 collate utf8mb4_bin primary key,
      name text, mail varchar(255) unique, proven_at timestamp(3) null, image text,
      role varchar(20) not null default 'reader')`)
    const adapter = mysqlAdapter({ db: drizzle({ client: pool }), tables: { users } })
    await adapter.ready()
    t.strictSame(await getIndexes(database, 'members'), ['PRIMARY', 'mail'], 'nothing is done to it')
    const created = await adapter.createUserWithAccount(ada, github)
    const role: string = created.role
    t.equal(role, 'reader')
    const proven = new Date(1700000000456)
    const updated = await adapter.updateUser({ id: created.id, role: 'editor', emailVerified: proven })
    t.strictSame(updated, { ...created, role: 'editor', emailVerified: proven })
    t.strictSame(await adapter.getUserByAccount(github), updated)
  })

  await t.test('a session is read by one statement, and keys are found by an index', async (t) => {
    const database = await getDatabase(t)
    const { pool, statements } = listening(t, database)
    const adapter = mysqlAdapter({ pool })
    const user = await adapter.createUserWithAccount(ada, github)
    const times = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
    const record = { provider: null, providerSessionId: null, userAgent: null, address: null, ...times }
    await adapter.createSession(
      { sessionToken: 'h1.1', userId: user.id, expires: new Date() },
      { id: '1', userId: user.id, sessionToken: 'h1.1', ...record }
    )
    await adapter.createTicket({ kind: 'reset', id: '1', userId: user.id, data: 'v1', tries: 0, expires: new Date() })
    // The server reads a table with few rows completely.
    const others = Array.from({ length: 200 }, (_, id) => ['claim', `other-${id}`, '', 0, new Date()])
    await database.raw.query('insert into postern_ticket (kind, id, data, tries, expires) values ?', [others])
    await database.raw.query('analyze table postern_ticket')
    await adapter.createFactor(newFactor(user.id, { id: '1' }))
    const event = newEvent({ userId: user.id })
    await adapter.addEvents([event])
    statements.length = 0
    await adapter.getSessionAndUser('h1.1')
    t.equal(statements.length, 1, 'one')
    await adapter.getUserByEmail(ada.email)
    await adapter.getUserByAccount(github)
    await adapter.getAccounts(user.id)
    await adapter.listSessions(user.id)
    await adapter.getSessionRecords({ userId: user.id })
    await adapter.getSessionRecords({ id: '1' })
    await adapter.getSessionRecords({ provider: 'github', providerSessionId: '1' })
    await adapter.getRevocations(['user:1', 'session:1'])
    await adapter.listRevocations(new Date(), 10)
    await adapter.getAccountEvidence(user.id)
    await adapter.readTicket({ kind: 'reset', id: '1' })
    await adapter.readTickets(['reset', 'claim', 'suspension'].map((kind) => ({ kind, id: '1' })))
    await adapter.getFactor({ type: 'totp', id: '1' })
    await adapter.listFactors(user.id)
    await adapter.listEvents({ userId: user.id, limit: 10 })
    await adapter.listEvents({ userId: user.id, before: event, limit: 10 })
    t.equal(statements.length, 17)
    await explainAll(t, database, statements)
  })
})
