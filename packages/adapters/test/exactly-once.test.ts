import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { VerificationToken } from '@postern/core'
import { isLong, times } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { memoryAdapter } from '../src/memory/index.ts'
import { createTestDatabase as newMysql } from './drizzle/mysql/databases.ts'
import { createTestDatabase as newPostgres } from './drizzle/postgres/databases.ts'
import { newFile } from './drizzle/sqlite/files.ts'
import {
  type AdvanceTask,
  type FactorTask,
  type Outcome,
  signInMany,
  type TicketOutcome,
  updateFactorMany,
  useTicket
} from './exactly-once/sign-in.ts'
import { openStore, type StoreOptions } from './exactly-once/store.ts'
import { createTestDatabase as newRedis } from './redis/clients.ts'
import { mysql, postgres, redis, withServer } from './servers.ts'

const rounds = times(2, 250)
const callers = 50
if (isLong) t.setTimeout(0)

type Store = ReturnType<typeof openStore>
type Use = (token: VerificationToken) => Promise<readonly Outcome[]>

/** In each round, many callers use one token: one is signed in, the others are refused, and none fails. */
async function testRounds(t: Test, title: string, store: Store, use: Use): Promise<void> {
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
    const signIn = (await store.listSessions(user?.id ?? '')).length
    const isRight = sum((one) => one.signedIn) === 1 && sum((one) => one.refused) === callers - 1 && signIn === 1
    if (!isRight) t.match(outcomes, [{ signedIn: 1, failures: [] }], `round ${round}: ${signIn} sessions`)
    sessions += signIn
  }
  t.equal(sessions, rounds, 'one session a round')
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`exactly once, ${title}: ${rounds} rounds of ${callers} uses in ${seconds} s`)
}

/** In each round many count attempts on a ticket and consume another: each count is given once, and so is the ticket. */
async function testTickets(
  t: Test,
  store: Store,
  use: (id: string) => Promise<readonly TicketOutcome[]>
): Promise<void> {
  let consumed = 0
  for (let round = 0; round < rounds; round += 1) {
    const id = randomUUID()
    const ticket = { id, userId: null, data: 'v1', tries: 0, expires: new Date(Date.now() + 60_000) }
    for (const kind of ['count', 'consume']) await store.createTicket({ ...ticket, kind })
    const outcomes = await use(id)
    const counts = outcomes.flatMap((outcome) => outcome.counts).map(Number)
    const requested = Array.from({ length: callers }, (_, i) => i + 1)
    t.strictSame(
      counts.sort((one, other) => one - other),
      requested,
      `round ${round}: each count once`
    )
    consumed += outcomes.reduce((all, outcome) => all + outcome.consumed, 0)
  }
  t.equal(consumed, rounds, 'each ticket is received once')
}

/** In each round many expect one version of a factor: one updates it. */
async function testFactors(
  t: Test,
  store: Store,
  update: (task: FactorTask) => Promise<readonly number[]>
): Promise<void> {
  const { id: userId } = await store.createUser({ email: null, emailVerified: null })
  const factor = { type: 'totp', id: userId, userId }
  await store.createFactor({ ...factor, name: null, data: 'v1', createdAt: new Date(), lastUsedAt: null, version: 1 })
  for (let version = 1; version <= rounds; version += 1) {
    const written = (await update({ factor, version })).reduce((all, one) => all + one, 0)
    if (written !== 1) t.equal(written, 1, `version ${version}: one updates it`)
  }
  t.equal((await store.getFactor(factor))?.version, rounds + 1, 'one update a round')
}

/** In each round many change the row of a user from one version: one does. Then many change it from any: each does. */
async function testVersions(
  t: Test,
  store: Store,
  advance: (task: AdvanceTask) => Promise<readonly number[]>
): Promise<void> {
  const count = async (task: AdvanceTask['advance']): Promise<number> =>
    (await advance({ advance: task })).reduce((all, one) => all + one, 0)
  for (let round = 0; round < rounds; round += 1) {
    const userId = randomUUID()
    for (const expected of [0, 1000]) {
      const made = await count({ userId, expected, version: expected + 1000 })
      if (made !== 1) t.equal(made, 1, `round ${round}: one of ${callers} changes of version ${expected}`)
    }
    t.equal(await count({ userId, expected: null, version: 0 }), callers, `round ${round}: each without a version`)
    t.equal((await store.getUserVersion(userId))?.version, 2000 + callers, 'with a version of its own')
  }
}

async function testDatabase(t: Test, database: StoreOptions): Promise<void> {
  const store = openStore(database)
  t.teardown(() => store.close())
  const instances = await Promise.all(started)
  await Promise.all(instances.map((instance) => ask(instance, database)))
  await t.test('in one process', async (t) => {
    if (isLong) t.setTimeout(0)
    await testRounds(t, database.store, store, async (token) => [await signInMany(store, token, callers)])
  })
  await t.test('tickets, in one process', async (t) => {
    if (isLong) t.setTimeout(0)
    await testTickets(t, store, async (id) => [await useTicket(store, { kind: 'consume', id }, callers)])
  })
  await t.test('tickets, in two processes', async (t) => {
    if (isLong) t.setTimeout(0)
    await testTickets(t, store, (id) =>
      Promise.all(
        instances.map((instance) =>
          ask<TicketOutcome>(instance, { ticket: { kind: 'consume', id }, callers: callers / instances.length })
        )
      )
    )
  })
  await t.test('factors, in one process', async (t) => {
    if (isLong) t.setTimeout(0)
    await testFactors(t, store, async (task) => [await updateFactorMany(store, task, callers)])
  })
  await t.test('factors, in two processes', async (t) => {
    if (isLong) t.setTimeout(0)
    await testFactors(t, store, (task) =>
      Promise.all(instances.map((instance) => ask<number>(instance, { ...task, callers: callers / instances.length })))
    )
  })
  await t.test('versions of users, in two processes', async (t) => {
    if (isLong) t.setTimeout(0)
    await testVersions(t, store, (task) =>
      Promise.all(instances.map((instance) => ask<number>(instance, { ...task, callers: callers / instances.length })))
    )
  })
  await t.test('in two processes', async (t) => {
    if (isLong) t.setTimeout(0)
    for (let round = 0; round < rounds; round += 1) {
      const user = await store.getUserByEmail(`person-${round}@example.com`)
      if (user) await store.deleteUser(user.id)
    }
    await testRounds(t, `${database.store}, two processes`, store, (token) =>
      Promise.all(
        instances.map((instance) => ask<Outcome>(instance, { ...token, callers: callers / instances.length }))
      )
    )
  })
}

/** The next message of a process, which does not keep this one running at other times. */
function next<T>(instance: ChildProcess): Promise<T> {
  instance.channel?.ref()
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the process ended with ${code}`))
    instance.once('exit', onExit)
    instance.once('message', (message: T) => {
      instance.off('exit', onExit)
      instance.channel?.unref()
      resolve(message)
    })
  })
}

function ask<T>(instance: ChildProcess, message: object): Promise<T> {
  const result = next<T>(instance)
  instance.send(message)
  return result
}

async function startInstance(): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./exactly-once/instance.js', import.meta.url))
  const instance = fork(script, { execArgv: [] })
  instance.unref()
  await next(instance)
  return instance
}

/** Two processes, which open one store after the other. */
const started = [startInstance(), startInstance()]

await t.test('memory', async (t) => {
  const store = memoryAdapter()
  await testRounds(t, 'memory', store, async (token) => [await signInMany(store, token, callers)])
})

await t.test('SQLite', async (t) => {
  if (isLong) t.setTimeout(0)
  await testDatabase(t, { store: 'sqlite', file: newFile(t) })
})

await withServer(postgres, async (t) => {
  if (isLong) t.setTimeout(0)
  await testDatabase(t, { store: 'postgres', url: (await newPostgres(t)).url })
})

await withServer(mysql, async (t) => {
  if (isLong) t.setTimeout(0)
  await testDatabase(t, { store: 'mysql', url: (await newMysql(t)).url })
})

await withServer(redis, async (t) => {
  if (isLong) t.setTimeout(0)
  await testDatabase(t, { store: 'redis', prefix: (await newRedis(t)).prefix, file: newFile(t) })
})
