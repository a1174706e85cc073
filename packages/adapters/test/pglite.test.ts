import { PGlite } from '@electric-sql/pglite'
import { DuplicateError, postgresAdapter } from '@postern/adapters/postgres'
import { isLong } from '@postern/testkit/long'
import { drizzle } from 'drizzle-orm/pglite'
import t, { type Test } from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { testPromises } from './promises.ts'

/** One database for all tests, which takes seconds to start: each test has a separate schema in it. */
const client = new PGlite()
t.teardown(() => client.close())
let schemas = 0

async function open(t: Test) {
  const schema = `s${schemas++}`
  await client.exec(`create schema ${schema}; set search_path = ${schema}`)
  t.teardown(() => client.exec(`drop schema ${schema} cascade`))
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
