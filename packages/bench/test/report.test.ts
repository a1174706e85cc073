import { selfTimes } from '@postern/bench/commands/profile'
import { barChart } from '@postern/bench/report/bars'
import { chart } from '@postern/bench/report/chart'
import { versions } from '@postern/bench/report/results'
import { scaleTable } from '@postern/bench/report/scale'
import { scenarioTable, times, verdict } from '@postern/bench/report/table'
import { parse } from 'node-html-parser'
import t from 'tap'

const same = (median: number) => ({ median, low: median, high: median })
const figure = (subject: string, ratio: number) => ({
  subject,
  cpu: same(ratio * 10),
  ratio: same(ratio),
  timesByHand: null as ReturnType<typeof same> | null,
  rate: 1000,
  p50: 1,
  p99: 2
})
const scenario = {
  id: 'A',
  title: 'session route',
  target: 2,
  targetByHand: null as number | null,
  absent: { 'better-auth': 'has no such route' },
  figures: [figure('fastify', 1), figure('postern', 1.5), figure('next-auth', 20)]
}

t.test('the table reveals whether the limit is kept, by Postern only', async (t) => {
  const table = scenarioTable(scenario)
  t.match(table, /Postern\s+15\.0\s+1\.50×.*≤ 2× reached/)
  t.match(table, /next-auth\s+200\s+20\.0×(?!.*≤)/)
  t.match(scenarioTable({ ...scenario, target: 1.4 }), /Postern.*MISSED/)
  t.match(table, /better-auth: has no such route/, 'who is missing, and why')
  t.equal(verdict(1, null), '')
  t.equal(times(9.99), '9.99×')
})

t.test('the table shows the distance to the work by hand, with its limit', async (t) => {
  const byHand = { ...figure('by-hand', 1.2), timesByHand: same(1) }
  const postern = { ...figure('postern', 2.4), timesByHand: same(2) }
  const table = scenarioTable({ ...scenario, targetByHand: 1.5, figures: [byHand, postern] })
  t.match(table, /× by hand/)
  t.match(table, /by hand\s+12\.0\s.*1\.00×(?!.*≤)/)
  t.match(table, /Postern\s+24\.0\s.*2\.00×.*≤ 2× MISSED; by hand ≤ 1\.5× MISSED/)
  t.notMatch(scenarioTable(scenario), /by hand/)
})

t.test('the table of sizes reveals whether the limit is kept, by what is more than the fewest', async (t) => {
  const size = (users: number, ratio: number) => ({ users, cpu: same(ratio * 10), backends: null, ratio: same(ratio) })
  const table = scaleTable({ title: 'a sign-in', target: 1.3, figures: [size(10, 1), size(100, 1.2), size(1000, 1.4)] })
  t.match(table, /10 +10\.0 +– +1\.00×(?!.*≤)/)
  t.match(table, /100 +12\.0 +– +1\.20×.*≤ 1\.3× reached/)
  t.match(table, /1000 +14\.0 +– +1\.40×.*MISSED/)
})

t.test('the chart is an image with a bar for each library, in light and in dark', async (t) => {
  const machine = { cpu: '', cores: 2, node: 'v24.0.0', load: 0 }
  const text = chart({ scenarios: [scenario], versions: versions(), machine })
  const svg = parse(text)
  t.match(text, /prefers-color-scheme: dark/)
  t.notMatch(text, /NaN|undefined|Infinity|missing/)
  const getWidth = (name: string): number =>
    Math.max(...svg.querySelectorAll(`rect.${name}`).map((bar) => Number(bar.getAttribute('width'))))
  t.ok(getWidth('postern') < getWidth('next-auth'), 'what costs more has the longer bar')
  t.ok(svg.querySelector('line.target'))
  t.match(svg.textContent, /session route/)
})

t.test('the bars of the README are drawn to a linear scale, and say in words how long they are', async (t) => {
  const figures = [figure('postern', 1.25), figure('next-auth', 20), figure('better-auth', 25)]
  const text = barChart({ scenarios: [{ ...scenario, id: 'D', figures }] })
  const svg = parse(text)
  const lengths = svg.querySelectorAll('rect[rx="3"]').map((bar) => Number(bar.getAttribute('width')))
  t.same(
    lengths.map((length) => length / (lengths[0] ?? 0)),
    [1, 16, 20]
  )
  t.match(svg.textContent, /1\.3 times the CPU time of the bare route.*20 times.*25 times/s)
  t.match(text, /prefers-color-scheme: dark/)
  t.throws(() => barChart({ scenarios: [scenario] }), /figure of postern in job D/)
})

t.test('the versions are those that are installed', async (t) => {
  for (const [name, version] of Object.entries(versions())) t.match(version, /^\d+\.\d+\.\d+/, name)
})

t.test('self times are summed by name, the most first, and idle time is none', async (t) => {
  const frame = (functionName: string) => ({ functionName, url: 'file:///a.js', lineNumber: 0 })
  const nodes = [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('slow') },
    { id: 3, callFrame: frame('fast') },
    { id: 4, callFrame: frame('slow') }
  ]
  const profile = { nodes, samples: [1, 2, 3, 4], timeDeltas: [1000, 5, 3, 7] }
  t.same(
    selfTimes(profile, ({ callFrame }) => callFrame.functionName),
    [
      ['slow', 12],
      ['fast', 3]
    ]
  )
})
