import { comparePairs } from '@postern/bench/commands/pairs'
import t from 'tap'

t.test('pairs are compared one by one', async (t) => {
  t.same(comparePairs([1, 5, 3, 4], [2, 3, 9, 4]), { pairs: 4, less: 2, difference: { median: 0.5, low: -2, high: 6 } })
})

t.test('pairs have two sides, and there is one at least', async (t) => {
  t.throws(() => comparePairs([1], []), RangeError)
  t.throws(() => comparePairs([], []), RangeError)
})
