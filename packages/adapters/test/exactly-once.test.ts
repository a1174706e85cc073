import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { VerificationToken } from '@postern/core'
import t, { type Test } from 'tap'
import { memoryAdapter } from '../src/memory/index.ts'
import { newPlace as newMysql } from './drizzle/mysql/databases.ts'
import { newPlace as newPostgres } from './drizzle/postgres/databases.ts'
import { newFile } from './drizzle/sqlite/files.ts'
import { type Outcome, signInMany } from './exactly-once/sign-in.ts'
import { openStore, type Place } from './exactly-once/store.ts'
import { newPlace as newRedis } from './redis/clients.ts'
import { mysql, postgres, redis, withServer } from './servers.ts'

/** `POSTERN_LONG=1` for a thousand rounds. */
const isLong = Boolean(process.env['POSTERN_LONG'])
const rounds = isLong ? 1000 : 30
const callers = 50
if (isLong) t.setTimeout(0)

type Store = ReturnType<typeof openStore>
type Use = (token: VerificationToken) => Promise<readonly Outcome[]>

/** In each round many use one token: one is signed in, the others are told that it is used up, and nobody fails. */
async function testRounds(t: Test, what: string, store: Store, use: Use): Promise<void> {
  const begin = performance.now()
  let sessions = 0
  for (let round = 0; round < rounds; round += 1) {
    const token = {
      identifier: `person-${round}@example.com`,
      token: randomUUID(),
      expires: new Date(Date.now() + 60_000)
    }
    await store.createVerificationToken(token)
    const outcomes = await use(token)
    const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + count(one), 0)
    const user = await store.getUserByEmail(token.identifier)
    const begun = (await store.listSessions(user?.id ?? '')).length
    const isRight = sum((one) => one.signedIn) === 1 && sum((one) => one.refused) === callers - 1 && begun === 1
    if (!isRight) t.match(outcomes, [{ signedIn: 1, failures: [] }], `round ${round}: ${begun} sessions`)
    sessions += begun
  }
  t.equal(sessions, rounds, 'one session a round')
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`exactly once, ${what}: ${rounds} rounds of ${callers} uses in ${seconds} s (POSTERN_LONG=1 for 1000)`)
}

async function testPlace(t: Test, place: Place): Promise<void> {
  const store = openStore(place)
  t.teardown(() => store.close())
  await t.test('in one process', async (t) => {
    if (isLong) t.setTimeout(0)
    await testRounds(t, place.store, store, async (token) => [await signInMany(store, token, callers)])
  })
  await t.test('in two processes', async (t) => {
    if (isLong) t.setTimeout(0)
    const instances = [await startInstance(t, place), await startInstance(t, place)]
    for (let round = 0; round < rounds; round += 1) {
      const user = await store.getUserByEmail(`person-${round}@example.com`)
      if (user) await store.deleteUser(user.id)
    }
    await testRounds(t, `${place.store}, two processes`, store, (token) =>
      Promise.all(
        instances.map((instance) => ask<Outcome>(instance, { ...token, callers: callers / instances.length }))
      )
    )
  })
}

function next<T>(instance: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the process ended with ${code}`))
    instance.once('exit', onExit)
    instance.once('message', (message: T) => {
      instance.off('exit', onExit)
      resolve(message)
    })
  })
}

function ask<T>(instance: ChildProcess, message: object): Promise<T> {
  const answer = next<T>(instance)
  instance.send(message)
  return answer
}

async function startInstance(t: Test, place: Place): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./exactly-once/instance.js', import.meta.url))
  const instance = fork(script, { execArgv: [] })
  t.teardown(() => instance.kill())
  await next(instance)
  await ask(instance, place)
  return instance
}

await t.test('memory', async (t) => {
  const store = memoryAdapter()
  await testRounds(t, 'memory', store, async (token) => [await signInMany(store, token, callers)])
})

await t.test('SQLite', async (t) => {
  if (isLong) t.setTimeout(0)
  await testPlace(t, { store: 'sqlite', file: newFile(t) })
})

await withServer(postgres, async (t) => {
  if (isLong) t.setTimeout(0)
  await testPlace(t, { store: 'postgres', url: (await newPostgres(t)).url })
})

await withServer(mysql, async (t) => {
  if (isLong) t.setTimeout(0)
  await testPlace(t, { store: 'mysql', url: (await newMysql(t)).url })
})

await withServer(redis, async (t) => {
  if (isLong) t.setTimeout(0)
  await testPlace(t, { store: 'redis', prefix: (await newRedis(t)).prefix, file: newFile(t) })
})
