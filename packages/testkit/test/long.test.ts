import { covering } from '@postern/testkit/long'
import t from 'tap'

/** Loads the module as with this environment variable. */
async function load(factor: '' | '0.1' | '1'): Promise<typeof import('@postern/testkit/long')> {
  const before = process.env['POSTERN_LONG']
  process.env['POSTERN_LONG'] = factor
  try {
    return await import(`${import.meta.resolve('@postern/testkit/long')}?factor=${factor}`)
  } finally {
    if (before === undefined) delete process.env['POSTERN_LONG']
    else process.env['POSTERN_LONG'] = before
  }
}

const inTest = await load('')
const shorter = await load('0.1')
const complete = await load('1')

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

t.test('rounds are few in npm test, and a part of the many in a shorter long run', async (t) => {
  t.same([inTest.times(2, 50), shorter.times(2, 50), complete.times(2, 50)], [2, 5, 50])
  t.same([inTest.isLong, shorter.isLong, complete.isLong], [false, true, true])
})

t.test('a shorter long run has another selection of combinations than npm test', async (t) => {
  const pairs = getPairs(possible)
  t.same(inTest.some(possible, factors), covering(possible, factors, 2))
  const others = shorter.some(possible, factors)
  t.same(getPairs([...others]), pairs)
  t.ok(others.length < possible.length, `${others.length} of ${possible.length}`)
  t.notSame(others, inTest.some(possible, factors))
  t.same(
    others,
    possible.filter((one) => others.includes(one)),
    'in their order'
  )
  t.same(complete.some(possible, factors), possible)
})

t.test('values in turn are one of them at each call, and all in the complete long run', async (t) => {
  for (const [{ inTurn }, expected] of [
    [inTest, [['jwt'], ['database'], ['jwt']]],
    [shorter, [['database'], ['jwt'], ['database']]],
    [
      complete,
      [
        ['jwt', 'database'],
        ['jwt', 'database'],
        ['jwt', 'database']
      ]
    ]
  ] as const) {
    const next = inTurn(['jwt', 'database'])
    t.same([next(), next(), next()], expected)
  }
})

t.test(
  'tests of a loop have one value each, in another order in the next loop, and all in the complete long run',
  async (t) => {
    const declareWith = ({ turnsOf }: typeof inTest): string[] => {
      const declared: string[] = []
      const turns = turnsOf(['jwt', 'database'], { test: (name: string) => void declared.push(name) })
      for (const store of ['memory', 'sqlite'])
        for (const { value, test } of turns()) for (const rule of ['a', 'b', 'c']) test(`${store} ${value} ${rule}`)
      return declared
    }
    const all = ['memory', 'sqlite'].flatMap((store) =>
      ['jwt', 'database'].flatMap((strategy) => ['a', 'b', 'c'].map((rule) => `${store} ${strategy} ${rule}`))
    )
    const selected = [
      'memory jwt a',
      'memory jwt c',
      'memory database b',
      'sqlite jwt b',
      'sqlite database a',
      'sqlite database c'
    ]
    t.same(declareWith(inTest), selected)
    t.same(
      declareWith(shorter),
      all.filter((test) => !selected.includes(test))
    )
    t.same(declareWith(complete), all)
  }
)

t.test(
  'calls that are interrupted are one in so many, other ones in the next walk, and all in the complete long run',
  async (t) => {
    const walk = ({ callNumbers }: typeof inTest, stride?: number): number[] => {
      const numbers = callNumbers(stride)
      return Array.from({ length: 4 }, () => numbers.next().value)
    }
    t.same(walk(inTest), [0, 1, 17, 33])
    t.same(walk(inTest), [0, 2, 18, 34])
    t.same(walk(inTest, 3), [0, 3, 6, 9])
    t.same(walk(shorter), [0, 1, 7, 13])
    t.same(walk(complete, 3), [0, 1, 2, 3])
  }
)
