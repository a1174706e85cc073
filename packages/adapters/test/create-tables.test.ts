import * as mysql from '@postern/adapters/mysql'
import * as postgres from '@postern/adapters/postgres'
import * as sqlite from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import {
  generateDrizzleJson,
  generateMigration,
  generateMySQLDrizzleJson,
  generateMySQLMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration
} from 'drizzle-kit/api'
import * as my from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import t, { type Test } from 'tap'
import { newSession } from '../src/contract/data.ts'
import { createTestDatabase as createMysqlDatabase } from './drizzle/mysql/databases.ts'
import { createTestDatabase as createPostgresDatabase } from './drizzle/postgres/databases.ts'
import { mysql as mysqlServer, postgres as postgresServer, withServer } from './servers.ts'

type Adapter = Pick<
  ReturnType<typeof sqlite.sqliteAdapter>,
  'createUserWithAccount' | 'createSession' | 'getSessionAndUser' | 'getAccounts' | 'deleteUser' | 'getUser'
>

const profile = { name: 'Ada', email: 'ada@example.com', emailVerified: null, role: 'editor' }
const account = { type: 'oauth', provider: 'github', providerAccountId: '1', userId: '' } as const

/** The keys work: the rows of a user refer to them, and are deleted with them. */
async function check(t: Test, adapter: Adapter): Promise<void> {
  const user = await adapter.createUserWithAccount(profile, account)
  t.match(user, { role: 'editor' })
  const session = newSession(user.id)
  await adapter.createSession(session)
  t.equal((await adapter.getSessionAndUser(session.sessionToken))?.user.id, user.id)
  t.equal((await adapter.getAccounts(user.id))[0]?.userId, user.id)
  await adapter.deleteUser(user.id)
  t.equal(await adapter.getUser(user.id), null)
}

t.test('SQLite: drizzle-kit creates all tables beside those of the application', async (t) => {
  const users = lite.sqliteTable('people', {
    id: lite.text('id').primaryKey(),
    name: lite.text('name'),
    email: lite.text('email').unique(),
    emailVerified: lite.integer('emailVerified', { mode: 'timestamp_ms' }),
    image: lite.text('image'),
    role: lite.text('role').notNull().default('reader')
  })
  const posts = lite.sqliteTable('posts', { author: lite.text('author').references(() => users.id) })
  const tables = sqlite.createTables({ users, sessions: 'app_session' })
  const [before, after] = [await generateSQLiteDrizzleJson({}), await generateSQLiteDrizzleJson({ posts, ...tables })]
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  for (const statement of await generateSQLiteMigration(before, after)) db.exec(statement)
  t.match(db.prepare("select sql from sqlite_master where name = 'app_session'").get(), { sql: /REFERENCES `people`/ })
  await check(t, sqlite.sqliteAdapter({ db, migrate: false, tables: { users, sessions: 'app_session' } }))
})

await withServer(postgresServer, async (t) => {
  await t.test('drizzle-kit creates all tables beside those of the application', async (t) => {
    const { url, raw, name } = await createPostgresDatabase(t)
    const users = pg.pgTable('users', {
      id: pg.uuid('id').primaryKey().defaultRandom(),
      name: pg.text('name'),
      email: pg.text('email').unique(),
      emailVerified: pg.timestamp('emailVerified'),
      image: pg.text('image'),
      role: pg.text('role').notNull().default('reader')
    })
    const posts = pg.pgTable('posts', { author: pg.uuid('author').references(() => users.id) })
    const tables = postgres.createTables({ users })
    // A table of another application, to which the key of the exported tables would refer.
    await raw.query('create table "user" (id int primary key)')
    const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ posts, ...tables }))
    // drizzle-kit names the schema of references.
    for (const statement of statements) await raw.query(statement.replaceAll('"public".', `"${name}".`))
    const { rows } = await raw.query(
      `select data_type from information_schema.columns where table_schema = current_schema() and table_name in ('account', 'session') and column_name = 'userId'`
    )
    t.same(rows, [{ data_type: 'uuid' }, { data_type: 'uuid' }])
    const adapter = postgres.postgresAdapter({ url, migrate: false, tables: { users } })
    t.teardown(() => adapter.close())
    await check(t, adapter)
  })
})

await withServer(mysqlServer, async (t) => {
  await t.test('drizzle-kit creates all tables beside those of the application', async (t) => {
    const { url, raw } = await createMysqlDatabase(t)
    const users = my.mysqlTable('users', {
      id: my.varchar('id', { length: 36 }).primaryKey(),
      name: my.text('name'),
      email: my.varchar('email', { length: 255 }).unique(),
      emailVerified: my.datetime('emailVerified', { fsp: 3 }),
      image: my.text('image'),
      role: my.varchar('role', { length: 20 }).notNull().default('reader')
    })
    const posts = my.mysqlTable('posts', { author: my.varchar('author', { length: 36 }).references(() => users.id) })
    const tables = mysql.createTables({ users })
    const [before, after] = [await generateMySQLDrizzleJson({}), await generateMySQLDrizzleJson({ posts, ...tables })]
    for (const statement of await generateMySQLMigration(before, after)) await raw.query(statement)
    const [rows] = await raw.query(
      `select column_type as type from information_schema.columns where table_schema = database() and table_name in ('account', 'session') and column_name = 'userId'`
    )
    t.match(rows, [{ type: 'varchar(36)' }, { type: 'varchar(36)' }])
    const adapter = mysql.mysqlAdapter({ url, migrate: false, tables: { users } })
    t.teardown(() => adapter.close())
    await check(t, adapter)
  })
})

t.test('keys have the type that refers to the id', (t) => {
  const fields = {
    name: pg.text('name'),
    email: pg.text('email'),
    emailVerified: pg.timestamp('v'),
    image: pg.text('i')
  }
  const getType = (id: pg.PgColumnBuilderBase) => {
    const users = pg.pgTable('users', { ...fields, id: pg.text('id').primaryKey() })
    const own = pg.pgTable('users', { id }).id
    return postgres.createTables({ users: Object.assign(users, { id: own }) }).accounts.userId.getSQLType()
  }
  t.same(
    [
      pg.serial('id'),
      pg.bigserial('id', { mode: 'bigint' }),
      pg.smallserial('id'),
      pg.varchar('id', { length: 36 })
    ].map(getType),
    ['integer', 'bigint', 'smallint', 'varchar(36)']
  )
  t.end()
})
