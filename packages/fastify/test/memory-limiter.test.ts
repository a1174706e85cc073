import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createClock } from '@postern/testkit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import t from 'tap'
import { limiterOn } from '../src/index.ts'
import { memoryLimiter } from '../src/memory-limiter.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Bytes that are in use. */
function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}

const rule = { points: 3, seconds: 60 }

function start() {
  const clock = createClock()
  const limiter = memoryLimiter(clock.now)
  const takeAll = async (count: number, key: string = 'a'): Promise<number[]> => {
    const waits: number[] = []
    for (let index = 0; index < count; index++) waits.push(await limiter.take(key, rule))
    return waits
  }
  return { clock, limiter, takeAll }
}

t.test('so many pass, and the others wait for the end of the window', async (t) => {
  const { clock, takeAll } = start()
  t.same(await takeAll(5), [0, 0, 0, 60, 60])
  clock.advance(59)
  t.same(await takeAll(1), [1])
  clock.advance(1)
  t.same(await takeAll(4), [0, 0, 0, 60])
})

t.test('each key and each rule counts by itself', async (t) => {
  const { limiter, takeAll } = start()
  await takeAll(4)
  t.same(await takeAll(1, 'b'), [0])
  t.equal(await limiter.take('a', { points: 4, seconds: 60 }), 0)
  t.equal(await limiter.take('a', { points: 3, seconds: 61 }), 0)
  t.equal(await limiter.take('a', rule), 60)
})

t.test('what is given back may be taken again, and no more than that', async (t) => {
  const { clock, limiter, takeAll } = start()
  await limiter.giveBack('a', rule)
  t.same(await takeAll(4), [0, 0, 0, 60], 'nothing was there to give back')
  await limiter.giveBack('a', rule)
  await limiter.giveBack('a', rule)
  t.same(await takeAll(2), [0, 60])
  clock.advance(60)
  await limiter.giveBack('a', rule)
  t.same(await takeAll(4), [0, 0, 0, 60], 'a window that has ended gives nothing to the next')
})

t.test('it counts as rate-limiter-flexible does', async (t) => {
  const [ours, theirs] = [memoryLimiter(), limiterOn((settings) => new RateLimiterMemory(settings))]
  for (const step of 'ttgtttgggtttttgtt') {
    const [one, other] = await Promise.all(
      [ours, theirs].map(async (limiter) => (step === 't' ? limiter.take('a', rule) : limiter.giveBack('a', rule)))
    )
    t.equal(Boolean(one), Boolean(other))
  }
})

t.test('windows that have ended do not fill the memory, and a flood of names frees nobody', async (t) => {
  const { clock, limiter, takeAll } = start()
  await takeAll(4)
  for (let index = 0; index < 30_000; index++) await limiter.take(`flood ${index}`, rule)
  t.same(await takeAll(1), [60])
  clock.advance(60)
  const before = heap()
  for (let round = 0; round < 10; round++) {
    for (let index = 0; index < 40_000; index++) await limiter.take(`round ${round} ${index}`, rule)
    clock.advance(60)
  }
  t.ok(heap() - before < 20_000_000)
  t.same(await takeAll(1), [0])
})
