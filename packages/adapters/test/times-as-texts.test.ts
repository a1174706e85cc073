import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter } from '@postern/core'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import t, { type Test } from 'tap'
import { newRecord } from '../src/contract/data.ts'
import { createTestDatabase as newMysql } from './drizzle/mysql/databases.ts'
import { createTestDatabase as newPostgres } from './drizzle/postgres/databases.ts'
import { mysql, postgres, withServer } from './servers.ts'

/** The tables of another library that keeps times as texts, as TypeORM's adapter of Auth.js does. */
const createTables = (text: string, quote: string): readonly string[] => {
  const name = (one: string): string => `${quote}${one}${quote}`
  return [
    `create table sessions (${name('sessionToken')} ${text} primary key, ${name('userId')} ${text}, expires ${text})`,
    `create table tokens (identifier ${text}, token ${text} primary key, expires ${text})`
  ]
}

const tables = { sessions: 'sessions', verificationTokens: 'tokens' }

const insertRows = (table: string, texts: readonly string[]): readonly string[] =>
  texts.map((expires, index) =>
    table === 'sessions'
      ? `insert into sessions values ('${index}', 'ada', '${expires}')`
      : `insert into tokens values ('ada', '${index}', '${expires}')`
  )

type CleaningAdapter = Required<Pick<Adapter, 'deleteExpired' | 'putSessionRecord' | 'getSessionRecords'>>

/** Rows of another library that nobody but the library can read stay; the records beside them are deleted. */
async function leavesTexts(
  t: Test,
  adapter: CleaningAdapter,
  { run, count }: { run: (sql: string) => Promise<unknown>; count: (table: string) => Promise<number> }
): Promise<void> {
  const before = new Date('2030-01-01T00:00:00Z')
  // In milliseconds, each is later than `before`, and as a text, each is less than it.
  const texts = ['1900000000000', '1999999999999']
  for (const table of ['sessions', 'tokens']) for (const sql of insertRows(table, texts)) await run(sql)
  await adapter.putSessionRecord(newRecord('ada', { expires: new Date(before.getTime() - 1000) }))
  t.equal(await adapter.deleteExpired(before, 100), 1, 'the record')
  for (const table of ['sessions', 'tokens']) t.equal(await count(table), texts.length, table)
}

await t.test('SQLite: rows with times as texts outlive the cleanup', async (t) => {
  const client = new Database(':memory:')
  for (const sql of createTables('text', '"')) client.exec(sql)
  const adapter = sqliteAdapter({ db: drizzle(client), tables })
  t.teardown(() => adapter.close())
  await leavesTexts(t, adapter, {
    run: async (sql) => client.exec(sql),
    count: async (table) => client.prepare(`select * from ${table}`).all().length
  })
})

await withServer(postgres, async (t) => {
  const { raw, url } = await newPostgres(t)
  for (const sql of createTables('varchar', '"')) await raw.query(sql)
  const adapter = postgresAdapter({ url, tables })
  t.teardown(() => adapter.close())
  await leavesTexts(t, adapter, {
    run: (sql) => raw.query(sql),
    count: async (table) => (await raw.query(`select * from ${table}`)).rows.length
  })
})

await withServer(mysql, async (t) => {
  const { raw, url } = await newMysql(t)
  for (const sql of createTables('varchar(100)', '`')) await raw.query(sql)
  const adapter = mysqlAdapter({ url, tables })
  t.teardown(() => adapter.close())
  await leavesTexts(t, adapter, {
    run: (sql) => raw.query(sql),
    count: async (table) => [(await raw.query(`select * from ${table}`))[0]].flat().length
  })
})
