import { RateLimiterMemory } from 'rate-limiter-flexible'
import t from 'tap'
import { CappedCounter } from '../src/capped-counter.ts'
import { memoryLimiter } from '../src/limiter.ts'

const settings = { points: 5, duration: 900 }
const maxBytes = 50_000

t.test('a flood of keys takes no more memory than allowed', async (t) => {
  const counter = new CappedCounter(new RateLimiterMemory(settings), settings.points, maxBytes)
  for (let index = 0; index < 2000; index++) {
    await counter.consume(`key ${index}`)
    if (counter.bytes > maxBytes) t.fail(`${counter.bytes} bytes after ${index} keys`)
  }
  t.ok(counter.bytes > maxBytes / 2)
})

t.test('a flood of keys does not push out a key that is at its limit, or close to it', async (t) => {
  const limiter = memoryLimiter(maxBytes)
  const rule = { points: 5, seconds: 900 }
  for (let turn = 0; turn < 4; turn++) await limiter.consume('ada', rule)
  for (let turn = 0; turn < 5; turn++) await limiter.consume('grace', rule)
  for (let index = 0; index < 2000; index++) await limiter.consume(`key ${index}`, rule)
  t.equal(await limiter.consume('ada', rule), 0, 'the fifth')
  t.ok((await limiter.consume('ada', rule)) > 0, 'the sixth')
  t.ok((await limiter.consume('grace', rule)) > 0)
})

t.test('keys that were counted several times are discarded too, those with the fewest points first', async (t) => {
  const counter = new CappedCounter(new RateLimiterMemory(settings), settings.points, maxBytes)
  const refusals = async (key: string): Promise<boolean> =>
    counter.consume(key).then(
      () => false,
      () => true
    )
  for (let turn = 0; turn < 5; turn++) await counter.consume('ada')
  for (let index = 0; index < 2000; index++) for (let turn = 0; turn < 2; turn++) await counter.consume(`key ${index}`)
  t.ok(counter.bytes <= maxBytes)
  t.ok(await refusals('ada'))
})

t.test('a refund and the end of a window free the memory', async (t) => {
  const counter = new CappedCounter(new RateLimiterMemory({ points: 5, duration: 0.02 }), 5, maxBytes)
  for (let index = 0; index < 50; index++) await counter.consume(`key ${index}`)
  const { bytes } = counter
  while (counter.bytes >= bytes) {
    await new Promise((resolve) => setImmediate(resolve))
    await counter.consume('another').catch(() => undefined)
  }
  t.ok(counter.bytes < bytes)
})
