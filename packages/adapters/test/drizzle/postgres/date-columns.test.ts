import { some } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/node-postgres'
import { date, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { postgresAdapter } from '../../../src/drizzle/postgres/index.ts'
import { postgres, withServer } from '../../servers.ts'
import { inZone, keepsInstants, type OtherProgram, zones } from '../instants.ts'
import { createTestDatabase, type TestDatabase } from './databases.ts'

const tables = { users: 'User', accounts: 'Account', sessions: 'Session', verificationTokens: 'VerificationToken' }

/** The tables of Auth.js' Kysely adapter, whose columns of dates have this type. */
const createTables = (type: string) => `
  create table "User" (id text primary key, name text, email text unique, "emailVerified" ${type}, image text);
  create table "Account" ("userId" text not null references "User" on delete cascade, type text not null,
    provider text not null, "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint,
    token_type text, scope text, id_token text, session_state text, primary key (provider, "providerAccountId"));
  create table "Session" ("sessionToken" text primary key, "userId" text not null references "User" on delete cascade,
    expires ${type} not null);
  create table "VerificationToken" (identifier text not null, token text not null, expires ${type} not null,
    primary key (identifier, token))`

/** Reads and writes instants without text: a column without a zone has UTC. */
function otherProgram({ raw }: TestDatabase, type: string): OtherProgram {
  const instant = type.endsWith('tz') ? 'to_timestamp($3)' : `to_timestamp($3) at time zone 'UTC'`
  return {
    read: async (token) => {
      const query = 'select extract(epoch from expires) * 1000 as ms from "Session" where "sessionToken" = $1'
      return Number((await raw.query<{ readonly ms: string }>(query, [token])).rows[0]?.ms)
    },
    write: ({ sessionToken, userId, expires }) =>
      raw.query(`insert into "Session" values ($1, $2, ${instant})`, [sessionToken, userId, expires.getTime() / 1000])
  }
}

const inDatabaseZone = (url: string, zone: string) => url.replace('?options=', `?options=-c%20timezone%3D${zone}%20`)

await withServer(postgres, async (t) => {
  const types = ['timestamptz', 'timestamp', 'timestamptz(3)'] as const
  const cases = types.flatMap((type) =>
    zones.flatMap((database) => zones.map((process) => ({ type, database, process })))
  )
  // A session is over when it begins, or lasts hours too long, by the zones of writer and reader: better-auth/better-auth#9920,
  // backstage/backstage#5058, gx0r/connect-session-knex#51.
  for (const type of types) {
    await t.test(`columns of type ${type} hold the same instant in every zone`, async (t) => {
      const database = await createTestDatabase(t)
      await database.raw.query(createTables(type))
      const zoned = some(cases, (one) => [one.type, one.database, one.process], 1).filter((one) => one.type === type)
      for (const zone of zoned) {
        const url = inDatabaseZone(database.url, zone.database)
        const pool = new pg.Pool({ connectionString: url, max: 2 })
        const adapters = [
          postgresAdapter({ url, tables }),
          postgresAdapter({ pool, tables }),
          postgresAdapter({ db: drizzle({ client: pool }), tables })
        ]
        for (const adapter of adapters)
          await inZone(zone.process, () => keepsInstants(t, adapter, otherProgram(database, type.slice(0, 11))))
        for (const adapter of adapters) await adapter.close()
        await pool.end()
      }
    })
  }

  await t.test('a domain over timestamptz is read as one', async (t) => {
    const database = await createTestDatabase(t)
    await database.raw.query('create domain moment as timestamptz')
    await database.raw.query(createTables('moment'))
    const adapter = postgresAdapter({ url: inDatabaseZone(database.url, 'America/New_York'), tables })
    t.teardown(() => adapter.close())
    await keepsInstants(t, adapter, otherProgram(database, 'timestamptz'))
  })

  await t.test('a type that holds no instant is refused at startup, with all such columns', async (t) => {
    for (const type of ['date', 'text', 'bigint', 'boolean']) {
      const database = await createTestDatabase(t)
      await database.raw.query(createTables(type))
      const adapter = postgresAdapter({ url: database.url, tables })
      t.teardown(() => adapter.close())
      const names = ['"User"."emailVerified"', '"Session"."expires"', '"VerificationToken"."expires"']
      const message = new RegExp(`${names.join('.*')}.*alter table .* type timestamptz`)
      await t.rejects(adapter.ready(), { code: 'ColumnType', message }, type)
    }
  })

  await t.test('a drizzle table reads a column as it declares it', async (t) => {
    const define = (withTimezone: boolean) =>
      pgTable('Session', {
        sessionToken: text('sessionToken').primaryKey(),
        userId: text('userId').notNull(),
        expires: timestamp('expires', { withTimezone }).notNull(),
        day: date('day', { mode: 'date' })
      })
    for (const [type, isRight, isWrong] of [
      ['timestamptz', true, false],
      ['timestamp', false, true]
    ] as const) {
      const database = await createTestDatabase(t)
      await database.raw.query(`${createTables(type)}; alter table "Session" add day date`)
      const url = inDatabaseZone(database.url, 'Asia/Kolkata')
      const right = postgresAdapter({ url, tables: { ...tables, sessions: define(isRight) } })
      const wrong = postgresAdapter({ url, tables: { ...tables, sessions: define(isWrong) } })
      t.teardown(() => Promise.all([right.close(), wrong.close()]))
      await keepsInstants(t, right, otherProgram(database, type))
      const message = new RegExp(`"Session"."expires".*withTimezone: ${isRight}`)
      await t.rejects(wrong.ready(), { code: 'ColumnType', message }, type)
    }
  })

  await t.test('a drizzle column of strings is refused, with the mode that is right', async (t) => {
    const sessions = pgTable('Session', {
      sessionToken: text('sessionToken').primaryKey(),
      userId: text('userId').notNull(),
      expires: timestamp('expires', { mode: 'string', withTimezone: true }).notNull()
    })
    // The compiler refuses it, too.
    const options = { url: 'postgres://127.0.0.1/test', tables: { sessions } }
    t.throws(() => Reflect.apply(postgresAdapter, null, [options]), {
      message: /field expires.*mode: 'date'/
    })
  })
})
