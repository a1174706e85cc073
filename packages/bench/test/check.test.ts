import { compare, comparisonTable, readChecked } from '@postern/bench/commands/check'
import { combine } from '@postern/bench/commands/keep'
import { checkedIds, toRatio, toStartRatios } from '@postern/bench/commands/ratios'
import { readKept } from '@postern/bench/report/keep'
import { readHistory } from '@postern/bench/report/kept-history'
import type { Ratio, Ratios } from '@postern/bench/report/kept-ratios'
import t from 'tap'

const ratio = (floor: number, reference: number | null = null): Ratio => ({ floor, reference })

/** Measurements one after the other, and which jobs each of them was about. */
function measurements(series: readonly Ratios[]) {
  const asked: (readonly string[])[] = []
  const measure = async (ids: readonly string[]): Promise<Ratios> => {
    asked.push(ids)
    return series[asked.length - 1] ?? series.at(-1) ?? {}
  }
  return { asked, measure }
}

t.test('a job within 1.15 times its kept ratio is measured once', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(2.29), B: ratio(3) }])
  t.match(await compare({ A: ratio(2), B: ratio(4) }, measure), [
    { id: 'A', kept: ratio(2), measured: ratio(2.29), tries: 1, isSlower: false },
    { id: 'B', kept: ratio(4), measured: ratio(3), tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B']])
})

t.test('a job above it is measured up to three times, and passes if one measurement is within it', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(3), B: ratio(4) }, { A: ratio(2.6) }, { A: ratio(2.2) }])
  t.match(await compare({ A: ratio(2), B: ratio(4) }, measure), [
    { id: 'A', measured: ratio(2.2), tries: 3, isSlower: false },
    { id: 'B', measured: ratio(4), tries: 1, isSlower: false }
  ])
  t.same(asked, [['A', 'B'], ['A'], ['A']])
})

t.test('a job that is above it in all three is slower, and the table says by how much', async (t) => {
  const { asked, measure } = measurements([{ A: ratio(2.6) }, { A: ratio(2.4) }, { A: ratio(2.7) }, { A: ratio(2) }])
  const comparisons = await compare({ A: ratio(2) }, measure)
  t.match(comparisons, [{ id: 'A', measured: ratio(2.4), tries: 3, isSlower: true }])
  t.equal(asked.length, 3)
  t.match(comparisonTable(comparisons), /A\s+2\.00×\s+2\.40×\s+1\.20\s+3\s+SLOWER/)
})

t.test('a job is slower if both ratios are higher: another machine usually raises one', async (t) => {
  const kept = { A: ratio(2, 0.5) }
  for (const [measured, isSlower] of [
    [ratio(3, 0.5), false],
    [ratio(2, 0.9), false],
    [ratio(2.4, 0.6), true]
  ] as const)
    t.match(await compare(kept, async () => ({ A: measured })), [{ id: 'A', measured, isSlower }])
})

t.test('the best round of each server counts', async (t) => {
  const figure = (subject: string, low: number) => ({
    ...{ subject, cpu: { low, median: low * 3, high: low * 9 }, ratio: { low: 1, median: 1, high: 1 } },
    ...{ timesByHand: null, rate: 1, p50: 1, p99: 1 }
  })
  const figures = [figure('fastify', 10), figure('postern', 25), figure('next-auth', 100)]
  t.same(toRatio({ id: 'A', figures }), ratio(2.5, 0.25))
  const start = (subject: string, low: number) => ({
    ...{
      subject,
      target: null,
      rss: 1,
      wall: { low: 1, median: 1, high: 1 },
      wallRatio: { low: 1, median: 1, high: 1 }
    },
    ...{ cpu: { low, median: low * 3, high: low * 9 }, cpuRatio: { low: 1, median: 1, high: 1 } }
  })
  const starts = [start('fastify', 100), start('postern', 130), start('postern with SQLite', 160)]
  t.same(Object.fromEntries(toStartRatios(starts)), { I: ratio(1.3), 'I, SQLite': ratio(1.6) })
})

t.test('a job without a measurement is no success', async (t) => {
  await t.rejects(
    compare({ A: ratio(2, 0.5) }, async () => ({ A: ratio(2, Number.NaN) })),
    TypeError
  )
  await t.rejects(
    compare({ A: ratio(2) }, async () => ({})),
    TypeError
  )
})

t.test('the figures to keep are the medians of a series', async (t) => {
  const series = [{ A: ratio(1.23456, 0.1) }, { A: ratio(9, 0.3) }, { A: ratio(1, 0.2) }]
  t.same(combine(series), { A: ratio(1.23, 0.2) })
  t.same(combine([{ A: ratio(1) }]), { A: ratio(1) })
})

t.test('the kept figures are of every job', async (t) => {
  const file = readKept('check')
  t.same(Object.keys(readChecked(file)).sort(), [...checkedIds].sort())
  const { jobs } = file as { readonly jobs: Record<string, unknown> }
  const { A, ...others } = jobs
  for (const wrong of [null, {}, { jobs: others }, { jobs: { ...jobs, Z: A } }])
    t.throws(() => readChecked(wrong), TypeError)
})

t.test('no kept figure of this repository rose without a line in the CHANGELOG', async (t) => {
  t.same(readHistory().unexplained, [])
})
