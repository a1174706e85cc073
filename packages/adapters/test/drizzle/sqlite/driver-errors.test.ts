import t from 'tap'
import type { RetryOptions } from '../../../src/drizzle/retry.ts'
import { attemptAtStart, createAttempt, isBusy, isDuplicate } from '../../../src/drizzle/sqlite/driver-errors.ts'

const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })

interface Clock extends RetryOptions {
  readonly pauses: readonly number[]
  now: () => number
  advance: (milliseconds: number) => void
}

/** A clock that moves when a user sleeps. */
function createClock(limit: number): Clock {
  let time = 0
  const pauses: number[] = []
  return {
    limit,
    pauses,
    now: () => time,
    random: () => 0,
    advance: (milliseconds) => {
      time += milliseconds
    },
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      time += milliseconds
    }
  }
}

t.test('work that succeeds is run once, at once', async (t) => {
  const clock = createClock(1000)
  let runs = 0
  const result = createAttempt(clock)(() => ++runs)
  t.equal(runs, 1, 'before any caller waits')
  t.equal(await result, 1)
  t.strictSame(clock.pauses, [])
})

t.test('work is tried again after a pause that grows', async (t) => {
  const clock = createClock(10_000)
  let runs = 0
  const result = await createAttempt(clock)(() => {
    runs += 1
    if (runs < 6) throw busy
    return 'done'
  })
  t.equal(result, 'done')
  t.strictSame(clock.pauses, [25, 50, 100, 200, 200])
})

t.test('the pauses differ from process to process', async (t) => {
  const clock = { ...createClock(1000), random: () => 0.5 }
  let runs = 0
  await createAttempt(clock)(() => {
    runs += 1
    if (runs < 2) throw busy
  })
  t.strictSame(clock.pauses, [37.5])
})

t.test('work that is refused for another reason is not tried again', async (t) => {
  const clock = createClock(1000)
  let runs = 0
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  const attempt = createAttempt(clock)
  const failed = attempt(() => {
    runs += 1
    throw full
  })
  await t.rejects(failed, full)
  t.equal(runs, 1)
  t.equal(await attempt(() => 'next'), 'next')
})

t.test('waiting ends at the limit, with the driver’s error', async (t) => {
  const clock = createClock(5000)
  const failed = createAttempt(clock)(() => {
    clock.advance(250)
    throw busy
  })
  await t.rejects(failed, busy)
  t.ok(clock.now() >= 5000 && clock.now() < 6000, `after ${clock.now()} ms`)
})

t.test('many who wait share the tries', async (t) => {
  const clock = createClock(5000)
  let tries = 0
  const attempt = createAttempt(clock)
  const calls = Array.from({ length: 50 }, () =>
    attempt(() => {
      tries += 1
      clock.advance(250)
      throw busy
    })
  )
  const outcomes = await Promise.allSettled(calls)
  t.ok(outcomes.every(({ status }) => status === 'rejected'))
  t.equal(tries, clock.pauses.length, 'one try before each pause')
  t.ok(clock.now() < 6000, `all have ended after ${clock.now()} ms`)
})

t.test('a waiting caller continues when the others have released the lock', async (t) => {
  const clock = createClock(5000)
  const attempt = createAttempt(clock)
  let isHeld = true
  const calls = Array.from({ length: 50 }, (_, i) =>
    attempt(() => {
      if (isHeld) {
        isHeld = false
        throw busy
      }
      return i
    })
  )
  t.strictSame(
    await Promise.all(calls),
    Array.from({ length: 50 }, (_, i) => i)
  )
  t.equal(clock.pauses.length, 1)
})

t.test('at start work is tried again too, without leaving the call', async (t) => {
  let runs = 0
  const result = attemptAtStart(() => {
    runs += 1
    if (runs < 3) throw busy
    return runs
  })
  t.equal(result, 3)
})

t.test('at start work that is refused for another reason is not tried again', async (t) => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  let runs = 0
  const work = () => {
    runs += 1
    throw full
  }
  t.throws(() => attemptAtStart(work), full)
  t.equal(runs, 1)
})

t.test('the codes are distinguished, including extended and wrapped ones', async (t) => {
  const coded = (code: string) => Object.assign(new Error(code), { code })
  t.equal(isBusy(coded('SQLITE_BUSY_SNAPSHOT')), true)
  t.equal(isBusy(new Error('query failed', { cause: coded('SQLITE_BUSY') })), true)
  t.equal(isBusy(coded('SQLITE_FULL')), false)
  t.equal(isBusy(new Error('SQLITE_BUSY')), false)
  t.equal(isBusy('SQLITE_BUSY'), false)
  t.equal(isDuplicate(coded('SQLITE_CONSTRAINT_UNIQUE')), true)
  t.equal(isDuplicate(coded('SQLITE_CONSTRAINT_PRIMARYKEY')), true)
  t.equal(isDuplicate(coded('SQLITE_CONSTRAINT_FOREIGNKEY')), false)
})
