import { type Comparison, compare, comparisonTable, type Ratios, readRatios } from '@postern/bench/commands/check'
import { readKept } from '@postern/bench/report/keep'
import t from 'tap'

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
  const { asked, measure } = measurements([{ A: 2.4, B: 3 }])
  t.match(await compare({ A: 2, B: 4 }, measure), [
    { id: 'A', kept: 2, measured: 2.4, tries: 1, isSlower: false },
    { id: 'B', kept: 4, measured: 3, tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B']])
})

t.test('a job above it is measured again, and its best measurement counts', async (t) => {
  const { asked, measure } = measurements([{ A: 3, B: 4 }, { A: 2.6 }, { A: 2.2 }])
  t.match(await compare({ A: 2, B: 4 }, measure), [
    { id: 'A', measured: 2.2, tries: 3, isSlower: false },
    { id: 'B', measured: 4, tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B'], ['A'], ['A']])
})

t.test('a job that stays above it is slower, and the table says by how much', async (t) => {
  const { asked, measure } = measurements([{ A: 2.6 }, { A: 2.5 }, { A: 2.7 }])
  const [comparison] = await compare({ A: 2 }, measure)
  t.match(comparison, { id: 'A', measured: 2.5, isSlower: true })
  t.equal(asked.length, comparison?.tries)
  t.match(comparisonTable([comparison as Comparison]), /A\s+2\.00×\s+2\.50×\s+1\.25\s+\d\s+SLOWER/)
})

t.test('a job without a measurement is no success', async (t) => {
  await t.rejects(
    compare({ A: 2 }, async () => ({})),
    TypeError
  )
})

t.test('the kept figures are of every job', async (t) => {
  const ratios = readRatios(readKept('check'))
  t.match(Object.keys(ratios), ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H1', 'H2', 'I', 'I, SQLite'])
  const { A: _, ...others } = ratios
  for (const wrong of [
    null,
    {},
    { ratios: others },
    { ratios: { ...ratios, A: '2' } },
    { ratios: { ...ratios, Z: 1 } }
  ])
    t.throws(() => readRatios(wrong), TypeError)
})
