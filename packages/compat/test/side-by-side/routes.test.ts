import { turnsOf } from '@postern/testkit/long'
import t from 'tap'
import { diff, isExpectedDifference } from './diff.ts'
import { routeDifferences } from './differences.ts'
import { startPair } from './pair.ts'
import { seen, steps } from './routes.ts'

/** In `npm test` a step has one strategy, the next one the other; in the long run each has both. */
const turns = turnsOf(['jwt', 'database'] as const, t)

const found = new Set<string>()

for (const { value: strategy, test } of turns()) {
  for (const { title, overrides, act } of steps) {
    test(`${strategy}: ${title}`, async (t) => {
      const [nextAuth, postern] = await startPair(t, { strategy, ...overrides })
      const results = [
        seen(await act(nextAuth.browser(), nextAuth)),
        seen(await act(postern.browser(), postern))
      ] as const
      const differences = diff(...results, title)
      for (const { reason } of routeDifferences.filter((expectedDifference) =>
        differences.some((one) => isExpectedDifference(one, expectedDifference))
      ))
        found.add(reason)
      const others = differences.filter(
        (one) => !routeDifferences.some((expectedDifference) => isExpectedDifference(one, expectedDifference))
      )
      t.same(others, [], 'the same, except for the expected differences')
    })
  }
}

t.test('every difference that is meant is one', async (t) => {
  t.same(
    routeDifferences.map(({ reason }) => reason).filter((reason) => !found.has(reason)),
    []
  )
})
