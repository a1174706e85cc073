import { DuplicateError, sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import t from 'tap'
import { testAdapter } from '../src/contract/index.ts'
import { newFile } from './drizzle/sqlite/files.ts'
import { testPromises } from './promises.ts'
import { shareOut } from './share-out.ts'
import { suitesAt } from './suites.ts'

await t.test('a file', async (t) => {
  let files = 0
  const directory = t.testdir({})
  const open = () => sqliteAdapter({ file: `${directory}/${files++}.db` })
  await testAdapter(suitesAt(t, 0, 5), open)
  await testPromises(t, open, DuplicateError)
})

await t.test('a file that holds the rows of others', async (t) => {
  const file = newFile(t)
  await testAdapter(suitesAt(t, 1, 5), () => sqliteAdapter({ file }))
})

await t.test('a bare better-sqlite3 database', async (t) => {
  const db = new Database(':memory:')
  t.teardown(() => db.close())
  await testAdapter(suitesAt(t, 2, 5), () => sqliteAdapter({ db }))
})

await t.test('a drizzle database', async (t) => {
  const db = drizzle(':memory:')
  t.teardown(() => db.$client.close())
  await testAdapter(suitesAt(t, 3, 5), () => sqliteAdapter({ db }))
})

await t.test('two connections to one file, in turn', async (t) => {
  let files = 0
  const directory = t.testdir({})
  await testAdapter(suitesAt(t, 4, 5), () => {
    const file = `${directory}/${files++}.db`
    return shareOut(sqliteAdapter({ file }), sqliteAdapter({ file }))
  })
})
