import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { DatabaseError } from '../../src/database-error.ts'
import { createAttempts, type Faults, type Patience } from '../../src/drizzle/retry.ts'
import { DuplicateError } from '../../src/duplicate-error.ts'

const [busy, broken, duplicate, other] = ['busy', 'broken', 'duplicate', 'other'].map((text) => new Error(text))

const faults: Faults = {
  database: 'db',
  isBusy: (error) => error === busy,
  isBroken: (error) => error === broken,
  isDuplicate: (error) => error === duplicate,
  toPublic: (error) => new DatabaseError(error instanceof Error ? error.message : '', 'db: failed')
}

const ready = async () => undefined

/** A world in which pauses take no time. */
function createWorld(random = 0.5, limit = 60_000): Patience & { readonly pauses: readonly number[] } {
  const pauses: number[] = []
  return {
    limit,
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

t.test('work that others were in the way of is run again up to three times, after pauses that grow', async (t) => {
  const world = createWorld()
  const { safe } = createAttempts(faults, ready, world)
  t.equal(await safe(failing(busy, busy, busy).work), 'done')
  t.strictSame(world.pauses, [10, 20, 40])
  const { work, runs } = failing(busy, busy, busy, busy)
  await t.rejects(safe(work), { name: 'DatabaseError', code: 'busy' })
  t.equal(runs(), 4)
})

t.test('the pauses differ from caller to caller', async (t) => {
  for (const [random, pause] of [
    [0, 5],
    [0.99, 14.9]
  ] as const) {
    const world = createWorld(random)
    await createAttempts(faults, ready, world).safe(failing(busy).work)
    t.strictSame(world.pauses, [pause])
  }
})

t.test('work that is safe is run again where the connection broke, and not where it was refused', async (t) => {
  const { safe } = createAttempts(faults, ready, createWorld())
  t.equal(await safe(failing(broken, busy, broken).work), 'done')
  const { work, runs } = failing(other)
  await t.rejects(safe(work), { name: 'DatabaseError', code: 'other' })
  t.equal(runs(), 1)
})

t.test('work that must take effect once is looked for before it is run again', async (t) => {
  const { once } = createAttempts(faults, ready, createWorld())
  const there = failing(broken)
  t.equal(await once(there.work, async () => 'found'), 'found')
  t.equal(there.runs(), 1)
  const looked: unknown[] = []
  const none = async (error: unknown) => {
    looked.push(error)
    return null
  }
  t.equal(await once(failing(broken, broken).work, none), 'done')
  t.strictSame(looked, [broken, broken])
  await t.rejects(once(failing(broken, broken, broken, broken).work, none), { code: 'broken' })
  const { work, runs } = failing(broken)
  await t.rejects(
    once(work, async (error) => {
      throw error
    }),
    { code: 'broken' }
  )
  t.equal(runs(), 1, 'never where nobody knows')
})

t.test('the look is repeated where its connection broke too', async (t) => {
  const { once } = createAttempts(faults, ready, createWorld())
  t.equal(await once(failing(broken).work, failing(broken, broken).work), 'done')
})

t.test('an effect that shows late is no double', async (t) => {
  const { once } = createAttempts(faults, ready, createWorld())
  const answers = [null, 'late']
  t.equal(await once(failing(broken, duplicate).work, async () => answers.shift() ?? null), 'late')
  await t.rejects(
    once(failing(broken, duplicate).work, async () => null),
    DuplicateError
  )
  const { work, runs } = failing(duplicate)
  await t.rejects(
    once(work, async () => 'somebody else’s'),
    DuplicateError
  )
  t.equal(runs(), 1)
})

t.test('waiting has an end, and leaves no timer', async (t) => {
  const { safe } = createAttempts(faults, ready, createWorld(0, 1))
  const never = () => new Promise<never>(() => undefined)
  await t.rejects(safe(never), {
    name: 'DatabaseError',
    code: 'Timeout',
    message: 'db: expected an answer within 1 ms'
  })
  const patient = createAttempts(faults, ready, createWorld())
  await patient.safe(async () => 'done')
  await turn()
  t.notOk(process.getActiveResourcesInfo().includes('Timeout'))
})

t.test('nothing is asked before all is ready', async (t) => {
  const calls: string[] = []
  const unready = createAttempts(faults, () => Promise.reject(new DatabaseError('Schema', 'missing')), createWorld())
  await t.rejects(
    unready.safe(async () => calls.push('asked')),
    { code: 'Schema' }
  )
  t.strictSame(calls, [])
})
