import * as sqlite from '@postern/adapters/sqlite'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { getTableConfig, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import t from 'tap'
import { ada, github } from '../people.ts'
import { newFile, openRaw } from './files.ts'

const { sqliteAdapter, migrations } = sqlite
const tables = [
  sqlite.users,
  sqlite.accounts,
  sqlite.sessions,
  sqlite.verificationTokens,
  sqlite.posternLocks,
  sqlite.posternSessions,
  sqlite.posternRevocations,
  sqlite.posternAccounts,
  sqlite.posternTickets,
  sqlite.posternFactors,
  sqlite.posternEvents,
  sqlite.posternUsers
] as const

/** The database of an application that came from Auth.js: drizzle-kit's own SQL, and a column of the application's. */
const authJsTables = `
  CREATE TABLE \`account\` (
    \`userId\` text NOT NULL, \`type\` text NOT NULL, \`provider\` text NOT NULL, \`providerAccountId\` text NOT NULL,
    \`refresh_token\` text, \`access_token\` text, \`expires_at\` integer, \`token_type\` text, \`scope\` text,
    \`id_token\` text, \`session_state\` text,
    PRIMARY KEY(\`provider\`, \`providerAccountId\`),
    FOREIGN KEY (\`userId\`) REFERENCES \`user\`(\`id\`) ON UPDATE no action ON DELETE cascade
  );
  CREATE TABLE \`session\` (
    \`sessionToken\` text PRIMARY KEY NOT NULL, \`userId\` text NOT NULL, \`expires\` integer NOT NULL,
    FOREIGN KEY (\`userId\`) REFERENCES \`user\`(\`id\`) ON UPDATE no action ON DELETE cascade
  );
  CREATE TABLE \`user\` (
    \`id\` text PRIMARY KEY NOT NULL, \`name\` text, \`email\` text, \`emailVerified\` integer, \`image\` text,
    \`role\` text DEFAULT 'reader' NOT NULL
  );
  CREATE UNIQUE INDEX \`user_email_unique\` ON \`user\` (\`email\`);
  CREATE TABLE \`verificationToken\` (
    \`identifier\` text NOT NULL, \`token\` text NOT NULL, \`expires\` integer NOT NULL,
    PRIMARY KEY(\`identifier\`, \`token\`)
  );
  INSERT INTO user VALUES ('1', 'Ada', 'Ada@Example.com', 1700000000123, NULL, 'editor');
  INSERT INTO account (userId, type, provider, providerAccountId) VALUES ('1', 'oauth', 'github', '42');
  INSERT INTO session VALUES ('plain-token', '1', 4102444799999);
  INSERT INTO verificationToken VALUES ('ada@example.com', 'hash', 4102444799999);
`

t.test('the database of an Auth.js application keeps working', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file)
  raw.exec(authJsTables)
  const schema = () =>
    raw.prepare(`select name, sql from sqlite_master where tbl_name not like 'postern_%' order by name`).all()
  const before = schema()

  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  const ada = {
    id: '1',
    name: 'Ada',
    email: 'Ada@Example.com',
    emailVerified: new Date(1700000000123),
    image: null,
    role: 'editor'
  }
  t.strictSame(await adapter.getUser('1'), ada)
  t.strictSame(await adapter.getUserByEmail('Ada@Example.com'), ada)
  t.strictSame(await adapter.getUserByEmail('ada@example.com'), ada, 'whatever the case of its letters')
  t.strictSame(await adapter.getUserByAccount({ provider: 'github', providerAccountId: '42' }), ada)
  t.strictSame(await adapter.getSessionAndUser('plain-token'), {
    session: { sessionToken: 'plain-token', userId: '1', expires: new Date(4102444799999) },
    user: ada
  })
  const pair = { identifier: 'ada@example.com', token: 'hash' }
  t.strictSame(await adapter.useVerificationToken(pair), { ...pair, expires: new Date(4102444799999) })

  await adapter.updateUser({ id: '1', name: 'Countess' })
  const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
  t.strictSame(raw.prepare('select id, name, role from user order by rowid').all(), [
    { id: '1', name: 'Countess', role: 'editor' },
    { id: bob.id, name: null, role: 'reader' }
  ])
  t.strictSame(schema(), before, 'nothing was done to their tables')
  const plans = {
    'session USING INDEX sqlite_autoindex_session_1': `select * from session where "sessionToken" = ?`,
    'user USING INDEX user_email_unique': 'select * from user where email = ?',
    'account USING INDEX sqlite_autoindex_account_1':
      'select * from account where provider = ? and "providerAccountId" = ?',
    'verificationToken USING INDEX sqlite_autoindex_verificationToken_1':
      'select * from "verificationToken" where identifier = ? and token = ?'
  }
  for (const [plan, query] of Object.entries(plans))
    t.match(JSON.stringify(raw.prepare(`explain query plan ${query.replaceAll('?', "'a'")}`).all()), plan)
})

t.test('tables that are missing after the first start are made', async (t) => {
  const file = newFile(t)
  const first = sqliteAdapter({ file })
  t.teardown(() => first.close())
  const user = await first.createUserWithAccount(ada, github)
  const raw = openRaw(t, file)
  const schema = () => raw.prepare('select name, sql from sqlite_master order by name').all()
  const before = schema()
  raw.exec('drop table "verificationToken"; drop table postern_lock')
  await sqliteAdapter({ file }).close()
  t.strictSame(schema(), before, 'one that was dropped')
  t.strictSame(await first.getUserByAccount(github), user)
  const tables = { users: 'b_user', accounts: 'b_account', sessions: 'b_session', verificationTokens: 'b_token' }
  const other = sqliteAdapter({ file, tables })
  t.teardown(() => other.close())
  t.equal(await other.getUserByAccount(github), null, 'those of a second application')
  t.match(JSON.stringify(schema()), 'postern_b_session_expires', 'with their indexes')
  t.strictSame(
    before.filter((row) => !schema().some((one) => JSON.stringify(one) === JSON.stringify(row))),
    []
  )
})

t.test('a user of tables without foreign keys takes accounts and sessions along', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file)
  raw.exec(authJsTables.replaceAll(/,\s*FOREIGN KEY.*/g, ''))
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  await adapter.deleteUser('1')
  t.strictSame(raw.prepare('select (select count(*) from account) + (select count(*) from session) as n').get(), {
    n: 0
  })
})

t.test('a users table with its own unique index on addresses gets no further index', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file)
  raw.exec(authJsTables.replace(/CREATE UNIQUE INDEX.*/, 'CREATE UNIQUE INDEX `by_email` ON `user` (`email`);'))
  await sqliteAdapter({ file }).close()
  const names = raw.prepare(`select name from sqlite_master where type = 'index' and tbl_name = 'user'`).pluck().all()
  t.strictSame(names.sort(), ['by_email', 'sqlite_autoindex_user_1'])
})

t.test('a table of users that share an address is left without an index', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file)
  raw.exec(authJsTables.replace(/CREATE UNIQUE INDEX.*/, ''))
  raw.exec(`insert into user (id, email) values ('2', 'bob@example.com'), ('3', 'bob@example.com')`)
  const adapter = sqliteAdapter({ file })
  t.teardown(() => adapter.close())
  t.equal((await adapter.getUserByEmail('bob@example.com'))?.email, 'bob@example.com')
  const names = raw.prepare(`select name from sqlite_master where type = 'index' and tbl_name = 'user'`).pluck().all()
  t.strictSame(names, ['sqlite_autoindex_user_1'])
})

t.test('the migrations create what the schema defines', async (t) => {
  const file = newFile(t)
  await sqliteAdapter({ file }).close()
  const raw = openRaw(t, file)
  for (const table of tables) {
    const { name, columns, primaryKeys, indexes, foreignKeys } = getTableConfig(table)
    const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
    const found = raw.prepare('select name, type, "notnull", pk from pragma_table_info(?)').all(name)
    t.strictSame(
      found,
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: Number(column.notNull),
        pk: column.primary ? 1 : keys.indexOf(column.name) + 1
      })),
      `the columns of ${name}`
    )
    const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName)
    const made = raw.prepare(`select name from sqlite_master where type = 'index' and tbl_name = ? and sql is not null`)
    t.same(
      made.pluck().all(name).sort(),
      [...indexes.map((index) => index.config.name), ...unique].sort(),
      `the indexes of ${name}`
    )
    const references = raw.prepare('select "table", "from", "to", on_delete from pragma_foreign_key_list(?)').all(name)
    t.strictSame(
      references,
      foreignKeys.map((key) => ({ table: 'user', from: 'userId', to: 'id', on_delete: key.onDelete?.toUpperCase() })),
      `the references of ${name}`
    )
  }
})

t.test('the schema serves the application’s own drizzle', async (t) => {
  const db = drizzle(':memory:', { schema: sqlite })
  t.teardown(() => db.$client.close())
  const adapter = sqliteAdapter({ db })
  const user = await adapter.createUser({ email: 'ada@example.com', emailVerified: new Date(1700000000123) })
  await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date(1800000000123) })
  const found = db
    .select({ email: sqlite.users.email, proven: sqlite.users.emailVerified, ends: sqlite.sessions.expires })
    .from(sqlite.sessions)
    .innerJoin(sqlite.users, eq(sqlite.users.id, sqlite.sessions.userId))
    .all()
  t.strictSame(found, [{ email: 'ada@example.com', proven: new Date(1700000000123), ends: new Date(1800000000123) }])
  const inserted = db.insert(sqlite.users).values({ email: 'bob@example.com' }).returning().get()
  t.strictSame(await adapter.getUserByEmail('bob@example.com'), inserted)
})

t.test('migrate: false on an empty file names what is missing', async (t) => {
  const file = newFile(t)
  t.throws(() => sqliteAdapter({ file, migrate: false }), {
    message:
      /"user", table "account", table "session", table "verificationToken", table "postern_lock", table "postern_session", table "postern_revocation", table "postern_account", table "postern_ticket", table "postern_factor", table "postern_event"/
  })
  const raw = openRaw(t, file)
  t.strictSame(raw.prepare('select * from sqlite_master').all(), [], 'nothing was created')
  raw.exec(migrations.map(({ sql }) => sql).join(''))
  const adapter = sqliteAdapter({ file, migrate: false })
  t.equal(await adapter.getUser('1'), null, 'the exported SQL is enough')
  await adapter.close()
})

t.test('a table that lacks a column is named at start, and not altered', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file)
  raw.exec(authJsTables.replace('`session_state` text,', ''))
  t.throws(() => sqliteAdapter({ file }), { message: /missing: column "account"."session_state";/ })
})

t.test('starting again changes nothing and takes no lock', async (t) => {
  const file = newFile(t)
  await sqliteAdapter({ file }).close()
  const raw = openRaw(t, file)
  const before = raw.prepare('select * from sqlite_master').all()
  t.strictSame(raw.prepare('select version from postern_migration').all(), [{ version: 1 }])
  raw.exec('begin immediate')
  const adapter = sqliteAdapter({ file })
  t.equal(await adapter.getUser('1'), null)
  raw.exec('rollback')
  await adapter.close()
  t.strictSame(raw.prepare('select * from sqlite_master').all(), before)
})

t.test('tables and columns may have other names', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({
    file,
    tables: { users: 'people', accounts: 'links', sessions: 'visits', verificationTokens: 'mails' },
    columns: { users: { emailVerified: 'email_verified' }, accounts: { userId: 'user_id' } }
  })
  t.teardown(() => adapter.close())
  const user = await adapter.createUserWithAccount({ ...ada, emailVerified: new Date(1700000000123) }, github)
  await adapter.createSession({ sessionToken: 'h1.1', userId: user.id, expires: new Date(1800000000123) })
  t.strictSame((await adapter.getSessionAndUser('h1.1'))?.user, user)
  const ended = { sessionToken: 'h1.2', userId: user.id, expires: new Date(1) }
  t.equal(await adapter.transact([{ method: 'createSession', args: [ended] }]), true)
  t.equal(await adapter.deleteExpired(new Date(2), 10), 1)
  const raw = openRaw(t, file)
  const found = raw.prepare('select email_verified, user_id from people join links on user_id = people.id').all()
  t.strictSame(found, [{ email_verified: 1700000000123, user_id: user.id }])
  const names = raw.prepare(`select name from sqlite_master where type = 'table' order by name`).pluck().all()
  const own = ['account', 'event', 'factor', 'lock', 'migration', 'revocation', 'session', 'ticket', 'user'].map(
    (name) => `postern_${name}`
  )
  t.strictSame(names, ['links', 'mails', 'people', ...own, 'visits'])
  const indexes = raw.prepare(`select name from sqlite_master where type = 'index' and tbl_name = 'visits'`).pluck()
  t.match(indexes.all().sort(), ['postern_visits_expires', 'postern_visits_userId_expires', /^sqlite_autoindex/])
})

t.test('a table of users of the application’s has its own columns, and is not created', async (t) => {
  const file = newFile(t)
  const users = sqliteTable('members', {
    id: text('id').primaryKey(),
    name: text('name'),
    email: text('mail'),
    emailVerified: integer('proven_at', { mode: 'timestamp' }),
    image: text('image'),
    role: text('role').notNull().default('reader')
  })
  t.throws(() => sqliteAdapter({ file, tables: { users } }), { message: /missing: table "members"/ })
  const raw = openRaw(t, file)
  raw.exec(`create table members (id text primary key, name text, mail text, proven_at integer, image text,
    role text not null default 'reader')`)
  const adapter = sqliteAdapter({ file, tables: { users } })
  t.teardown(() => adapter.close())
  const created = await adapter.createUserWithAccount(ada, github)
  const role: string = created.role
  t.equal(role, 'reader')
  const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null, role: 'editor' })
  t.equal(bob.role, 'editor')
  const proven = new Date(1700000000000)
  const updated = await adapter.updateUser({ id: created.id, role: 'editor', emailVerified: proven })
  t.strictSame(updated, { ...created, role: 'editor', emailVerified: proven })
  t.strictSame(await adapter.getUserByAccount(github), updated)
  t.equal(raw.prepare('select proven_at from members where id = ?').pluck().get(created.id), 1700000000)
})
