import { setTimeout as delay } from 'node:timers/promises'
import { createClock } from '@postern/testkit'
import t from 'tap'
import type { Feature } from '../../src/feature.ts'
import { ExpiredRowCleanup } from '../../src/features/expired-row-cleanup.ts'
import { people, start } from '../flows/start.ts'

const hour = 3600
const day = 24 * hour

function setUp(rows: number) {
  const clock = createClock()
  const calls: { readonly before: Date; readonly max: number }[] = []
  const warnings: unknown[] = []
  let left = rows
  let failure: Error | null = null
  const deleteExpired = async (before: Date, max: number): Promise<number> => {
    calls.push({ before, max })
    if (failure) throw failure
    const deleted = Math.min(left, max)
    left -= deleted
    return deleted
  }
  const logger = {
    error: () => undefined,
    warn: (...args: unknown[]) => void warnings.push(args),
    debug: () => undefined
  }
  const settings = { now: clock.now, interval: hour, grace: day, eventMaxAge: 400 * day, batch: 500 }
  const cleaning = new ExpiredRowCleanup(deleteExpired, null, logger, settings)
  /** The cleanup's own timers do not keep a process running. */
  const finished = async (): Promise<void> => {
    const running = setInterval(() => undefined, 1000)
    await cleaning.finished()
    clearInterval(running)
  }
  return {
    ...{ clock, calls, warnings, cleaning, finished },
    left: () => left,
    fail: (error: Error | null) => {
      failure = error
    },
    refill: (count: number) => {
      left = count
    }
  }
}

t.test('expired rows are deleted in small batches, and no request waits', async (t) => {
  const { clock, calls, cleaning, finished, left } = setUp(1234)
  cleaning.begin()
  t.equal(calls.length, 0, 'not before the response')
  await finished()
  t.equal(left(), 0)
  t.same(
    calls.map(({ max }) => max),
    [500, 500, 500]
  )
  t.same(calls[0]?.before, new Date(clock.now() - day * 1000), 'recently expired rows are kept for a day')
})

t.test('at most once in an hour', async (t) => {
  const { clock, calls, cleaning, finished, refill, left } = setUp(1)
  cleaning.begin()
  await finished()
  refill(1)
  clock.advance(hour - 1)
  cleaning.begin()
  await finished()
  t.equal(left(), 1)
  clock.advance(1)
  cleaning.begin()
  cleaning.begin()
  await finished()
  t.equal(left(), 0)
  t.equal(calls.length, 2)
})

t.test('a clock that was set back keeps no one from cleaning', async (t) => {
  const { clock, calls, cleaning, finished } = setUp(0)
  cleaning.begin()
  await finished()
  clock.advance(-30 * day)
  cleaning.begin()
  await finished()
  t.equal(calls.length, 2)
})

t.test('a failing store is logged, and retried an hour later', async (t) => {
  const { clock, calls, warnings, cleaning, finished, fail, left } = setUp(1)
  fail(new Error('connect ECONNREFUSED'))
  cleaning.begin()
  await finished()
  t.equal(calls.length, 1)
  t.match(warnings, [['ADAPTER_CLEANING_ERROR', { message: 'connect ECONNREFUSED' }]])
  fail(null)
  clock.advance(hour)
  cleaning.begin()
  await finished()
  t.equal(left(), 0)
})

t.test('it stops when the application does, between two batches', async (t) => {
  const { calls, cleaning, finished, left } = setUp(1_000_000)
  cleaning.begin()
  while (calls.length < 2) await delay(10)
  await cleaning.stop()
  const { length } = calls
  t.ok(left() > 0)
  cleaning.begin()
  await finished()
  t.equal(calls.length, length)
})

t.test('old events are deleted in small batches, also if expired rows cannot be deleted', async (t) => {
  const clock = createClock()
  const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined }
  const broken = async (): Promise<never> => {
    throw new Error('connect ECONNREFUSED')
  }
  for (const deleteExpired of [null, broken]) {
    const calls: unknown[] = []
    const deleteEvents = async (before: Date, most: number): Promise<number> => {
      calls.push([before, most])
      return calls.length < 3 ? most : most - 1
    }
    const settings = { now: clock.now, interval: hour, grace: day, eventMaxAge: 400 * day, batch: 500 }
    const cleaning = new ExpiredRowCleanup(deleteExpired, { delete: deleteEvents }, logger, settings)
    cleaning.begin()
    while (calls.length < 3) await delay(10)
    await cleaning.stop()
    const before = new Date(clock.now() - 400 * day * 1000)
    t.same(calls, Array(3).fill([before, 500]))
  }
})

const feature: Feature = { id: 'audit', setup: () => ({}) }

/** Triggers two cleanups of a registration. @returns The calls until the second one began, and the time of the first. */
async function firstCleanup(features: readonly Feature[]) {
  const calls: { readonly method: string; readonly before: Date }[] = []
  const note = async (method: string, before: Date): Promise<number> => {
    calls.push({ method, before })
    return 0
  }
  const required = ['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'linkAccount']
  const adapter: object = {
    ...Object.fromEntries(required.map((name) => [name, async () => null])),
    deleteExpired: (before: Date) => note('deleteExpired', before),
    deleteEvents: (before: Date) => note('deleteEvents', before),
    addEvents: async () => undefined,
    listEvents: async () => []
  }
  const { browser, clock } = start({ adapter, features, providers: [people], session: { strategy: 'jwt' } })
  const startedAt = clock.now()
  const submit = () => browser.submit('/api/auth/callback/credentials', { username: 'ada', password: 'lovelace' })
  const second = (): number => calls.findLastIndex(({ method }) => method === 'deleteExpired')
  await submit()
  while (calls.length === 0) await delay(10)
  clock.advance(hour)
  await submit()
  // The second cleanup begins after the first one has ended.
  while (second() <= 0) await delay(10)
  return { calls: calls.slice(0, second()), startedAt }
}

t.test('events are kept for 400 days', async (t) => {
  const { calls, startedAt } = await firstCleanup([feature])
  t.same(
    calls.map(({ method, before }) => [method, (startedAt - before.getTime()) / 1000 / day]),
    [
      ['deleteExpired', 1],
      ['deleteEvents', 400]
    ]
  )
})

t.test('without features, nothing writes events, and no statement deletes them', async (t) => {
  const { calls } = await firstCleanup([])
  t.same(
    calls.map(({ method }) => method),
    ['deleteExpired']
  )
})
