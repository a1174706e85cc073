import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { DuplicateError, postgresAdapter } from '@postern/adapters/postgres'
import { isLong } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/pglite'
import t, { type Test } from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { keepsInstants } from './drizzle/instants.ts'
import { testPromises } from './promises.ts'

// The optimizing compiler takes as long as everything else here: the tests run little of this code often enough to repay it.
for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag)

/** One database for all tests, which takes seconds to start. */
const client = new PGlite()
t.teardown(() => client.close())

/** It is empty for each test. */
async function open(t: Test) {
  t.teardown(async () => {
    const { rows } = await client.query<{ readonly name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'postern_migration'`
    )
    await client.exec(rows.map(({ name }) => `delete from "${name}"`).join(';'))
  })
  return postgresAdapter({ db: drizzle({ client }) })
}

// It answers as PostgreSQL does, ten times slower.
if (isLong) {
  await t.test('the contract', async (t) => {
    const adapter = await open(t)
    await testAdapter(t, () => adapter, { nul: 'refused' })
  })
}

await testPromises(t, open, DuplicateError)

await t.test('columns with a zone hold the same instant in every zone', async (t) => {
  await open(t)
  await client.exec('alter table session alter expires type timestamptz; set timezone = "America/New_York"')
  t.teardown(() => client.exec('alter table session alter expires type timestamp; set timezone = "UTC"'))
  const adapter = postgresAdapter({ db: drizzle({ client }) })
  await keepsInstants(t, adapter, {
    read: async (token) => {
      const query = 'select extract(epoch from expires) * 1000 as ms from session where "sessionToken" = $1'
      return Number((await client.query<{ readonly ms: string }>(query, [token])).rows[0]?.ms)
    },
    write: ({ sessionToken, userId, expires }) =>
      client.query('insert into session values ($1, $2, to_timestamp($3))', [
        sessionToken,
        userId,
        expires.getTime() / 1000
      ])
  })
})

await t.test('a style of dates that puts the day first is refused at startup', async (t) => {
  await client.exec(`set datestyle = 'SQL, DMY'`)
  t.teardown(() => client.exec(`set datestyle = 'ISO'`))
  const adapter = postgresAdapter({ db: drizzle({ client }) })
  await t.rejects(adapter.ready(), { code: 'Setting', message: /expected DateStyle to be ISO, got 'SQL, DMY'/ })
})
