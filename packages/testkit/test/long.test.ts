import { covering } from '@postern/testkit/long'
import t from 'tap'

const cases = ['jwt', 'database'].flatMap((strategy) =>
  ['signIn', 'remember', 'jwt'].flatMap((place) =>
    ['memory', 'sqlite', 'bare'].map((store) => ({ strategy, place, store }))
  )
)
const possible = cases.filter(({ strategy, place }) => strategy === 'jwt' || place !== 'jwt')
const factors = ({ strategy, place, store }: (typeof cases)[number]) => [strategy, place, store]

const pairsOf = (some: typeof cases) =>
  new Set(
    some.flatMap(({ strategy, place, store }) => [`${strategy} ${place}`, `${strategy} ${store}`, `${place} ${store}`])
  )

t.test('in a pairwise selection every pair meets that meets at all, in fewer cases', async (t) => {
  const selected = covering(possible, factors, 2)
  t.same(pairsOf([...selected]), pairsOf(possible))
  t.ok(selected.length >= 9 && selected.length < possible.length, `${selected.length} of ${possible.length}`)
})

t.test('in a selection of single values each value occurs', async (t) => {
  const selected = covering(cases, factors, 1)
  for (const [index, values] of [
    ['jwt', 'database'],
    ['signIn', 'remember', 'jwt'],
    ['memory', 'sqlite', 'bare']
  ].entries())
    t.same(new Set(selected.map((one) => factors(one)[index])), new Set(values))
  t.equal(selected.length, 3)
})

t.test('pairs of two factors are all cases, and no cases are none', async (t) => {
  t.same(covering(cases, ({ strategy, place }) => [strategy, place], 2).length, 6)
  t.same(
    covering([], () => [], 2),
    []
  )
})
