import { mock } from 'node:test'
import t from 'tap'
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

t.test('what does not count any more can be forgotten at once', async (t) => {
  const memo = new LruCache(1000)
  memo.set('token', 'claims')
  memo.delete('token')
  memo.delete('another')
  t.equal(memo.get('token'), null)
  t.equal(memo.size, 0)
})
