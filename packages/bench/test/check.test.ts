import {
  type Comparison,
  compare,
  comparisonTable,
  isKeptHere,
  type Ratio,
  type Ratios,
  readRatios
} from '@postern/bench/commands/check'
import { readKept } from '@postern/bench/report/keep'
import { surroundings } from '@postern/bench/report/results'
import t from 'tap'

const ratio = (floor: number, nextAuth: number | null = null): Ratio => ({ floor, nextAuth })

/** Measurements one after the other, and which jobs each of them was about. */
function measurements(series: readonly Ratios[]) {
  const asked: (readonly string[])[] = []
  const measure = async (ids: readonly string[]): Promise<Ratios> => {
    asked.push(ids)
    return series[asked.length - 1] ?? series.at(-1) ?? {}
  }
  return { asked, measure }
}

t.test('a job within 1.2 times its kept ratio is measured once', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(2.4), B: ratio(3) }])
  t.match((await compare({ A: ratio(2), B: ratio(4) }, measure)).comparisons, [
    { id: 'A', kept: ratio(2), measured: ratio(2.4), tries: 1, isSlower: false },
    { id: 'B', kept: ratio(4), measured: ratio(3), tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B']])
})

t.test('a job above it is measured again, and its best measurement counts', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(3), B: ratio(4) }, { A: ratio(2.6) }, { A: ratio(2.2) }])
  t.match((await compare({ A: ratio(2), B: ratio(4) }, measure)).comparisons, [
    { id: 'A', measured: ratio(2.2), tries: 3, isSlower: false },
    { id: 'B', measured: ratio(4), tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B'], ['A'], ['A']])
})

t.test('a job that stays above it is slower, and the table says by how much', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(2.6) }, { A: ratio(2.5) }, { A: ratio(2.7) }])
  const [comparison] = (await compare({ A: ratio(2) }, measure)).comparisons
  t.match(comparison, { id: 'A', measured: ratio(2.5), isSlower: true })
  t.equal(asked.length, comparison?.tries)
  t.match(comparisonTable([comparison as Comparison]), /A\s+2\.00×\s+2\.50×\s+1\.25\s+\d\s+SLOWER/)
})

t.test('on another machine, one of the two ratios may be higher', async (t) => {
  const kept = { A: ratio(2, 0.5) }
  for (const [measured, isSlower] of [
    [ratio(3, 0.5), false],
    [ratio(2, 0.9), false],
    [ratio(3, 0.9), true]
  ] as const)
    t.match((await compare(kept, async () => ({ A: measured }))).comparisons, [{ id: 'A', measured, isSlower }])
})

t.test('on a machine of another name or speed, more is allowed', async (t) => {
  const at = (floorCpu: number): Ratio => ({ ...ratio(2.8), floorCpu })
  const kept = { A: { ...ratio(2), floorCpu: 100 } }
  for (const [floorCpu, isSameMachine, max] of [
    [100, true, 1.2],
    [114, true, 1.2],
    [88, true, 1.2],
    [120, true, 1.5],
    [80, true, 1.5],
    [100, false, 1.5]
  ] as const) {
    const result = await compare(kept, async () => ({ A: at(floorCpu) }), isSameMachine)
    t.match(result, { max, comparisons: [{ isSlower: max === 1.2 }] }, `${floorCpu} ${isSameMachine}`)
  }
})

t.test('figures of another machine are recognized', (t) => {
  const { machine } = surroundings()
  t.ok(isKeptHere({ machine: { ...machine, load: 9 } }))
  for (const other of [{ ...machine, cpu: 'another' }, { ...machine, node: 'v1.0.0' }, null])
    t.notOk(isKeptHere({ machine: other }))
  t.notOk(isKeptHere(null))
  t.end()
})

t.test('a job without a measurement is no success', async (t) => {
  await t.rejects(
    compare({ A: ratio(2) }, async () => ({})),
    TypeError
  )
})

t.test('the kept figures are of every job', async (t) => {
  const ratios = readRatios(readKept('check'))
  t.match(Object.keys(ratios), ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H1', 'H2', 'L', 'M1', 'I', 'I, SQLite'])
  const { A: _, ...others } = ratios
  for (const wrong of [
    null,
    {},
    { ratios: others },
    { ratios: { ...ratios, A: 2 } },
    { ratios: { ...ratios, A: { floor: '2', nextAuth: null } } },
    { ratios: { ...ratios, Z: ratio(1) } }
  ])
    t.throws(() => readRatios(wrong), TypeError)
})
