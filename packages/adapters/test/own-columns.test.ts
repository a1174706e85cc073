import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import t from 'tap'
import { newSession } from '../src/contract/data.ts'
import { ada } from './drizzle/people.ts'
import { type Dialect, onEachDialect } from './stored-rows.ts'

/** A table of an application, with columns of its own. */
const tables: Readonly<Record<Dialect, string>> = {
  sqlite: `create table "User" ("id" text primary key not null, "name" text, "email" text unique, "emailVerified" integer, "image" text,
    "role" text not null default 'reader', "credits" integer not null default 5, "avatar" blob)`,
  postgres: `create type "Role" as enum ('reader', 'admin');
    create table "User" ("id" uuid primary key, "name" text, "email" text unique, "emailVerified" timestamp, "image" text,
    "role" "Role" not null default 'reader', "credits" integer not null default 5, "deactivatedAt" timestamptz, "big" bigint default 9007199254740993,
    "settings" jsonb default '{"theme":"dark"}', "tags" text[] default '{a,b}', "avatar" bytea)`,
  mysql: `create table "User" ("id" varchar(36) primary key, "name" text, "email" varchar(255) unique, "emailVerified" datetime(3), "image" text,
    "role" enum('reader', 'admin') not null default 'reader', "credits" int not null default 5, "deactivatedAt" datetime(3), "avatar" blob)`
}
const id = '5f3d7f0e-8f0a-4a55-9d2b-0d8f6c1a2b3c'

/** nextauthjs/next-auth#9453, and vercel/kirimase#33 for an enum. */
await onEachDialect(t, 'own columns of a table that is given by name are read', async (t, { dialect, run, open }) => {
  await run(tables[dialect])
  await run(`insert into "User" ("id", "name", "email", "role") values ('${id}', 'Ada', 'ada@example.com', 'admin')`)
  const adapter = open({ tables: { users: 'User' } })
  const session = newSession(id)
  await adapter.createSession(session)
  const found = {
    getUser: await adapter.getUser(id),
    getUserByEmail: await adapter.getUserByEmail('ada@example.com'),
    getSessionAndUser: (await adapter.getSessionAndUser(session.sessionToken))?.user,
    listUsers: (await adapter.listUsers({ after: null, limit: 10 }))[0]
  }
  for (const [method, user] of Object.entries(found))
    t.match(user, { id, name: 'Ada', role: 'admin', credits: 5 }, method)
  if (dialect === 'postgres')
    t.match(found.getUser, {
      deactivatedAt: null,
      big: '9007199254740993',
      settings: { theme: 'dark' },
      tags: ['a', 'b']
    })
  t.notOk(Object.hasOwn(found.getUser ?? {}, 'avatar'), 'bytes are not read')
  const [problem] = await adapter.findProblems()
  t.equal(problem?.code, 'COLUMN_NOT_READ')
  t.match(problem?.message, /avatar/)
  t.notMatch(problem?.message, /role/)
})

/** What `profile` of a provider returns was not stored: nextauthjs/next-auth#8752. */
await onEachDialect(t, 'they are written as those of a drizzle table are', async (t, { dialect, run, open }) => {
  await run(tables[dialect])
  const adapter = open({ tables: { users: 'User' } })
  const profile = { ...ada, name: 'Ada', role: 'admin', unknown: 'dropped' }
  const created = await adapter.createUser(profile)
  t.match(created, { role: 'admin', credits: 5 }, 'the default, too')
  const changes = { id: created.id, credits: 7 }
  t.match(await adapter.updateUser(changes), { role: 'admin', credits: 7 })
  const [bob] = [{ email: 'bob@example.com', emailVerified: null, credits: 9 }]
  const account = { type: 'oauth', provider: 'github', providerAccountId: '1', userId: '' } as const
  t.match(await adapter.createUserWithAccount(bob, account), { role: 'reader', credits: 9 })
  if (dialect !== 'sqlite') {
    const deactivatedAt = new Date('2030-01-02T03:04:05.678Z')
    await adapter.updateUser(Object.assign({ id: created.id }, { deactivatedAt }))
    t.same((await adapter.getUser(created.id)) ?? null, { ...(await adapter.getUser(created.id)), deactivatedAt })
  }
})

/** A user that was read is often written again as a whole: supabase/supabase#6091, rolobio/DictORM#67. */
await onEachDialect(t, 'a generated column is read, and left to the database', async (t, { dialect, run, open }) => {
  const key = dialect === 'mysql' ? 'varchar(255)' : 'text'
  const time = { sqlite: 'integer', postgres: 'timestamp', mysql: 'datetime(3)' }[dialect]
  await run(`create table "User" ("id" ${key} primary key not null, "name" text, "email" ${key} unique, "emailVerified" ${time}, "image" text,
    "heading" ${key} generated always as (upper("name")) stored)`)
  const adapter = open({ tables: { users: 'User' } })
  const created = await adapter.createUser({ ...ada, ...{ name: 'Ada', heading: 'unknown' } })
  t.match(created, { heading: 'ADA' })
  t.match(await adapter.updateUser({ ...created, name: 'Grace' }), { name: 'Grace', heading: 'GRACE' })
  t.match(await adapter.updateUser({ id: created.id, ...{ heading: 'unknown' } }), { heading: 'GRACE' })
  const bob = { email: 'bob@example.com', emailVerified: null, name: 'Bob', heading: 'unknown' }
  const account = { type: 'oauth', provider: 'github', providerAccountId: '1', userId: '' } as const
  t.match(await adapter.createUserWithAccount(bob, account), { heading: 'BOB' })
})

t.test('a generated column of a drizzle table is left to the database', async (t) => {
  const users = sqliteTable('User', {
    id: text('id').primaryKey(),
    name: text('name'),
    email: text('email').unique(),
    emailVerified: integer('emailVerified', { mode: 'timestamp_ms' }),
    image: text('image'),
    heading: text('heading').generatedAlwaysAs(sql`upper("name")`, { mode: 'stored' })
  })
  const db = new Database(':memory:')
  db.exec(`create table "User" ("id" text primary key, "name" text, "email" text unique, "emailVerified" integer, "image" text,
    "heading" text generated always as (upper("name")) stored)`)
  const adapter = sqliteAdapter({ db, tables: { users } })
  t.teardown(() => db.close())
  const created = await adapter.createUser({ ...ada, name: 'Ada' })
  t.match(await adapter.updateUser({ ...created, name: 'Grace' }), { name: 'Grace', heading: 'GRACE' })
})

await onEachDialect(t, 'a column without a default that inserts omit is named', async (t, { dialect, run, open }) => {
  const types = { sqlite: 'text', postgres: 'text', mysql: 'varchar(255)' }
  const date = { sqlite: 'integer', postgres: 'timestamp', mysql: 'datetime(3)' }
  const [text, time] = [types[dialect], date[dialect]]
  await run(
    `create table "Session" ("id" ${text} not null, "sessionToken" ${text} primary key, "userId" ${text} not null, "expires" ${time} not null)`
  )
  const adapter = open({ tables: { sessions: 'Session' } })
  const problems = await adapter.findProblems()
  t.same(
    problems.map(({ code }) => code),
    ['COLUMN_WITHOUT_DEFAULT']
  )
  t.match(problems[0]?.message, /id of .Session/)
})

t.test('the types of own columns can be declared', async (t) => {
  const adapter = sqliteAdapter<{ role: string }>({ file: ':memory:' })
  t.teardown(() => adapter.close())
  const user = await adapter.getUser('1')
  const role: string | undefined = user?.role
  t.equal(role, undefined)
})
