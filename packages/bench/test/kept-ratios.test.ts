import {
  followHistory,
  type KeptFigure,
  type KeptRatios,
  keepRatios,
  type Ratios,
  readKeptRatios,
  readReasons,
  toRatios
} from '@postern/bench/report/kept-ratios'
import t from 'tap'

const old = { commit: 'aaaaaaa', date: '2026-01-01', machine: 'one, 2 cores, Node 24.0.0' }
const now = { commit: 'bbbbbbb', date: '2026-02-02', machine: 'another, 4 cores, Node 24.1.0' }

const figure = (ratio: number, reason?: string): KeptFigure => ({ ratio, ...old, ...(reason ? { reason } : {}) })
const kept = (floor: number, reference: number | null = null): KeptRatios => ({
  A: { floor: figure(floor), reference: reference === null ? null : figure(reference) }
})
const measured = (floor: number, reference: number | null = null): Ratios => ({ A: { floor, reference } })
const reasons = readReasons(
  '# Changelog\n\n- Benchmark A: roles cost 0.2 × floor\n- Benchmark I, SQLite: one more table\n'
)
const none = { reasons: readReasons(''), used: new Set<string>() }

t.test('lower figures are kept, each with its own commit, date and machine', async (t) => {
  t.same(keepRatios(kept(2, 0.5), measured(1.8, 0.6), now, none), {
    kept: { A: { floor: { ratio: 1.8, ...now }, reference: { ratio: 0.5, ...old } } },
    refused: ['A']
  })
  t.same(keepRatios(kept(2), measured(1.8), now, none), {
    kept: { A: { floor: { ratio: 1.8, ...now }, reference: null } },
    refused: []
  })
})

t.test('an equal figure stays as it is', async (t) => {
  t.same(keepRatios(kept(2, 0.5), measured(2, 0.5), now, none), { kept: kept(2, 0.5), refused: [] })
})

t.test('a higher figure is not kept without a line of its job in the CHANGELOG', async (t) => {
  t.same(keepRatios(kept(2), measured(3), now, none), { kept: kept(2), refused: ['A'] })
  const others = { reasons: readReasons('- Benchmark B: roles\n'), used: new Set<string>() }
  t.same(keepRatios(kept(2), measured(3), now, others), { kept: kept(2), refused: ['A'] })
})

t.test('a higher figure is kept with the line', async (t) => {
  t.same(keepRatios(kept(2), measured(3), now, { reasons, used: new Set() }), {
    kept: { A: { floor: { ratio: 3, ...now, reason: 'roles cost 0.2 × floor' }, reference: null } },
    refused: []
  })
})

t.test('a line is used once for each figure', async (t) => {
  const raised = keepRatios(kept(2, 0.5), measured(3, 0.5), now, { reasons, used: new Set() }).kept
  const { used } = followHistory([kept(2, 0.5), raised], reasons)
  t.match(keepRatios(raised, measured(4, 0.6), now, { reasons, used }), {
    kept: { A: { floor: { ratio: 3 }, reference: { ratio: 0.6, reason: /roles/ } } },
    refused: ['A']
  })
  const more = readReasons('- Benchmark A: groups\n- Benchmark A: roles cost 0.2 × floor\n')
  t.match(keepRatios(raised, measured(4), now, { reasons: more, used }), {
    kept: { A: { floor: { ratio: 4, reason: 'groups' } } },
    refused: []
  })
})

t.test('a new job is kept, and a job that was not measured stays', async (t) => {
  const result = keepRatios(kept(2), { B: { floor: 5, reference: null } }, now, none)
  t.same(result, { kept: { ...kept(2), B: { floor: { ratio: 5, ...now }, reference: null } }, refused: [] })
})

t.test('the history has no figure that rose without a line of its own', async (t) => {
  const raised = { A: { floor: figure(3, 'roles cost 0.2 × floor'), reference: null } }
  t.same(followHistory([kept(2), kept(1.5), raised], reasons).unexplained, [])
  t.match(followHistory([kept(2), kept(3)], reasons).unexplained, [/A: × floor rose from 2 to 3/], 'no reason')
  t.match(followHistory([kept(2), raised], readReasons('')).unexplained, [/A/], 'a reason without a line')
  t.match(followHistory([kept(2, 0.5), kept(2, 0.6)], reasons).unexplained, [/A: × reference rose/])
})

t.test('a line does not explain a second rise, nor does leaving a job out', async (t) => {
  const raise = (ratio: number) => ({ A: { floor: figure(ratio, 'roles cost 0.2 × floor'), reference: null } })
  t.match(followHistory([kept(2), raise(3), raise(4)], reasons).unexplained, [/from 3 to 4/])
  t.match(followHistory([kept(2), raise(3), kept(1), raise(4)], reasons).unexplained, [/from 1 to 4/])
  const B = { floor: figure(1), reference: null }
  t.match(followHistory([{ ...kept(2), B }, { B }, { ...kept(3), B }], reasons).unexplained, [/from 2 to 3/])
})

t.test('lines name the job, and say something', async (t) => {
  t.same(
    [...reasons],
    [
      ['A', ['roles cost 0.2 × floor']],
      ['I, SQLite', ['one more table']]
    ]
  )
  t.equal(readReasons('- Benchmark A:\n- Benchmark A:   \nBenchmark A: roles\n').size, 0)
})

t.test('the file names commit, date and machine of each figure', async (t) => {
  const jobs = kept(2, 0.5)
  t.same(readKeptRatios(JSON.parse(JSON.stringify({ jobs }))), jobs)
  t.same(toRatios(jobs), measured(2, 0.5))
  const { A } = jobs
  for (const missing of ['ratio', 'commit', 'date', 'machine'])
    t.throws(() => readKeptRatios({ jobs: { A: { ...A, floor: { ...A?.floor, [missing]: undefined } } } }), TypeError)
  for (const wrong of [
    null,
    {},
    { jobs: {} },
    { jobs: { A: { floor: A?.floor } } },
    { jobs: { A: { ...A, floor: 2 } } }
  ])
    t.throws(() => readKeptRatios(wrong), TypeError)
})
