import t from 'tap'
import { diff, isExpectedDifference } from './diff.ts'
import { routeDifferences } from './differences.ts'
import { startPair } from './pair.ts'
import { seen, steps } from './routes.ts'

const found = new Set<string>()

for (const strategy of ['jwt', 'database'] as const) {
  for (const { title, overrides, act } of steps) {
    t.test(`${strategy}: ${title}`, async (t) => {
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
