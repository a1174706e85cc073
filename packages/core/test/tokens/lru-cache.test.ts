import { mock } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { parseCookies } from '../../src/cookies/parse.ts'
import { LruCache } from '../../src/tokens/lru-cache.ts'

/** Lets minutes pass one by one: a timer that another one sets counts from then on. */
function pass(minutes: number): void {
  for (let minute = 0; minute < minutes; minute++) mock.timers.tick(60_000)
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

t.test('unused entries are evicted after ten to twenty minutes, also without other calls', async (t) => {
  const memo = new LruCache(1000)
  memo.set('token', 'claims')
  pass(10)
  t.equal(memo.size, 11)
  pass(10)
  t.equal(memo.size, 0)
  t.equal(memo.get('token'), null)
})

t.test('used entries stay', async (t) => {
  const memo = new LruCache(1000)
  memo.set('used', 'claims')
  memo.set('left', 'claims')
  for (let times = 0; times < 10; times++) {
    pass(9)
    t.equal(memo.get('used'), 'claims')
  }
  t.equal(memo.size, 'usedclaims'.length)
  pass(20)
  t.equal(memo.size, 0)
})

t.test('what comes after all was forgotten is forgotten in its turn', async (t) => {
  const memo = new LruCache(1000, 600_000)
  for (let times = 0; times < 3; times++) {
    memo.set('token', 'claims')
    pass(15)
    t.equal(memo.get('token'), 'claims')
    pass(30)
    t.equal(memo.size, 0)
  }
})

t.test('the characters have a limit: what was used last stays', async (t) => {
  const memo = new LruCache(100)
  memo.set('used', 'claims')
  for (let index = 0; index < 200; index++) {
    memo.set(`token ${index}`, 'claims')
    t.ok(memo.size <= 100, String(memo.size))
    t.equal(memo.get(`token ${index}`), 'claims')
    t.equal(memo.get('used'), 'claims')
  }
  t.equal(memo.get('token 0'), null)
  memo.set('long', 'x'.repeat(1000))
  t.equal(memo.get('long'), null)
  t.equal(memo.get('used'), 'claims')
})

t.test('what does not count any more can be forgotten at once', async (t) => {
  const memo = new LruCache(1000)
  memo.set('token', 'claims')
  memo.delete('token')
  memo.delete('another')
  t.equal(memo.get('token'), null)
  t.equal(memo.size, 0)
})

t.test('what was cut from a large header does not keep the header in memory', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const measure = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const memo = new LruCache(1_000_000)
  const junk = 'x'.repeat(15_000)
  /** A cookie that was cut from a header of its own. */
  const read = (index: number): string => {
    const header = `csrf=${'0'.repeat(60)}${10_000 + index}|${'1'.repeat(64)}; other=${junk}${index}`
    return parseCookies(header).get('csrf') ?? ''
  }
  const before = measure()
  for (let index = 0; index < 2000; index++) {
    const cookie = read(index)
    memo.set(cookie, cookie.slice(0, 65))
  }
  t.ok(measure() - before < 5_000_000, 'not 2,000 headers of 15 kB')
  t.equal(memo.size, 2000 * (130 + 65))
  pass(10)
  const found = Array.from({ length: 2000 }, (_, index) => memo.get(read(index))).filter((text) => text?.length === 65)
  t.equal(found.length, 2000)
  t.ok(measure() - before < 5_000_000, 'nor the headers that have found them')
  t.equal(memo.size, 2000 * (130 + 65))
})
