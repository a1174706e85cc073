import { some } from '@postern/testkit/long'
import Database from 'better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import t, { type Test } from 'tap'
import { sqliteAdapter } from '../../../src/drizzle/sqlite/index.ts'
import { inZone, keepsInstants, type OtherProgram, zones } from '../instants.ts'

const tables = { users: 'User', accounts: 'Account', sessions: 'Session', verificationTokens: 'VerificationToken' }

const createTables = (type: string, options = '') => `
  create table "User" (id text primary key, name text, email text unique, "emailVerified" ${type}, image text);
  create table "Account" ("userId" text not null, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at integer, token_type text,
    scope text, id_token text, session_state text, primary key (provider, "providerAccountId"));
  create table "Session" ("sessionToken" text primary key, "userId" text not null, expires ${type} not null)${options};
  create table "VerificationToken" (identifier text not null, token text not null, expires ${type} not null,
    primary key (identifier, token))`

/** How other libraries store a date: what they write, and SQL for the milliseconds of it. */
const formats = {
  'milliseconds, as Drizzle with timestamp_ms and Prisma': { write: (date: Date) => date.getTime(), read: 'expires' },
  'seconds, as Drizzle with timestamp': { write: (date: Date) => date.getTime() / 1000, read: 'expires * 1000' },
  'ISO 8601, as Kysely': {
    write: (date: Date) => date.toISOString(),
    read: `round(unixepoch(expires, 'subsec') * 1000)`
  },
  'text of SQLite, as TypeORM': {
    write: (date: Date) => date.toISOString().replace('T', ' ').slice(0, -1),
    read: `round(unixepoch(expires, 'subsec') * 1000)`
  },
  'ISO 8601 with an offset, as Prisma with a driver adapter': {
    write: (date: Date) => date.toISOString().replace('Z', '+00:00'),
    read: `round(unixepoch(expires, 'subsec') * 1000)`
  }
}

type Format = (typeof formats)[keyof typeof formats]

const old = new Date('2031-01-01T00:00:00.000Z')

/** A database with a row that another program has written. */
function open(t: Test, type: string, { write }: Format, options = '') {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  db.exec(createTables(type, options))
  db.prepare('insert into "User" values (?, ?, ?, ?, ?)').run('old', null, 'old@example.com', write(old), null)
  db.prepare('insert into "Session" values (?, ?, ?)').run('old', 'old', write(old))
  db.prepare('insert into "VerificationToken" values (?, ?, ?)').run('old', 'old', write(old))
  return db
}

function otherProgram(db: Database.Database, { write, read }: Format): OtherProgram {
  return {
    read: async (token) =>
      Number(db.prepare(`select ${read} from "Session" where "sessionToken" = ?`).pluck().get(token)),
    write: ({ sessionToken, userId, expires }) =>
      db.prepare('insert into "Session" values (?, ?, ?)').run(sessionToken, userId, write(expires))
  }
}

const declared = ['integer', 'text', 'datetime', 'timestamp', ''] as const
const cases = Object.entries(formats).flatMap(([name, format]) =>
  declared.flatMap((type) => zones.map((zone) => ({ name, format, type, zone })))
)
// In a column of text, SQLite stores numbers as text.
const possible = cases.filter(({ type, format }) => type !== 'text' || typeof format.write(old) === 'string')

for (const { name, format, type, zone } of some(possible, (one) => [one.name, one.type, one.zone])) {
  t.test(`a ${type || 'typeless'} column with ${name} holds the same instant in ${zone}`, async (t) => {
    const db = open(t, type, format)
    const adapter = await inZone(zone, async () => sqliteAdapter({ db, tables }))
    await inZone(zone, () => keepsInstants(t, adapter, otherProgram(db, format)))
    t.equal((await adapter.getUser('old'))?.emailVerified?.getTime(), old.getTime(), 'and an old row has its own')
  })
}

t.test('an empty column of text gets ISO 8601, any other milliseconds', async (t) => {
  for (const [type, name] of [
    ['text', 'ISO 8601, as Kysely'],
    ['varchar(30)', 'ISO 8601, as Kysely'],
    ['datetime', 'milliseconds, as Drizzle with timestamp_ms and Prisma']
  ] as const) {
    const db = new Database(':memory:')
    t.teardown(() => db.close())
    db.exec(createTables(type))
    await keepsInstants(t, sqliteAdapter({ db, tables }), otherProgram(db, formats[name]))
  }
})

t.test('a table without the number of rows is read too', async (t) => {
  const format = formats['seconds, as Drizzle with timestamp']
  const db = open(t, 'integer', format, ' without rowid')
  await keepsInstants(t, sqliteAdapter({ db, tables }), otherProgram(db, format))
})

t.test('values that are no instant, or not of one format, are refused at startup', (t) => {
  const refused = [
    [() => '3 February 2031', '3 February 2031'],
    [() => '2031-02-03T04:05:06+05:30', 'something else'],
    [() => '2031-02-03', 'something else'],
    [() => '1924995600000', 'text that is a number'],
    [(date: Date) => Buffer.from(date.toISOString()), 'bytes']
  ] as const
  for (const [write, title] of refused) {
    const db = open(t, '', { write: () => old.getTime(), read: '' })
    db.prepare('update "Session" set expires = ?').run(write(old))
    const message = /"Session"."expires" contains something else. Accepted are/
    t.throws(() => sqliteAdapter({ db, tables }), { code: 'ColumnType', message }, title)
  }
  const mixed = open(t, 'datetime', formats['ISO 8601, as Kysely'])
  mixed.prepare('insert into "Session" values (?, ?, ?)').run('new', 'old', old.getTime())
  const message = /"Session"."expires" contains text and milliseconds/
  t.throws(() => sqliteAdapter({ db: mixed, tables }), { code: 'ColumnType', message }, 'two formats')
  t.end()
})

t.test('whether an address is verified is not read as when', (t) => {
  for (const [type, value] of [
    ['integer', 0],
    ['integer', 1],
    ['boolean', null]
  ] as const) {
    const db = new Database(':memory:')
    t.teardown(() => db.close())
    db.exec(createTables('integer'))
    db.exec(`alter table "User" rename column "emailVerified" to moved; alter table "User" add "emailVerified" ${type}`)
    db.prepare('insert into "User" (id, email, "emailVerified") values (?, ?, ?)').run('1', 'eve@example.com', value)
    const message = /"User"."emailVerified" (contains something else|is boolean)/
    t.throws(() => sqliteAdapter({ db, tables }), { code: 'ColumnType', message }, `${type} ${value}`)
  }
  t.end()
})

t.test('a drizzle table reads a column as it declares it', async (t) => {
  const define = (mode: 'timestamp' | 'timestamp_ms') =>
    sqliteTable('Session', {
      sessionToken: text('sessionToken').primaryKey(),
      userId: text('userId').notNull(),
      expires:
        mode === 'timestamp'
          ? integer('expires', { mode: 'timestamp' }).notNull()
          : integer('expires', { mode: 'timestamp_ms' }).notNull()
    })
  const format = formats['seconds, as Drizzle with timestamp']
  const db = open(t, 'integer', format)
  const adapter = (mode: 'timestamp' | 'timestamp_ms') =>
    sqliteAdapter({ db, tables: { ...tables, sessions: define(mode) } })
  await keepsInstants(t, adapter('timestamp'), otherProgram(db, format))
  const message = /"Session"."expires" contains seconds, but is declared with milliseconds/
  t.throws(() => adapter('timestamp_ms'), { code: 'ColumnType', message })
})
