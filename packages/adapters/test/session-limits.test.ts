import { readFileSync } from 'node:fs'
import type { Adapter } from '@postern/core'
import { times } from '@postern/testkit/long'
import Sqlite from 'better-sqlite3'
import { Redis } from 'ioredis'
import t from 'tap'
import { mysqlAdapter } from '../src/drizzle/mysql/index.ts'
import { sqliteAdapter } from '../src/drizzle/sqlite/index.ts'
import { memoryAdapter } from '../src/memory/index.ts'
import { withRedisSessions } from '../src/redis/index.ts'
import { createTestDatabase as createMysqlDatabase, explain } from './drizzle/mysql/databases.ts'
import { openPool, readHandlerReads } from './drizzle/mysql/server.ts'
import { createTestDatabase } from './drizzle/postgres/databases.ts'
import { openLogged } from './drizzle/postgres/logged.ts'
import { postgres, redis, mysql as server, withServer } from './servers.ts'

/** The user with many sessions; each of the others has one. */
const userId = 'user-0'
const count = times(2000, 10_000)
const others = count / 10
const limit = 51

const tables = ['session', 'postern_session'] as const

type Lists = Pick<Required<Adapter>, 'listSessions' | 'getSessionRecords'>

/** The two lists with a limit. */
const getCalls = (adapter: Lists, id: string) => [
  async () => (await adapter.listSessions(id, limit)).map(({ sessionToken }) => sessionToken),
  async () => (await adapter.getSessionRecords({ userId: id, limit })).map(({ sessionToken }) => sessionToken)
]

/** The tokens of the sessions that expire last. */
const latest = Array.from({ length: limit }, (_, i) => `h1.${count - i}`)

/** The command for the sessions of Auth.js that the documentation has, in the syntax of PostgreSQL. */
const upgrade = readFileSync(new URL('../../../../docs/adapters.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('create index') && line.includes('userId_expires'))

t.test('the documentation has one command', async (t) => {
  t.equal(upgrade.length, 1)
})

/** The rows of the users, for SQLite. */
const fillSqlite = `
  insert into user (id) select 'user-' || i from (
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${others}) select i from n);
  create temp table made as with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count + others})
    select i, 'user-' || max(0, i - ${count}) as owner, (i * 7919) % 100003 as shuffled from n;
  insert into session ("sessionToken", "userId", expires)
    select 'h1.' || i, owner, 4102444800000 + i * 1000 from made order by shuffled;
  insert into postern_session (id, "userId", "sessionToken", "createdAt", "lastSeen", expires)
    select i, owner, 'h1.' || i, 1, 1, 4102444800000 + i * 1000 from made order by shuffled;
  drop table made; analyze`

t.test(`SQLite: a limit reads that many of ${count} sessions from an index, without sorting`, async (t) => {
  const statements: string[] = []
  const db = new Sqlite(':memory:', { verbose: (statement) => statements.push(String(statement)) })
  t.teardown(() => db.close())
  const adapter = sqliteAdapter({ db })
  db.exec(fillSqlite)
  const explain = async (call: () => Promise<unknown>) => {
    statements.length = 0
    await call()
    t.equal(statements.length, 1, 'one statement')
    return JSON.stringify(db.prepare(`explain query plan ${statements[0]}`).all())
  }
  const check = async (id: string) => {
    for (const [i, call] of getCalls(adapter, id).entries()) {
      const plan = await explain(call)
      t.match(plan, `SEARCH ${tables[i]} USING INDEX postern_${i === 0 ? 'session' : 'record'}_userId_expires`)
      t.notMatch(plan, 'TEMP B-TREE')
    }
  }
  for (const call of getCalls(adapter, userId)) t.same(await call(), latest)
  for (const id of [userId, 'user-7', 'nobody']) await check(id)
  db.exec(`drop index "postern_session_userId_expires"`)
  for (const call of getCalls(adapter, userId)) t.same(await call(), latest, 'the same without the index')
  for (const command of upgrade) db.exec(command.replace(' concurrently', ''))
  await check(userId)
})

await withServer(postgres, async (t) => {
  await t.test(`PostgreSQL: a limit reads that many of ${count} sessions from an index, without sorting`, async (t) => {
    const { url, raw } = await createTestDatabase(t)
    // The planner would scan the index on `expires` for a user with most of the sessions.
    const many = 30 * others
    const { adapter, sent } = await openLogged(t, url)
    await raw.query(`
      insert into "user" (id) select 'user-' || i from generate_series(0, ${many}) as i;
      create temp table made as select i, 'user-' || greatest(0, i - ${count}) as owner,
        timestamp '2100-01-01' + i * interval '1 second' as ends
        from generate_series(1, ${count + many}) as i order by (i * 7919) % 100003;
      insert into session ("sessionToken", "userId", expires) select 'h1.' || i, owner, ends from made;
      insert into postern_session (id, "userId", "sessionToken", "createdAt", "lastSeen", expires)
        select i, owner, 'h1.' || i, ends, ends, ends from made;
      drop table made`)
    await raw.query('analyze "user", session, postern_session')
    const check = async (id: string) => {
      for (const [i, call] of getCalls(adapter, id).entries()) {
        sent.length = 0
        await call()
        t.equal(sent.length, 1, 'one statement')
        const [{ query, params } = { query: '', params: [] }] = sent
        const { rows } = await raw.query(`explain (analyze, format json) ${query}`, [...params])
        const plan = JSON.stringify(rows)
        t.match(plan, `postern_${i === 0 ? 'session' : 'record'}_userId_expires`, query)
        t.notMatch(plan, /"Sort"|Seq Scan|Rows Removed by Filter/, query)
        t.notMatch(plan, /"Actual Rows":(\d{3}|5[2-9]|[6-9]\d)/, 'no more rows than the limit')
      }
    }
    for (const call of getCalls(adapter, userId)) t.same(await call(), latest)
    for (const id of [userId, 'user-7', 'nobody']) await check(id)
    await raw.query('drop index "postern_session_userId_expires"')
    for (const call of getCalls(adapter, userId)) t.same(await call(), latest, 'the same without the index')
    for (const command of upgrade) await raw.query(command)
    await raw.query('analyze "user", session, postern_session')
    await check(userId)
  })
})

await withServer(server, async (t) => {
  await t.test(`MariaDB: a limit reads that many of ${count} sessions from an index, without sorting`, async (t) => {
    const { url, raw } = await createMysqlDatabase(t)
    const statements: string[] = []
    const pool = openPool(t, { url }, null, statements)
    const adapter = mysqlAdapter({ pool })
    await adapter.ready()
    const ends = Date.parse('2100-01-01')
    const rows = Array.from({ length: count + others }, (_, i) => ({
      token: `h1.${i + 1}`,
      owner: `user-${Math.max(0, i + 1 - count)}`,
      expires: new Date(ends + i * 1000)
    })).toSorted((one, other) => (one.token < other.token ? -1 : 1))
    await raw.query('insert into user (id) values ?', [Array.from({ length: others + 1 }, (_, i) => [`user-${i}`])])
    const sessions = rows.map(({ token, owner, expires }) => [token, owner, expires])
    await raw.query('insert into session (sessionToken, userId, expires) values ?', [sessions])
    const records = rows.map(({ token, owner, expires }) => [token, owner, token, expires, expires, expires])
    const columns = 'id, userId, sessionToken, createdAt, lastSeen, expires'
    await raw.query(`insert into postern_session (${columns}) values ?`, [records])
    await raw.query('analyze table session, postern_session')
    const check = async (id: string) => {
      for (const [i, call] of getCalls(adapter, id).entries()) {
        statements.length = 0
        await call()
        const statement = statements.find((sql) => sql.includes('order by')) ?? ''
        const [plan] = await raw.query(`${explain} ${statement}`)
        t.match(JSON.stringify(plan), `"key":"postern_${i === 0 ? 'session' : 'record'}_userId_expires"`, statement)
        t.notMatch(JSON.stringify(plan), 'filesort', statement)
        const read = await readHandlerReads({ raw }, statement)
        t.ok(read <= limit + 1, `${read} rows were read for ${limit}`)
      }
    }
    for (const call of getCalls(adapter, userId)) t.same(await call(), latest)
    for (const id of [userId, 'user-7', 'nobody']) await check(id)
    await raw.query('alter table session drop index postern_session_userId_expires')
    for (const call of getCalls(adapter, userId)) t.same(await call(), latest, 'the same without the index')
    for (const command of upgrade)
      await raw.query(command.replace(' concurrently if not exists', '').replaceAll('"', ''))
    await check(userId)
  })
})

await withServer(redis, async (t) => {
  await t.test('Redis: a limit reads that many of 1,000 sessions', async (t) => {
    const client = new Redis(redis.url)
    t.teardown(() => client.disconnect())
    const commands: string[] = []
    const counting = {
      call: (command: string, ...args: (string | number)[]) => {
        commands.push(command)
        return client.call(command, ...args)
      }
    }
    const adapter = withRedisSessions(memoryAdapter(), { client: counting, prefix: `limits-${process.pid}:` })
    const { id } = await adapter.createUser({ email: null, emailVerified: null })
    t.teardown(() => adapter.deleteUser(id))
    const start = Date.now() + 3_600_000
    const begin = async (i: number) => {
      const session = { sessionToken: `h1.${i}`, userId: id, expires: new Date(start + i * 1000) }
      const nothing = { provider: null, providerSessionId: null, userAgent: null, address: null, data: null }
      const times = { createdAt: new Date(), lastSeen: new Date() }
      await adapter.createSession(session, { ...session, ...nothing, ...times, id: `${i}` })
    }
    await Promise.all(Array.from({ length: 1000 }, (_, i) => begin(i + 1)))
    const expected = Array.from({ length: limit }, (_, i) => `h1.${1000 - i}`)
    for (const call of getCalls(adapter, id)) {
      commands.length = 0
      t.same(await call(), expected)
      t.same(commands, ['ZREVRANGE', ...expected.map(() => 'GET')], 'one command for each session')
    }
    await Promise.all(
      ['session:h1.1000', 'record:1000', 'session:h1.999', 'record:999'].map((key) =>
        client.del(`limits-${process.pid}:${key}`)
      )
    )
    for (const call of getCalls(adapter, id)) {
      const left = await call()
      t.equal(left.length, limit, 'entries without a session take no place')
      t.equal(left[0], 'h1.998')
      commands.length = 0
      await call()
      t.equal(commands.length, limit + 1, 'they were removed')
    }
  })
})
