import * as mysql from '@postern/adapters/mysql'
import * as postgres from '@postern/adapters/postgres'
import * as sqlite from '@postern/adapters/sqlite'
import type { AccountType, Adapter } from '@postern/core'
import Database from 'better-sqlite3'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import t, { type Test } from 'tap'
import { newAccount, newSession } from '../src/contract/data.ts'
import { createTestDatabase as createMysqlDatabase } from './drizzle/mysql/databases.ts'
import { createDatabaseWith } from './drizzle/postgres/databases.ts'
import { mysql as mysqlServer, postgres as postgresServer, withServer } from './servers.ts'

type Tested = Pick<
  Required<Adapter>,
  | 'createUserId'
  | 'createUserWithAccount'
  | 'transact'
  | 'getUser'
  | 'getUserByEmail'
  | 'getUserByAccount'
  | 'getAccounts'
  | 'getSessionAndUser'
  | 'listSessions'
  | 'listUsers'
  | 'updateUser'
  | 'deleteUser'
>

/** What the ids of a column look like, and how it compares them. */
interface Ids {
  readonly pattern: RegExp
  /** The first id, of a column that the database numbers. */
  readonly first?: string
}

const numbered: Ids = { pattern: /^\d+$/, first: '1' }
/** Beyond 2^53, where a number would be another id. */
const large: Ids = { pattern: /^\d{16}$/, first: '9007199254740993' }
const textual: Ids = { pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/ }

const newUser = (email: string) => ({ name: 'Ada', email, emailVerified: null })

/** Every method takes and returns ids as the same text. */
async function check(t: Test, adapter: Tested, { pattern, first }: Ids): Promise<void> {
  const account = newAccount()
  const ada = await adapter.createUserWithAccount(newUser('ada@example.com'), account)
  t.match(ada.id, pattern)
  if (first !== undefined) t.equal(ada.id, first)
  t.same(await adapter.getUser(ada.id), ada)
  t.same(await adapter.getUserByAccount(account), ada)
  t.same(await adapter.getUserByEmail('ada@example.com'), ada)
  t.equal((await adapter.getAccounts(ada.id))[0]?.userId, ada.id)

  const id = await adapter.createUserId(newUser('grace@example.com'))
  t.match(id, pattern)
  t.not(id, ada.id)
  const [other, session] = [newAccount(), newSession(id)]
  const isDone = await adapter.transact([
    { method: 'createUser', args: [{ ...newUser('grace@example.com'), id }] },
    { method: 'linkAccount', args: [{ ...other, userId: id }] },
    { method: 'createSession', args: [session] }
  ])
  t.equal(isDone, true)
  const found = await adapter.getSessionAndUser(session.sessionToken)
  t.same([found?.session.userId, found?.user.id], [id, id])
  t.equal((await adapter.getUserByAccount(other))?.id, id)
  t.equal((await adapter.listSessions(id)).length, 1)
  const listed = await adapter.listUsers({ after: null, limit: 10 })
  t.same(new Set(listed.map((user) => user.id)), new Set([ada.id, id]))
  t.equal((await adapter.updateUser({ id, name: 'Grace' })).id, id)
  t.equal((await adapter.getUser(ada.id))?.name, 'Ada', 'no other user has changed')
  await adapter.deleteUser(id)
  t.equal(await adapter.getUser(id), null)
  t.equal(await adapter.getSessionAndUser(session.sessionToken), null)
  t.same(await adapter.getAccounts(id), [])
  t.same(await adapter.getUserByAccount(account), ada)
}

/** The tables that refer to the users, with columns of the application's type. */
const otherTables = (id: string, text: string, date: string): readonly string[] => [
  `create table account (provider ${text}, "providerAccountId" ${text}, type text, "userId" ${id}, refresh_token text,
    access_token text, expires_at integer, token_type text, scope text, id_token text, session_state text,
    primary key (provider, "providerAccountId"))`,
  `create table session ("sessionToken" ${text} primary key, "userId" ${id}, expires ${date})`
]

/** Whether only the users table is the application's, or also those that refer to it. */
const choices = ['users', 'users, accounts and sessions'] as const

/** The ids of the application's own types, as applications declare them. */
type Custom = { data: string; driverData: string | number }

t.test('SQLite', async (t) => {
  const declare = (type: string, toDriver: (id: string) => string | number) =>
    lite.customType<Custom>({ dataType: () => type, toDriver, fromDriver: String })
  const citext = declare('text collate nocase', String)
  const define = (id: typeof citext) => ({
    users: lite.sqliteTable('members', {
      id: id('id').primaryKey(),
      name: lite.text('name'),
      email: citext('email'),
      emailVerified: lite.integer('emailVerified', { mode: 'timestamp_ms' }),
      image: lite.text('image')
    }),
    accounts: lite.sqliteTable('account', {
      userId: id('userId').notNull(),
      type: lite.text('type').$type<AccountType>().notNull(),
      provider: lite.text('provider').notNull(),
      providerAccountId: lite.text('providerAccountId').notNull(),
      refresh_token: lite.text('refresh_token'),
      access_token: lite.text('access_token'),
      expires_at: lite.integer('expires_at'),
      token_type: lite.text('token_type'),
      scope: lite.text('scope'),
      id_token: lite.text('id_token'),
      session_state: lite.text('session_state')
    }),
    sessions: lite.sqliteTable('session', {
      sessionToken: lite.text('sessionToken').primaryKey(),
      userId: id('userId').notNull(),
      expires: lite.integer('expires', { mode: 'timestamp_ms' }).notNull()
    })
  })
  const kinds = {
    'an integer as text': ['integer', 'autoincrement', declare('integer', Number), numbered],
    citext: ['text collate nocase', '', citext, textual]
  } as const
  for (const [kind, [type, key, id, ids]] of Object.entries(kinds))
    for (const choice of choices)
      await t.test(`${kind} in ${choice}`, async (t) => {
        const db = new Database(':memory:')
        t.teardown(() => db.close())
        db.exec(
          `create table members (id ${type} primary key ${key}, name text, email text unique collate nocase, emailVerified integer, image text)`
        )
        const { users, ...others } = define(id)
        const tables = choice === 'users' ? { users } : { users, ...others }
        if (choice !== 'users') for (const statement of otherTables(type, 'text', 'integer')) db.exec(statement)
        const adapter = sqlite.sqliteAdapter({ db, tables })
        await check(t, adapter, ids)
        const text: string | undefined = (await adapter.getUserByEmail('ada@example.com'))?.id
        t.type(text, 'string', 'typed')
      })
})

await withServer(postgresServer, async (t) => {
  const { url: database, raw } = await createDatabaseWith(t, 'citext')
  let schemas = 0
  const declare = (type: string, toDriver: (id: string) => string | number) =>
    pg.customType<Custom>({ dataType: () => type, toDriver, fromDriver: String })
  const citext = declare('citext', String)
  const define = (id: typeof citext) => ({
    users: pg.pgTable('members', {
      id: id('id').primaryKey(),
      name: pg.text('name'),
      email: citext('email'),
      emailVerified: pg.timestamp('emailVerified'),
      image: pg.text('image')
    }),
    accounts: pg.pgTable('account', {
      userId: id('userId').notNull(),
      type: pg.text('type').$type<AccountType>().notNull(),
      provider: pg.text('provider').notNull(),
      providerAccountId: pg.text('providerAccountId').notNull(),
      refresh_token: pg.text('refresh_token'),
      access_token: pg.text('access_token'),
      expires_at: pg.integer('expires_at'),
      token_type: pg.text('token_type'),
      scope: pg.text('scope'),
      id_token: pg.text('id_token'),
      session_state: pg.text('session_state')
    }),
    sessions: pg.pgTable('session', {
      sessionToken: pg.text('sessionToken').primaryKey(),
      userId: id('userId').notNull(),
      expires: pg.timestamp('expires').notNull()
    })
  })
  const kinds = {
    'an integer as text': ['integer', 'generated by default as identity', declare('integer', Number), numbered],
    'a large integer as text': [
      'bigint',
      'generated by default as identity (start with 9007199254740993)',
      declare('bigint', String),
      large
    ],
    citext: ['citext', '', citext, textual]
  } as const
  for (const [kind, [type, key, id, ids]] of Object.entries(kinds))
    for (const choice of choices)
      await t.test(`${kind} in ${choice}`, async (t) => {
        const schema = `ids_${++schemas}`
        await raw.query(`create schema ${schema}; set search_path = ${schema}, public`)
        const url = `${database}?options=${encodeURIComponent(`-c search_path=${schema},public`)}`
        await raw.query(
          `create table members (id ${type} primary key ${key}, name text, email citext unique, "emailVerified" timestamp, image text)`
        )
        const { users, ...others } = define(id)
        const tables = choice === 'users' ? { users } : { users, ...others }
        if (choice !== 'users')
          for (const statement of otherTables(type, 'text', 'timestamp')) await raw.query(statement)
        const adapter = postgres.postgresAdapter({ url, max: 4, tables })
        t.teardown(() => adapter.close())
        await check(t, adapter, ids)
        const text: string | undefined = (await adapter.getUserByEmail('ada@example.com'))?.id
        t.type(text, 'string', 'typed')
      })
})

await withServer(mysqlServer, async (t) => {
  const declare = (type: string, toDriver: (id: string) => string | number) =>
    my.customType<Custom>({ dataType: () => type, toDriver, fromDriver: String })
  /** The default collations of MySQL and MariaDB compare like citext. */
  const citext = declare('varchar(191) collate utf8mb4_general_ci', String)
  const define = (id: typeof citext) => ({
    users: my.mysqlTable('members', {
      id: id('id').primaryKey(),
      name: my.text('name'),
      email: citext('email'),
      emailVerified: my.datetime('emailVerified', { fsp: 3 }),
      image: my.text('image')
    }),
    accounts: my.mysqlTable('account', {
      userId: id('userId').notNull(),
      type: my.varchar('type', { length: 255 }).$type<AccountType>().notNull(),
      provider: my.varchar('provider', { length: 255 }).notNull(),
      providerAccountId: my.varchar('providerAccountId', { length: 255 }).notNull(),
      refresh_token: my.text('refresh_token'),
      access_token: my.text('access_token'),
      expires_at: my.int('expires_at'),
      token_type: my.text('token_type'),
      scope: my.text('scope'),
      id_token: my.text('id_token'),
      session_state: my.text('session_state')
    }),
    sessions: my.mysqlTable('session', {
      sessionToken: my.varchar('sessionToken', { length: 255 }).primaryKey(),
      userId: id('userId').notNull(),
      expires: my.datetime('expires', { fsp: 3 }).notNull()
    })
  })
  const kinds = {
    'an integer as text': ['int', 'auto_increment', declare('int', Number), numbered, ''],
    'a large integer as text': [
      'bigint',
      'auto_increment',
      declare('bigint', String),
      large,
      'auto_increment = 9007199254740993'
    ],
    'text that is compared without case': ['varchar(191) collate utf8mb4_general_ci', '', citext, textual, '']
  } as const
  for (const [kind, [type, key, id, ids, option]] of Object.entries(kinds))
    for (const choice of choices)
      await t.test(`${kind} in ${choice}`, async (t) => {
        const { url, raw } = await createMysqlDatabase(t)
        await raw.query(
          `create table members (id ${type} primary key ${key}, name text, email varchar(191) collate utf8mb4_general_ci unique,
            emailVerified datetime(3), image text) default character set utf8mb4 ${option}`
        )
        const { users, ...others } = define(id)
        const tables = choice === 'users' ? { users } : { users, ...others }
        if (choice !== 'users')
          for (const statement of otherTables(type, 'varchar(191)', 'datetime(3)'))
            await raw.query(statement.replaceAll('"', '`'))
        const adapter = mysql.mysqlAdapter({ url, max: 4, tables })
        t.teardown(() => adapter.close())
        await check(t, adapter, ids)
        const text: string | undefined = (await adapter.getUserByEmail('ada@example.com'))?.id
        t.type(text, 'string', 'typed')
      })
})

t.test('ids of a custom type that are no text are a type error, and text at run time', async (t) => {
  type Numeric = { data: number; driverData: number }
  const fields = { emailVerified: lite.integer('emailVerified', { mode: 'timestamp_ms' }), image: lite.text('image') }
  const users = lite.sqliteTable('members', {
    id: lite
      .customType<Numeric>({ dataType: () => 'integer' })('id')
      .primaryKey(),
    ...{ name: lite.text('name'), email: lite.text('email'), ...fields }
  })
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  db.exec('create table members (id integer primary key, name text, email text, emailVerified integer, image text)')
  // @ts-expect-error The values of the custom type are numbers.
  const adapter = sqlite.sqliteAdapter({ db, tables: { users } })
  await check(t, adapter, numbered)

  const other = { emailVerified: pg.timestamp('emailVerified'), image: pg.text('image') }
  const numeric = pg
    .customType<Numeric>({ dataType: () => 'integer' })('id')
    .primaryKey()
  const members = pg.pgTable('members', { id: numeric, name: pg.text('name'), email: pg.text('email'), ...other })
  // @ts-expect-error The same in PostgreSQL.
  const options: postgres.PostgresOptions<typeof members> = { url: 'postgres://127.0.0.1', tables: { users: members } }
  t.ok(options)

  const dates = { emailVerified: my.datetime('emailVerified', { fsp: 3 }), image: my.text('image') }
  const int = my
    .customType<Numeric>({ dataType: () => 'int' })('id')
    .primaryKey()
  const people = my.mysqlTable('people', { id: int, name: my.text('name'), email: my.text('email'), ...dates })
  // @ts-expect-error The same in MySQL and MariaDB.
  const mysqlOptions: mysql.MysqlOptions<typeof people> = { url: 'mysql://127.0.0.1', tables: { users: people } }
  t.ok(mysqlOptions)
})
