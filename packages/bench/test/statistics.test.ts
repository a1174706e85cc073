import { median, quantile, ratios, summarize } from '@postern/bench/statistics'
import t from 'tap'

t.test('the median is the middle figure, or half-way between the two in the middle', async (t) => {
  t.equal(median([9, 1, 5]), 5)
  t.equal(median([4, 1, 3, 2]), 2.5)
  t.equal(median([7]), 7)
})

t.test('one spoilt slice does not move the median', async (t) => {
  t.equal(median([10, 11, 10, 11, 4000]), 11)
})

t.test('a quantile lies between figures where it falls between them', async (t) => {
  const figures = [10, 20, 30, 40, 50]
  t.equal(quantile(figures, 0), 10)
  t.equal(quantile(figures, 1), 50)
  t.equal(quantile(figures, 0.25), 20)
  t.equal(quantile(figures, 0.125), 15)
  t.same(figures, [10, 20, 30, 40, 50], 'the series is left as it was')
})

t.test('numbers are sorted as numbers', async (t) => {
  t.equal(median([9, 10, 11]), 10)
})

t.test('the summary tells the spread', async (t) => {
  t.same(summarize([3, 1, 2]), { median: 2, low: 1, high: 3 })
})

t.test('ratios are taken round by round: a machine that was busy for one round changes nothing', async (t) => {
  t.same(ratios([20, 200, 22], [10, 100, 11]), [2, 2, 2])
})

t.test('an unknown value is an error', async (t) => {
  t.throws(() => quantile([], 0.5), { name: 'RangeError' })
  t.throws(() => quantile([1], 2), { name: 'RangeError' })
  t.throws(() => quantile([1], Number.NaN), { name: 'RangeError' })
  t.throws(() => ratios([1, 2], [1]), { name: 'RangeError' })
})
