import t from 'tap'
import { diff, isMeant } from './diff.ts'
import { routeDifferences } from './differences.ts'
import { startPair } from './pair.ts'
import { seen, steps } from './routes.ts'

const found = new Set<string>()

for (const strategy of ['jwt', 'database'] as const) {
  for (const { what, wishes, act } of steps) {
    t.test(`${strategy}: ${what}`, async (t) => {
      const [theirs, ours] = await startPair(t, { strategy, ...wishes })
      const answers = [seen(await act(theirs.browser(), theirs)), seen(await act(ours.browser(), ours))] as const
      const differences = diff(...answers, what)
      for (const { reason } of routeDifferences.filter((meant) => differences.some((one) => isMeant(one, meant))))
        found.add(reason)
      const others = differences.filter((one) => !routeDifferences.some((meant) => isMeant(one, meant)))
      t.same(others, [], 'the same, but for what is meant')
    })
  }
}

t.test('every difference that is meant is one', async (t) => {
  t.same(
    routeDifferences.map(({ reason }) => reason).filter((reason) => !found.has(reason)),
    []
  )
})
