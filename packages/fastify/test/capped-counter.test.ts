import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { CappedCounter } from '../src/capped-counter.ts'
import { memoryLimiter } from '../src/limiter.ts'

const settings = { points: 5, duration: 900 }
const maxBytes = 50_000

t.test('limit-3: a flood of keys takes no more memory than allowed', async (t) => {
  const counter = new CappedCounter(settings, maxBytes)
  for (let index = 0; index < 2000; index++) {
    counter.consume(`key ${index}`)
    if (counter.bytes > maxBytes) t.fail(`${counter.bytes} bytes after ${index} keys`)
  }
  t.ok(counter.bytes > maxBytes / 2)
})

t.test('limit-3: a name that was cut from a large form does not keep the form in memory', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const limiter = memoryLimiter()
  const measure = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = measure()
  for (let index = 0; index < 500; index++) {
    const form = new URLSearchParams(`username=somebody-${1000 + index}&junk=${'x'.repeat(90_000)}`)
    await limiter.consume(`credentials ${form.get('username')}`, { points: 5, seconds: 900 })
  }
  t.ok(measure() - before < 5_000_000, 'not 500 forms of 90 kB')
  t.equal(await limiter.consume('credentials somebody-1000', { points: 1, seconds: 900 }), 0, 'another rule')
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
  const counter = new CappedCounter(settings, maxBytes)
  for (let turn = 0; turn < 5; turn++) counter.consume('ada')
  for (let index = 0; index < 2000; index++) for (let turn = 0; turn < 2; turn++) counter.consume(`key ${index}`)
  t.ok(counter.bytes <= maxBytes)
  t.ok(counter.consume('ada') > 0, 'is refused')
})

t.test('a refund and the end of a window free the memory', async (t) => {
  const counter = new CappedCounter({ points: 5, duration: 0.02 }, maxBytes)
  for (let index = 0; index < 50; index++) counter.consume(`key ${index}`)
  const { bytes } = counter
  while (counter.bytes >= bytes) {
    await new Promise((resolve) => setImmediate(resolve))
    counter.consume('another')
  }
  t.ok(counter.bytes < bytes)
})

t.test('a window ends after its duration, and a refund takes back one point of it', async (t) => {
  const limiter = memoryLimiter(maxBytes)
  const rule = { points: 2, seconds: 0.05 }
  const isAllowed = async (): Promise<boolean> => (await limiter.consume('ada', rule)) === 0
  t.same([await isAllowed(), await isAllowed(), await isAllowed()], [true, true, false])
  for (let turn = 0; turn < 2; turn++) await limiter.refund('ada', rule)
  t.same([await isAllowed(), await isAllowed()], [true, false])
  const begun = Date.now()
  while (!(await isAllowed()) && Date.now() - begun < 10_000) await new Promise((resolve) => setImmediate(resolve))
  t.ok(Date.now() - begun < 10_000)
  for (let turn = 0; turn < 5; turn++) await limiter.refund('grace', rule)
  t.equal(await limiter.consume('grace', { points: 1, seconds: 900 }), 0, 'nothing to take back')
})
