import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { times } from '@postern/testkit/long'
import t from 'tap'
import { migrations, sqliteAdapter } from '../../../src/drizzle/sqlite/index.ts'
import { adaToken } from '../people.ts'
import { newFile, openRaw } from './files.ts'

interface Result {
  readonly hasTaken: boolean
  readonly hasCreated: boolean
  readonly failures: readonly string[]
}

const next = <T>(instance: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    instance.once('message', (message: T) => resolve(message))
    instance.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })

const script = fileURLToPath(new URL('./instance.js', import.meta.url))
const instances = Array.from({ length: times(3, 6) }, () => fork(script, { execArgv: [] }))
t.teardown(() => {
  for (const instance of instances) instance.kill()
})
const ready = Promise.all(instances.map((instance) => next(instance)))

/** The processes open the file at the same moment. @returns What each of them achieved. */
async function start(file: string): Promise<readonly Result[]> {
  await ready
  const results = instances.map((instance) => next<Result>(instance))
  for (const instance of instances) instance.send(file)
  return Promise.all(results)
}

t.test('processes that start at one moment on a new file all start, and one user is created', async (t) => {
  const file = newFile(t)
  const results = await start(file)
  t.equal(results.filter(({ hasCreated }) => hasCreated).length, 1, 'one winner')
  t.strictSame(
    [...new Set(results.flatMap(({ failures }) => failures))],
    ['DuplicateError'],
    'the others get the reason'
  )
  const raw = openRaw(t, file)
  t.equal(raw.prepare('select count(*) from user').pluck().get(), 1, 'one user')
  t.equal(raw.prepare('select count(*) from account').pluck().get(), 1, 'one account')
  t.equal(raw.prepare('select count(*) from postern_migration').pluck().get(), migrations.length, 'migrated once')
})

t.test('processes that start at one moment on a file of the first version all start', async (t) => {
  const file = newFile(t)
  const raw = openRaw(t, file, 5000)
  raw.exec(migrations[0]?.sql ?? '')
  raw.exec(`create table "postern_migration" ("version" integer primary key not null);
    insert into "postern_migration" values (1)`)
  const results = await start(file)
  t.equal(results.filter(({ hasCreated }) => hasCreated).length, 1, 'one winner')
  t.strictSame([...new Set(results.flatMap(({ failures }) => failures))], ['DuplicateError'])
  t.equal(raw.prepare('select count(*) from postern_migration').pluck().get(), migrations.length, 'migrated once')
})

t.test('of processes that take one token, one gets it', async (t) => {
  const file = newFile(t)
  const adapter = sqliteAdapter({ file })
  await adapter.createVerificationToken(adaToken)
  await adapter.close()
  const results = await start(file)
  t.equal(results.filter(({ hasTaken }) => hasTaken).length, 1)
})
