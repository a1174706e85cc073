import * as postgres from '@postern/adapters/postgres'
import { times } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import { boolean, date, getTableConfig, jsonb, pgTable, text, timestamp, uuid, varchar } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Test } from 'tap'
import { newEvent, newFactor } from '../../../src/contract/data.ts'
import { postgres as server, withServer } from '../../servers.ts'
import { ada, github } from '../people.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

const { postgresAdapter, migrations } = postgres
const tables = [
  postgres.users,
  postgres.accounts,
  postgres.sessions,
  postgres.verificationTokens,
  postgres.posternLocks,
  postgres.posternSessions,
  postgres.posternRevocations,
  postgres.posternAccounts,
  postgres.posternTickets,
  postgres.posternFactors,
  postgres.posternEvents,
  postgres.posternUsers
] as const

/** Adapters that start at one moment. */
const startedAtOnce = times(3, 6)

/** The database of an application that came from Auth.js: drizzle-kit's own SQL, and a column of the application's. */
const authJsTables = `
  CREATE TABLE "account" (
    "userId" text NOT NULL, "type" text NOT NULL, "provider" text NOT NULL, "providerAccountId" text NOT NULL,
    "refresh_token" text, "access_token" varchar(20), "expires_at" integer, "token_type" text, "scope" text,
    "id_token" text, "session_state" text,
    CONSTRAINT "account_provider_providerAccountId_pk" PRIMARY KEY("provider","providerAccountId")
  );
  CREATE TABLE "session" (
    "sessionToken" text PRIMARY KEY NOT NULL, "userId" text NOT NULL, "expires" timestamp NOT NULL
  );
  CREATE TABLE "user" (
    "id" text PRIMARY KEY NOT NULL, "name" text, "email" text, "emailVerified" timestamp, "image" text,
    "role" text DEFAULT 'reader' NOT NULL, CONSTRAINT "user_email_unique" UNIQUE("email")
  );
  CREATE TABLE "verificationToken" (
    "identifier" text NOT NULL, "token" text NOT NULL, "expires" timestamp NOT NULL,
    CONSTRAINT "verificationToken_identifier_token_pk" PRIMARY KEY("identifier","token")
  );
  ALTER TABLE "account" ADD CONSTRAINT "account_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE cascade;
  ALTER TABLE "session" ADD CONSTRAINT "session_userId_user_id_fk" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE cascade;
  INSERT INTO "user" VALUES ('1', 'Ada', 'Ada@Example.com', '2023-11-14 22:13:20.123', NULL, 'editor');
  INSERT INTO account ("userId", type, provider, "providerAccountId") VALUES ('1', 'oauth', 'github', '42');
  INSERT INTO session VALUES ('plain-token', '1', '2099-12-31 23:59:59.999');
  INSERT INTO "verificationToken" VALUES ('ada@example.com', 'hash', '2099-12-31 23:59:59.999');
`

function open(t: Test, { url }: TestDatabase) {
  const adapter = postgresAdapter({ url })
  t.teardown(() => adapter.close())
  return adapter
}

const getSchema = async ({ raw, name }: TestDatabase) =>
  (
    await raw.query(
      `select relname as table_name, attname as column_name, format_type(atttypid, atttypmod) as data_type, attnotnull::text
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relnamespace = (select oid from pg_namespace where nspname = $1) and relkind = 'r' and attnum > 0 and not attisdropped
       union all select tablename, indexname, indexdef, '' from pg_indexes where schemaname = $1 order by 1, 2`,
      [name]
    )
  ).rows

/** Their part of it. */
const getOtherSchema = async (database: TestDatabase) =>
  (await getSchema(database)).filter(({ table_name }) => !table_name.startsWith('postern_'))

/** A role that may use the tables that are there, and no more. It is called as the place is. */
async function newRole(
  t: Test,
  { raw, name, url }: TestDatabase
): Promise<{ readonly username: string; readonly url: string }> {
  await raw.query(`create role ${name} login; grant usage on schema ${name} to ${name};
    grant select, insert, update, delete on all tables in schema ${name} to ${name}`)
  t.teardown(() => raw.query(`drop owned by ${name} cascade; drop role ${name}`))
  return { username: name, url: url.replace('root@', `${name}@`) }
}

await withServer(server, async (t) => {
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
      session: { sessionToken: 'plain-token', userId: '1', expires: new Date(4102444799999) },
      user: existingUser
    })
    const pair = { identifier: 'ada@example.com', token: 'hash' }
    t.strictSame(await adapter.useVerificationToken(pair), { ...pair, expires: new Date(4102444799999) })
    const bob = await adapter.createUser({ email: 'bob@example.com', emailVerified: null })
    const { rows } = await database.raw.query('select id, role from "user" order by role')
    t.strictSame(rows, [
      { id: '1', role: 'editor' },
      { id: bob.id, role: 'reader' }
    ])
    t.strictSame(await getOtherSchema(database), before, 'nothing was done to their tables')
  })

  await t.test('their keys serve the queries of every request and sign-in', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    t.teardown(() => pool.end())
    const statements: string[] = []
    const logger = { logQuery: (query: string) => statements.push(query) }
    const adapter = postgresAdapter({ db: drizzle({ client: pool, logger }) })
    await adapter.ready()
    await pool.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
    const keys = {
      user_pkey: () => adapter.getUser('1'),
      user_email_unique: () => adapter.getUserByEmail(ada.email),
      account_provider_providerAccountId_pk: () => adapter.getUserByAccount(github),
      session_pkey: () => adapter.getSessionAndUser('plain-token'),
      verificationToken_identifier_token_pk: () => adapter.useVerificationToken({ identifier: 'a', token: 'b' }),
      postern_ticket_pkey: () => adapter.readTickets(['claim', 'suspension'].map((kind) => ({ kind, id: '1' })))
    }
    for (const [key, call] of Object.entries(keys)) {
      statements.length = 0
      await call()
      const values = `${statements[0]}`.match(/\$\d+/g)?.map(() => 'null')
      await pool.query(`prepare asked as ${statements[0]}`)
      const { rows } = await pool.query(`explain execute asked (${values})`)
      await pool.query('deallocate asked')
      const plan = JSON.stringify(rows)
      t.match(plan, key)
      t.notMatch(plan, 'Seq Scan', key)
    }
  })

  await t.test('a role that may write to their tables, and does not own them, starts', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const before = await getOtherSchema(database)
    const { url } = await newRole(t, database)
    await t.rejects(open(t, { ...database, url }).ready(), {
      code: 'Schema',
      message: /missing: table "postern_lock", .*; the database refuses to create them \(permission denied for schema/
    })
    await database.raw.query(`grant create on schema ${database.name} to ${database.name}`)
    const adapter = open(t, { ...database, url })
    t.equal((await adapter.getSessionAndUser('plain-token'))?.user.id, '1')
    t.strictSame(await getOtherSchema(database), before)
  })

  await t.test('a role that may create nothing starts on tables that were made for it', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    await database.raw.query(migrations.map(({ sql }) => sql).join(''))
    const before = await getSchema(database)
    const { url } = await newRole(t, database)
    for (const adapter of [open(t, { ...database, url }), open(t, { ...database, url })])
      t.equal((await adapter.getSessionAndUser('plain-token'))?.user.id, '1')
    t.strictSame(await getSchema(database), before)
  })

  await t.test('tables that are missing after the first start are made', async (t) => {
    const database = await createTestDatabase(t)
    const first = open(t, database)
    const user = await first.createUserWithAccount(ada, github)
    const before = await getSchema(database)
    await database.raw.query('drop table "verificationToken", postern_lock')
    await Promise.all(Array.from({ length: startedAtOnce }, () => open(t, database).ready()))
    t.strictSame(await getSchema(database), before, 'one that was dropped')
    t.strictSame(await first.getUserByAccount(github), user)
    const tables = { users: 'b_user', accounts: 'b_account', sessions: 'b_session', verificationTokens: 'b_token' }
    const others = Array.from({ length: startedAtOnce }, () => postgresAdapter({ url: database.url, tables }))
    t.teardown(() => Promise.all(others.map((adapter) => adapter.close())))
    await Promise.all(others.map((adapter) => adapter.ready()))
    t.equal(await others[0]?.getUserByAccount(github), null, 'those of a second application')
    const names = (await getSchema(database)).map(({ column_name }) => column_name)
    t.ok(names.includes('postern_b_session_expires'), 'with their indexes')
    t.strictSame(
      (await getSchema(database)).filter(({ table_name }) => !table_name.startsWith('b_')),
      before
    )
  })

  await t.test('tables of another application further down the search path are ignored', async (t) => {
    const [database, other] = [await createTestDatabase(t), await createTestDatabase(t)]
    await other.raw.query(authJsTables)
    const [before, url] = [
      await getSchema(other),
      database.url.replace(database.name, `${database.name},${other.name}`)
    ]
    const adapter = open(t, { ...database, url })
    t.equal(await adapter.getUserByEmail('Ada@Example.com'), null)
    const user = await adapter.createUserWithAccount(ada, github)
    t.strictSame(await open(t, { ...database, url }).getUserByAccount(github), user, 'nor at the next start')
    t.match(
      await database.raw.query(`select 1 from ${database.name}."user" join ${database.name}.account on "userId" = id`),
      {
        rowCount: 1
      }
    )
    t.strictSame(await getSchema(other), before)
    const shipped = await createTestDatabase(t)
    await shipped.raw.query(
      `set search_path = ${shipped.name}, ${other.name}; ${migrations.map(({ sql }) => sql).join('')}`
    )
    t.strictSame(new Set((await getSchema(shipped)).map(({ table_name }) => table_name)).size, 12, 'nor to the SQL')
  })

  await t.test('tables that the application keeps itself are found as statements find them', async (t) => {
    const [database, shared] = [await createTestDatabase(t), await createTestDatabase(t)]
    await shared.raw.query(migrations.map(({ sql }) => sql).join(''))
    const url = database.url.replace(database.name, `${database.name},${shared.name}`)
    const adapter = postgresAdapter({ url, migrate: false })
    t.teardown(() => adapter.close())
    t.ok(await adapter.createUserWithAccount(ada, github))
    t.strictSame(await getSchema(database), [])
  })

  await t.test('a value that does not fit into an Auth.js column does not fail a sign-in', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables)
    const adapter = open(t, database)
    const account = { ...github, access_token: 'a'.repeat(21), refresh_token: 'r'.repeat(9000), expires_at: 2 ** 40 }
    const user = await adapter.createUserWithAccount(ada, account)
    const stored = { access_token: null, refresh_token: account.refresh_token, expires_at: 2 ** 31 - 1 }
    t.match(await adapter.getAccounts(user.id), [stored])
    await adapter.updateAccount({ ...github, expires_at: -(2 ** 40) })
    t.match(await adapter.getAccounts(user.id), [{ expires_at: null }])
    await adapter.updateAccount({ ...github, access_token: 'é'.repeat(20), expires_at: 2 ** 31 - 1 })
    t.match(await adapter.getAccounts(user.id), [{ access_token: 'é'.repeat(20), expires_at: 2 ** 31 - 1 }])
  })

  await t.test('a table of users without an index on addresses is left so, and may have doubles', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables.replace(', CONSTRAINT "user_email_unique" UNIQUE("email")', ''))
    await database.raw.query(`insert into "user" values ('2', null, 'Ada@Example.com', null, null)`)
    const before = await getOtherSchema(database)
    t.equal((await open(t, database).getUserByEmail('Ada@Example.com'))?.email, 'Ada@Example.com')
    t.strictSame(await getOtherSchema(database), before)
  })

  await t.test('the migrations create what the schema defines', async (t) => {
    const database = await createTestDatabase(t)
    await open(t, database).ready()
    for (const table of tables) {
      const { name, columns, indexes } = getTableConfig(table)
      const { rows } = await database.raw.query(
        `select attname, format_type(atttypid, atttypmod) as type, attnotnull from pg_attribute
         where attrelid = $1::regclass and attnum > 0 order by attnum`,
        [`"${name}"`]
      )
      const requested = columns.map((column) => ({
        attname: column.name,
        type: column.getSQLType().replace(/^timestamp$/, 'timestamp without time zone'),
        attnotnull: column.notNull
      }))
      t.strictSame(rows, requested, `the columns of ${name}`)
      const made = await database.raw.query(
        'select indexname from pg_indexes where schemaname = $1 and tablename = $2',
        [database.name, name]
      )
      const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName)
      const names = [`${name}_pkey`, ...indexes.map((index) => index.config.name), ...unique]
      t.same(made.rows.map(({ indexname }) => indexname).sort(), names.sort(), `the indexes of ${name}`)
    }
  })

  await t.test('migrate: false names the missing tables, and the migration', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = postgresAdapter({ url: database.url, migrate: false })
    t.teardown(() => adapter.close())
    const error = {
      name: 'DatabaseError',
      code: 'Schema',
      message: /missing: table "user", table "account", .*; migrations\/postgres\/0001_tables.sql/
    }
    await t.rejects(adapter.ready(), error)
    await t.rejects(adapter.getUser('1'), error)
    t.strictSame(await getSchema(database), [], 'nothing was created')
    await database.raw.query(migrations.map(({ sql }) => sql).join(''))
    t.equal(await adapter.getUser('1'), null, 'the exported SQL is enough')
  })

  await t.test('a table that lacks a column is named, and not altered', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query(authJsTables.replace('"session_state" text,', '"session_states" text,'))
    await t.rejects(open(t, database).ready(), {
      code: 'Schema',
      message: /missing: column "account"."session_state";/
    })
  })

  await t.test('many that start at one moment all start, and migrate once', async (t) => {
    const database = await createTestDatabase(t)
    const adapters = Array.from({ length: startedAtOnce }, () => open(t, database))
    await Promise.all(adapters.map((adapter) => adapter.ready()))
    const { rows } = await database.raw.query('select version from postern_migration')
    t.strictSame(rows, [{ version: 1 }])
    const before = await getSchema(database)
    await open(t, database).ready()
    t.strictSame(await getSchema(database), before, 'starting again changes nothing')
  })

  await t.test('tables and columns may have other names', async (t) => {
    const database = await createTestDatabase(t)
    const adapter = postgresAdapter({
      url: database.url,
      tables: { users: 'people', accounts: 'links', sessions: 'visits', verificationTokens: 'mails' },
      columns: { users: { emailVerified: 'email_verified' }, accounts: { userId: 'user_id' } }
    })
    t.teardown(() => adapter.close())
    const user = await adapter.createUserWithAccount({ ...ada, emailVerified: new Date(1700000000123) }, github)
    t.strictSame(await adapter.getUserByAccount(github), user)
    const { rows } = await database.raw.query(
      'select email_verified, user_id from people join links on user_id = people.id'
    )
    t.match(rows, [{ user_id: user.id }])
    t.strictSame(
      [...new Set((await getSchema(database)).map(({ table_name }) => table_name))],
      [
        'links',
        'mails',
        'people',
        'postern_account',
        'postern_event',
        'postern_factor',
        'postern_lock',
        'postern_migration',
        'postern_revocation',
        'postern_session',
        'postern_ticket',
        'postern_user',
        'visits'
      ]
    )
  })

  await t.test('a table of users of the application’s has its own columns, and is not created', async (t) => {
    const database = await createTestDatabase(t)
    const users = pgTable('members', {
      id: uuid('id').primaryKey(),
      name: text('name'),
      email: varchar('mail', { length: 255 }).unique(),
      emailVerified: timestamp('proven_at', { withTimezone: true }),
      image: text('image'),
      role: text('role').notNull().default('reader'),
      seenAt: timestamp('seen_at'),
      born: date('born'),
      isHere: boolean('is_here'),
      tags: text('tags').array(),
      more: jsonb('more')
    })
    const pool = new pg.Pool({ connectionString: database.url, max: 2 })
    t.teardown(() => pool.end())
    const adapter = postgresAdapter({ db: drizzle({ client: pool }), tables: { users } })
    const bare = postgresAdapter({ pool, tables: { users } })
    await t.rejects(adapter.ready(), { code: '42P01', message: /"members" does not exist/ })
    await database.raw.query(`create table members (id uuid primary key, name text, mail varchar(255) unique,
      proven_at timestamptz, image text, role text not null default 'reader', seen_at timestamp, born date, is_here boolean, tags text[],
      more jsonb)`)
    const more = { born: '1815-12-10', isHere: true, tags: ['a', 'b,c'], more: { is: [null, 1] } }
    const created = await adapter.createUserWithAccount({ ...ada, seenAt: new Date(1700000000123), ...more }, github)
    t.match(created, more)
    t.strictSame(await bare.getUser(created.id), created, 'read alike over the bare pool')
    const role: string = created.role
    t.equal(role, 'reader')
    const proven = new Date(1700000000456)
    const updated = await adapter.updateUser({ id: created.id, role: 'editor', emailVerified: proven })
    t.strictSame(updated, { ...created, role: 'editor', emailVerified: proven })
    t.strictSame(await adapter.getUserByAccount(github), updated)
    await adapter.createSession({ sessionToken: 'h1.1', userId: created.id, expires: new Date() })
    t.equal((await adapter.getSessionAndUser('h1.1'))?.user.seenAt?.getTime(), 1700000000123)
  })

  await t.test('a table that lacks a field, or is also renamed, is refused immediately', (t) => {
    const users = pgTable('members', {
      id: text('id').primaryKey(),
      name: text('name'),
      email: text('email'),
      emailVerified: text('emailVerified'),
      image: text('image')
    })
    const db = drizzle.mock()
    t.throws(() => postgresAdapter({ db, tables: { users } }), {
      name: 'ConfigError',
      message: /members to have the field emailVerified with values of type date, but they are of type string/
    })
    const columns = { users: { id: 'key' } }
    t.throws(() => postgresAdapter({ db, tables: { users: postgres.users }, columns }), { message: /columns.users/ })
    t.end()
  })

  await t.test('each method is one statement', async (t) => {
    const database = await createTestDatabase(t)
    const statements: string[] = []
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    t.teardown(() => pool.end())
    const logger = { logQuery: (query: string) => statements.push(query) }
    const adapter = postgresAdapter({ db: drizzle({ client: pool, logger }) })
    await adapter.ready()
    const user = await adapter.createUser({ email: null, emailVerified: null })
    const session = { sessionToken: 'h1.1', userId: user.id, expires: new Date() }
    const pair = { identifier: 'ada@example.com', token: 'hash' }
    const about = { provider: 'github', providerSessionId: 'sid', userAgent: null, address: null }
    const moments = { createdAt: new Date(), lastSeen: new Date(), expires: new Date() }
    const record = { id: '1', userId: user.id, sessionToken: 'h1.2', ...about, ...moments }
    const expected = { refresh_token: null }
    const evidence = { ...github, userId: user.id, email: ada.email, verifiedAt: new Date() }
    const ticket = { kind: 'reset', id: '1', userId: user.id, data: 'v1', tries: 0, expires: new Date() }
    const factor = newFactor(user.id)
    const events = [newEvent({ userId: user.id }), newEvent()]
    const calls: readonly [name: string, call: () => unknown][] = [
      ['createUserWithAccount', () => adapter.createUserWithAccount(ada, github)],
      ['getUser', () => adapter.getUser(user.id)],
      ['getUserByEmail', () => adapter.getUserByEmail(ada.email)],
      ['getUserByAccount', () => adapter.getUserByAccount(github)],
      ['updateUser', () => adapter.updateUser({ id: user.id, name: 'Ada' })],
      ['updateAccount', () => adapter.updateAccount({ ...github, scope: 'openid' })],
      ['updateAccount, expecting', () => adapter.updateAccount({ ...github, refresh_token: 'next' }, expected)],
      ['linkAccount', () => adapter.linkAccount({ ...github, provider: 'gitlab', userId: user.id })],
      ['unlinkAccount', () => adapter.unlinkAccount({ ...github, provider: 'gitlab' })],
      ['createSession', () => adapter.createSession(session)],
      ['createSession, with a record', () => adapter.createSession({ ...session, sessionToken: 'h1.2' }, record)],
      ['putSessionRecord', () => adapter.putSessionRecord(record)],
      ['getSessionRecords', () => adapter.getSessionRecords({ userId: user.id })],
      ['deleteSessionRecord', () => adapter.deleteSessionRecord('1')],
      ['revoke', () => adapter.revoke('user:1', new Date())],
      ['getRevocations', () => adapter.getRevocations(['user:1', 'session:1'])],
      ['listRevocations', () => adapter.listRevocations(new Date(), 10)],
      ['getSessionAndUser', () => adapter.getSessionAndUser('h1.1')],
      ['updateSession', () => adapter.updateSession(session)],
      ['listSessions', () => adapter.listSessions(user.id)],
      ['deleteSession', () => adapter.deleteSession('h1.1')],
      ['deleteSessions', () => adapter.deleteSessions(user.id)],
      ['createVerificationToken', () => adapter.createVerificationToken({ ...pair, expires: new Date() })],
      ['getVerificationToken', () => adapter.getVerificationToken(pair)],
      ['useVerificationToken', () => adapter.useVerificationToken(pair)],
      ['putAccountEvidence', () => adapter.putAccountEvidence(evidence)],
      ['getAccountEvidence', () => adapter.getAccountEvidence(user.id)],
      ['unlinkAccount, with evidence', () => adapter.unlinkAccount(github)],
      ['createTicket', () => adapter.createTicket(ticket)],
      ['readTicket', () => adapter.readTicket(ticket)],
      ['readTickets', () => adapter.readTickets([ticket, { ...ticket, kind: 'claim' }])],
      ['countTry', () => adapter.countTry(ticket)],
      ['consumeTicket', () => adapter.consumeTicket(ticket)],
      ['deleteTickets', () => adapter.deleteTickets(user.id, 'reset')],
      ['createFactor', () => adapter.createFactor(factor)],
      ['getFactor', () => adapter.getFactor(factor)],
      ['listFactors', () => adapter.listFactors(user.id)],
      ['updateFactor', () => adapter.updateFactor(factor, 1)],
      ['deleteFactor', () => adapter.deleteFactor(factor)],
      ['addEvents', () => adapter.addEvents(events)],
      ['listEvents', () => adapter.listEvents({ userId: user.id, limit: 10 })],
      ['deleteEvents', () => adapter.deleteEvents(new Date(), 10)],
      ['deleteUser', () => adapter.deleteUser(user.id)]
    ]
    for (const [name, call] of calls) {
      statements.length = 0
      await call()
      t.equal(statements.length, 1, name)
    }
    statements.length = 0
    await adapter.transact([
      { method: 'createUser', args: [{ id: 'bob', email: null, emailVerified: null }] },
      {
        method: 'createSession',
        args: [
          { ...session, userId: 'bob' },
          { ...record, sessionToken: 'h1.1' }
        ]
      }
    ])
    t.match(statements, [/^begin/, /^insert into "user"/, /^with .* insert into "session"/, /^commit/])
    t.equal(statements.length, 4)
  })
})
