import { setTimeout as delay } from 'node:timers/promises'
import { createClock } from '@postern/testkit'
import t from 'tap'
import { Cleaning } from '../../src/adapter/cleaning.ts'

const hour = 3600

function setUp(rows: number) {
  const clock = createClock()
  const calls: { readonly before: Date; readonly most: number }[] = []
  const warnings: unknown[] = []
  let left = rows
  let failure: Error | null = null
  const deleteExpired = async (before: Date, most: number): Promise<number> => {
    calls.push({ before, most })
    if (failure) throw failure
    const deleted = Math.min(left, most)
    left -= deleted
    return deleted
  }
  const logger = {
    error: () => undefined,
    warn: (...args: unknown[]) => void warnings.push(args),
    debug: () => undefined
  }
  const rules = { logger, now: clock.now, interval: hour, grace: 24 * hour, batch: 500 }
  const cleaning = new Cleaning({ store: { deleteExpired }, ...rules })
  const settled = async (): Promise<void> => {
    for (let before = -1; before !== calls.length; await delay(150)) before = calls.length
  }
  return {
    ...{ clock, calls, warnings, cleaning, settled },
    left: () => left,
    fail: (error: Error | null) => {
      failure = error
    },
    refill: (count: number) => {
      left = count
    }
  }
}

t.test('what is over is deleted in small batches, and nobody waits', async (t) => {
  const { clock, calls, cleaning, settled, left } = setUp(1234)
  cleaning.begin()
  t.equal(calls.length, 0, 'not before the answer')
  await settled()
  t.equal(left(), 0)
  t.same(
    calls.map(({ most }) => most),
    [500, 500, 500]
  )
  t.same(calls[0]?.before, new Date(clock.now() - 24 * hour * 1000), 'what has just ended stays for a day')
})

t.test('at most once in an hour', async (t) => {
  const { clock, calls, cleaning, settled, refill, left } = setUp(1)
  cleaning.begin()
  await settled()
  refill(1)
  clock.advance(hour - 1)
  cleaning.begin()
  await settled()
  t.equal(left(), 1)
  clock.advance(1)
  cleaning.begin()
  cleaning.begin()
  await settled()
  t.equal(left(), 0)
  t.equal(calls.length, 2)
})

t.test('a clock that was set back keeps nobody from cleaning', async (t) => {
  const { clock, calls, cleaning, settled } = setUp(0)
  cleaning.begin()
  await settled()
  clock.advance(-30 * 24 * hour)
  cleaning.begin()
  await settled()
  t.equal(calls.length, 2)
})

t.test('a store that fails is told to the log, and asked again an hour later', async (t) => {
  const { clock, calls, warnings, cleaning, settled, fail, left } = setUp(1)
  fail(new Error('connect ECONNREFUSED'))
  cleaning.begin()
  await settled()
  t.equal(calls.length, 1)
  t.match(warnings, [['ADAPTER_CLEANING_ERROR', { message: 'connect ECONNREFUSED' }]])
  fail(null)
  clock.advance(hour)
  cleaning.begin()
  await settled()
  t.equal(left(), 0)
})

t.test('it stops when the application does, between two batches', async (t) => {
  const { calls, cleaning, settled, left } = setUp(1_000_000)
  cleaning.begin()
  while (calls.length < 2) await delay(10)
  await cleaning.stop()
  const { length } = calls
  t.ok(left() > 0)
  cleaning.begin()
  await settled()
  t.equal(calls.length, length)
})
