import { keep, readKept } from '../report/keep.ts'
import { readChangelog, readHistory } from '../report/kept-history.ts'
import {
  type FigureSource,
  keepRatios,
  type Ratio,
  type Ratios,
  readKeptRatios,
  toRatios
} from '../report/kept-ratios.ts'
import { surroundings } from '../report/results.ts'
import { openLineup } from '../scenarios/lineup.ts'
import { median } from '../statistics.ts'
import { type Comparison, comparisonTable, getIncrease, tolerance } from './check.ts'
import { checkedIds, measureRatios } from './ratios.ts'

/** Measurements whose median is kept. */
const measurements = 3

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const keepMedian = (values: readonly number[]): number => Number(median(values).toPrecision(3))

/** The medians of a series of measurements of the same jobs. */
export function combine(measured: readonly Ratios[]): Ratios {
  const entries = Object.keys(measured[0] ?? {}).map((id): [string, Ratio] => {
    const references = measured.flatMap((each) => each[id]?.reference ?? [])
    return [
      id,
      {
        floor: keepMedian(measured.map((each) => each[id]?.floor ?? Number.NaN)),
        reference: references.length > 0 ? keepMedian(references) : null
      }
    ]
  })
  return Object.fromEntries(entries)
}

function getSource(): FigureSource {
  const { commit, when, machine } = surroundings()
  const { cpu, cores, node } = machine
  return { commit, date: when.slice(0, 10), machine: `${cpu}, ${cores} cores, Node ${node.slice(1)}` }
}

/** The measured figures beside those from before. */
function report(before: Ratios, measured: Ratios): void {
  const comparisons = Object.entries(measured).map(([id, now]): Comparison => {
    const kept = before[id] ?? now
    return { id, kept, measured: now, tries: measurements, isSlower: getIncrease(kept, now) > tolerance }
  })
  say(comparisonTable(comparisons))
}

/** Measures all jobs, and writes the figures that are lower than the kept ones, and higher ones that the CHANGELOG explains. */
export async function runKeep(): Promise<void> {
  const before = readKeptRatios(readKept('check'))
  const permission = { reasons: readChangelog(), used: readHistory().used }
  const source = getSource()
  const lineup = await openLineup()
  try {
    const series: Ratios[] = []
    for (let count = 0; count < measurements; count++) series.push(await measureRatios(lineup, checkedIds))
    const measured = combine(series)
    report(toRatios(before), measured)
    const { kept, refused } = keepRatios(before, measured, source, permission)
    if (refused.length > 0)
      say(
        `not kept, as they are higher: ${refused.join('; ')} (a line "- Benchmark ${refused[0]}: …" in CHANGELOG.md allows it)`
      )
    say(`written: ${keep('check', { jobs: kept })}`)
  } finally {
    await lineup.close()
  }
}
