import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { DatabaseError } from '../../src/database-error.ts'
import { createQueryRunner, type ErrorClassifier, type RetryOptions } from '../../src/drizzle/retry.ts'
import { DuplicateError } from '../../src/duplicate-error.ts'

const [busy, broken, duplicate, other] = ['busy', 'broken', 'duplicate', 'other'].map((text) => new Error(text))

const faults: ErrorClassifier = {
  database: 'db',
  isBusy: (error) => error === busy,
  isBroken: (error) => error === broken,
  isDuplicate: (error) => error === duplicate,
  toPublic: (error) => new DatabaseError(error instanceof Error ? error.message : '', 'db: failed')
}

const ready = async () => undefined

/** A world in which pauses take no time. */
function createWorld(random = 0.5, limit = 60_000): RetryOptions & { readonly pauses: readonly number[] } {
  const pauses: number[] = []
  return {
    limit,
    now: () => pauses.reduce((sum, pause) => sum + pause, 0),
    pauses,
    random: () => random,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
    }
  }
}

/** Work that fails with each of these in turn, and then succeeds. */
function failing(...errors: readonly (Error | undefined)[]) {
  let runs = 0
  const work = async () => {
    const error = errors[runs++]
    if (error) throw error
    return 'done'
  }
  return { work, runs: () => runs }
}

t.test('work that others were in the way of is run again until the deadline, after pauses that grow', async (t) => {
  const world = createWorld(0.5, 1000)
  const { retryIdempotent } = createQueryRunner(faults, ready, world)
  t.equal(await retryIdempotent(failing(...Array.from({ length: 7 }, () => busy)).work), 'done')
  t.strictSame(world.pauses, [10, 20, 40, 80, 160, 320, 320])
  const { work, runs } = failing(...Array.from({ length: 8 }, () => busy))
  await t.rejects(createQueryRunner(faults, ready, createWorld(0.5, 1000)).retryIdempotent(work), { code: 'busy' })
  t.equal(runs(), 8, 'another pause would end after the deadline')
})

t.test('the pauses differ from caller to caller', async (t) => {
  for (const [random, pause] of [
    [0, 5],
    [0.99, 14.9]
  ] as const) {
    const world = createWorld(random)
    await createQueryRunner(faults, ready, world).retryIdempotent(failing(busy).work)
    t.strictSame(world.pauses, [pause])
  }
})

t.test('idempotent work is retried if the connection broke, and not if it was refused', async (t) => {
  const { retryIdempotent } = createQueryRunner(faults, ready, createWorld())
  t.equal(await retryIdempotent(failing(broken, busy, broken).work), 'done')
  const { work, runs } = failing(other)
  await t.rejects(retryIdempotent(work), { name: 'DatabaseError', code: 'other' })
  t.equal(runs(), 1)
  const lost = failing(broken, broken, broken, broken, broken)
  await t.rejects(retryIdempotent(lost.work), { name: 'DatabaseError', code: 'broken' })
  t.equal(lost.runs(), 4, 'three times at most')
})

t.test('work that must take effect once is looked up before a retry', async (t) => {
  const { runOnce } = createQueryRunner(faults, ready, createWorld())
  const there = failing(broken)
  t.equal(await runOnce(there.work, async () => 'found'), 'found')
  t.equal(there.runs(), 1)
  const looked: unknown[] = []
  const none = async (error: unknown) => {
    looked.push(error)
    return null
  }
  t.equal(await runOnce(failing(broken, broken).work, none), 'done')
  t.strictSame(looked, [broken, broken])
  await t.rejects(runOnce(failing(broken, broken, broken, broken).work, none), { code: 'broken' })
  const { work, runs } = failing(broken)
  await t.rejects(
    runOnce(work, async (error) => {
      throw error
    }),
    { code: 'broken' }
  )
  t.equal(runs(), 1, 'never if it is unknown')
})

t.test('the look is repeated where its connection broke too', async (t) => {
  const { runOnce } = createQueryRunner(faults, ready, createWorld())
  t.equal(await runOnce(failing(broken).work, failing(broken, broken).work), 'done')
})

t.test('an effect that shows late is not a double', async (t) => {
  const { runOnce } = createQueryRunner(faults, ready, createWorld())
  const results = [null, 'late']
  t.equal(await runOnce(failing(broken, duplicate).work, async () => results.shift() ?? null), 'late')
  await t.rejects(
    runOnce(failing(broken, duplicate).work, async () => null),
    DuplicateError
  )
  const { work, runs } = failing(duplicate)
  await t.rejects(
    runOnce(work, async () => 'another user’s'),
    DuplicateError
  )
  t.equal(runs(), 1)
})

t.test('waiting has an end, and leaves no timer', async (t) => {
  const { retryIdempotent } = createQueryRunner(faults, ready, createWorld(0, 1))
  const never = () => new Promise<never>(() => undefined)
  await t.rejects(retryIdempotent(never), {
    name: 'DatabaseError',
    code: 'Timeout',
    message: 'db: expected a response within 1 ms'
  })
  const patient = createQueryRunner(faults, ready, createWorld())
  await patient.retryIdempotent(async () => 'done')
  await turn()
  t.notOk(process.getActiveResourcesInfo().includes('Timeout'))
})

t.test('no query runs before everything is ready', async (t) => {
  const calls: string[] = []
  const unready = createQueryRunner(faults, () => Promise.reject(new DatabaseError('Schema', 'missing')), createWorld())
  await t.rejects(
    unready.retryIdempotent(async () => calls.push('asked')),
    { code: 'Schema' }
  )
  t.strictSame(calls, [])
})
