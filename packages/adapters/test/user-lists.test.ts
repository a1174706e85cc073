import type { Adapter } from '@postern/core'
import Sqlite from 'better-sqlite3'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { mysqlAdapter } from '../src/drizzle/mysql/index.ts'
import { sqliteAdapter } from '../src/drizzle/sqlite/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { withPosternTables } from '../src/postern-tables/index.ts'
import { withRedisSessions } from '../src/redis/index.ts'
import { createTestDatabase as createMysqlDatabase, explain } from './drizzle/mysql/databases.ts'
import { openPool, readHandlerReads } from './drizzle/mysql/server.ts'
import { createTestDatabase } from './drizzle/postgres/databases.ts'
import { openLogged } from './drizzle/postgres/logged.ts'
import { postgres, redis, mysql as server, withServer } from './servers.ts'

const count = 10_000
const queries = [
  { after: null, limit: 26 },
  { after: 'user-05000', limit: 26 },
  { after: 'user-09990', limit: 26 }
]

t.test('SQLite: a page of 10,000 users is read from the primary key, without sorting', async (t) => {
  const statements: string[] = []
  const db = new Sqlite(':memory:', { verbose: (statement) => statements.push(String(statement)) })
  t.teardown(() => db.close())
  const adapter = sqliteAdapter({ db })
  db.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into user (id) select printf('user-%05d', i) from n; analyze`
  )
  for (const query of queries) {
    statements.length = 0
    const page = await adapter.listUsers(query)
    t.equal(page.length, query.after === 'user-09990' ? 10 : 26)
    const [statement = ''] = statements
    const plan = JSON.stringify(db.prepare(`explain query plan ${statement}`).all())
    t.match(plan, query.after === null ? 'SCAN user USING INDEX' : 'SEARCH user USING INDEX', statement)
    t.notMatch(plan, 'TEMP B-TREE', statement)
  }
})

/** The adapter that stores users lists them, whatever is combined with it. */
async function listThrough(t: Test, wrap: (users: ReturnType<typeof memoryAdapter>) => Adapter): Promise<void> {
  const users = memoryAdapter()
  const { id } = await users.createUser({ email: null, emailVerified: null })
  const found = await wrap(users).listUsers?.({ after: null, limit: 10 })
  t.same(
    found?.map((user) => user.id),
    [id]
  )
}

t.test('withPosternTables lists the users of the other adapter', async (t) => {
  const tables = sqliteAdapter({ file: ':memory:' })
  t.teardown(() => tables.close())
  await listThrough(t, (users) => withPosternTables(users, tables))
})

await withServer(redis, async (t) => {
  const client = new Redis(redis.url)
  t.teardown(() => client.disconnect())
  await listThrough(t, (users) => withRedisSessions(users, { client }))
})

await withServer(postgres, async (t) => {
  await t.test('PostgreSQL: a page of 10,000 users is read from the primary key, without sorting', async (t) => {
    const { url, raw } = await createTestDatabase(t)
    const { adapter, sent: asked } = await openLogged(t, url)
    await raw.query(
      `insert into "user" (id) select 'user-' || lpad(i::text, 5, '0') from generate_series(1, ${count}) as i`
    )
    await raw.query('analyze "user"')
    for (const query of queries) {
      asked.length = 0
      t.equal((await adapter.listUsers(query)).length, query.after === 'user-09990' ? 10 : 26)
      const [{ query: statement, params } = { query: '', params: [] }] = asked
      const { rows } = await raw.query(`explain (analyze, format json) ${statement}`, [...params])
      const plan = JSON.stringify(rows)
      t.match(plan, '"Index Scan"', statement)
      t.match(plan, 'user_pkey', statement)
      t.notMatch(plan, /"Sort"|Seq Scan/, statement)
      t.notMatch(plan, /"Actual Rows":\d{3}/, 'no more rows than the page has')
    }
  })
})

await withServer(server, async (t) => {
  await t.test('MariaDB: a page of 10,000 users is read from the primary key, without sorting', async (t) => {
    const { url, raw } = await createMysqlDatabase(t)
    const statements: string[] = []
    const pool = openPool(t, { url }, null, statements)
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    const ids = Array.from({ length: count }, (_, i) => [`user-${String(i + 1).padStart(5, '0')}`])
    await raw.query('insert into user (id) values ?', [ids])
    await raw.query('analyze table user')
    for (const query of queries) {
      statements.length = 0
      t.equal((await adapter.listUsers(query)).length, query.after === 'user-09990' ? 10 : 26)
      const statement = statements.find((sql) => sql.includes('order by')) ?? ''
      const [rows] = await raw.query(`${explain} ${statement}`)
      const plan = JSON.stringify(rows)
      t.match(plan, '"key":"PRIMARY"', statement)
      t.notMatch(plan, 'filesort', statement)
      const before = await readHandlerReads({ raw }, statement)
      t.ok(before <= 30, `${before} rows were read for a page of 26`)
    }
  })
})
