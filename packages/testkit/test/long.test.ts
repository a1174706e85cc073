import { covering, inTurn, isLong, turnsOf } from '@postern/testkit/long'
import t from 'tap'

const cases = ['jwt', 'database'].flatMap((strategy) =>
  ['signIn', 'remember', 'jwt'].flatMap((place) =>
    ['memory', 'sqlite', 'bare'].map((store) => ({ strategy, place, store }))
  )
)
const possible = cases.filter(({ strategy, place }) => strategy === 'jwt' || place !== 'jwt')
const factors = ({ strategy, place, store }: (typeof cases)[number]) => [strategy, place, store]

const getPairs = (some: typeof cases) =>
  new Set(
    some.flatMap(({ strategy, place, store }) => [`${strategy} ${place}`, `${strategy} ${store}`, `${place} ${store}`])
  )

t.test('in a pairwise selection every pair meets that meets at all, in fewer cases', async (t) => {
  const selected = covering(possible, factors, 2)
  t.same(getPairs([...selected]), getPairs(possible))
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

t.test('values in turn are one of them at each call, and all in the long run', async (t) => {
  const next = inTurn(['jwt', 'database'])
  const expected = isLong ? [2, 2, 2] : [1, 1, 1]
  const taken = [next(), next(), next()]
  t.same(
    taken.map(({ length }) => length),
    expected
  )
  t.same(new Set(taken.flat()), new Set(['jwt', 'database']))
  t.same(taken[0], taken[2])
})

t.test('tests of a loop have one value each, in another order in the next loop, and all in the long run', async (t) => {
  const declared: string[] = []
  const turns = turnsOf(['jwt', 'database'], { test: (name: string) => void declared.push(name) })
  for (const store of ['memory', 'sqlite'])
    for (const { value, test } of turns()) for (const rule of ['a', 'b', 'c']) test(`${store} ${value} ${rule}`)
  const all = ['memory', 'sqlite'].flatMap((store) =>
    ['jwt', 'database'].flatMap((strategy) => ['a', 'b', 'c'].map((rule) => `${store} ${strategy} ${rule}`))
  )
  const some = [
    'memory jwt a',
    'memory jwt c',
    'memory database b',
    'sqlite jwt b',
    'sqlite database a',
    'sqlite database c'
  ]
  t.same(declared, isLong ? all : some)
})
